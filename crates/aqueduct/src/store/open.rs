//! Which store it is, by its address.

use std::fmt;
use std::sync::Arc;

use super::error::StoreError;
use super::memory::Memory;
use super::sealed::Sealed;
use super::{Bus, Store, redb, redis};
use crate::seal::KeyRing;

/// A store and the bus beside it.
#[derive(Clone)]
#[non_exhaustive]
pub struct Backend {
    /// Entries under keys.
    pub store: Arc<dyn Store>,
    /// Messages to every node.
    pub bus: Arc<dyn Bus>,
}

impl Backend {
    /// One thing that is both.
    #[must_use]
    pub fn new<B: Store + Bus>(both: B) -> Self {
        let both = Arc::new(both);
        Self { store: both.clone(), bus: both }
    }

    /// Encrypts every value and message with the keys of the server; see [`Sealed`].
    #[must_use]
    pub fn sealed(self, keys: &KeyRing) -> Self {
        Self {
            store: Arc::new(Sealed::new(self.store, keys.clone())),
            bus: Arc::new(Sealed::new(self.bus, keys.clone())),
        }
    }
}

impl fmt::Debug for Backend {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Backend").field("store", &self.store).finish_non_exhaustive()
    }
}

const KNOWN: &str = "write memory: or redb:PATH or redis://HOST:PORT";

/// Opens the store at an address: `memory:`, `redb:PATH` or `redis://…` (`valkey://…` is the same).
///
/// ```
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), aqueduct::store::StoreError> {
/// let backend = aqueduct::store::open("memory:").await?;
/// println!("{}", backend.store.promise());
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// Says what to write instead: for an unknown address, one whose feature is left out, a path or a
/// server that cannot be used. The address itself is not repeated, because it may hold a password.
pub async fn open(address: &str) -> Result<Backend, StoreError> {
    let Some((scheme, rest)) = address.split_once(':') else {
        return Err(StoreError::invalid(format!("the address of the store has no colon; {KNOWN}")));
    };
    match scheme {
        "memory" if rest.is_empty() => Ok(Backend::new(Memory::new())),
        "memory" => Err(StoreError::invalid("nothing follows in memory:; write memory: alone")),
        "redb" if rest.is_empty() => {
            Err(StoreError::invalid("redb: has no path; write redb:PATH, such as redb:state.redb"))
        }
        "redb" => redb::open(rest).await,
        "redis" | "valkey" => redis::open(&format!("redis:{rest}")).await,
        "rediss" | "valkeys" => Err(StoreError::invalid(
            "redis over TLS is not built in; write redis:// and let a tunnel on this machine do it",
        )),
        _ => Err(StoreError::invalid(format!("no store \"{scheme}\"; {KNOWN}"))),
    }
}

#[cfg(all(test, feature = "redb", feature = "redis"))]
mod tests {
    use super::super::{redb_left_out, redis_left_out};

    #[tokio::test]
    async fn a_store_that_was_left_out_is_named_with_its_feature() {
        let redb = redb_left_out::open("x").await.unwrap_err();
        let redis = redis_left_out::open("redis://host").await.unwrap_err();
        assert!(redb.to_string().ends_with("the feature \"redb\""), "{redb}");
        assert!(redis.to_string().ends_with("the feature \"redis\""), "{redis}");
    }
}
