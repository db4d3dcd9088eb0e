//! Handles: opaque strings by which a model speaks of something across calls.

use std::sync::Arc;
use std::time::{Duration, SystemTime};

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::{Extract, Rejection};
use crate::context::Context;
use crate::error::{Error, ToolError};
use crate::seal::{Binding, KeyRing, Purpose};

/// Makes handles and opens them: state that spans calls, carried by the caller
/// ([SEP-2567](https://modelcontextprotocol.io/seps/2567-sessionless-mcp)).
///
/// Requests stand alone, so a tool that begins something hands out a handle, and the tools that go
/// on with it take the handle as an argument.
/// A handle holds the value itself, sealed: nobody can read, guess or change it, it opens for the
/// caller it was made for and for nobody else, on every server that has the same keys, and until
/// its time is over.
///
/// ```
/// use std::time::Duration;
///
/// use aqueduct::extract::Handles;
/// use aqueduct::prelude::*;
///
/// /// Begin a search
/// #[tool]
/// async fn begin(word: String, handles: Handles) -> Result<String> {
///     handles.make(&(word, 0_u32), Duration::from_secs(60 * 60))
/// }
///
/// /// Go on with a search
/// #[tool]
/// async fn go_on(search: String, handles: Handles) -> Result<String> {
///     let (word, page): (String, u32) = handles.open(&search)?;
///     Ok(format!("page {page} of {word}"))
/// }
/// # let _ = (begin, go_on);
/// ```
#[derive(Clone, Debug)]
pub struct Handles {
    keys: Arc<KeyRing>,
    caller: Binding,
}

impl Handles {
    /// A handle that stands for `value` until `lifetime` has passed; say in the tool's description
    /// how long that is.
    ///
    /// # Errors
    /// When the value cannot be written as JSON, or is longer than a handle may be (about 12 KiB).
    pub fn make(
        &self,
        value: &(impl Serialize + ?Sized),
        lifetime: Duration,
    ) -> Result<String, ToolError> {
        let plain = serde_json::to_vec(value).map_err(Error::internal)?;
        let expires = SystemTime::now() + lifetime;
        let sealed = self.keys.seal_until(Purpose::HANDLE, &self.caller, &plain, expires);
        Ok(sealed.map_err(Error::internal)?)
    }

    /// What a handle stands for.
    ///
    /// # Errors
    /// Errors for the model: the handle has expired, or it is none of this caller's.
    pub fn open<T: DeserializeOwned>(&self, handle: &str) -> Result<T, ToolError> {
        let plain = self.keys.open(Purpose::HANDLE, &self.caller, handle).map_err(|unsealed| {
            ToolError::new(if unsealed.is_expired() {
                "the handle has expired; ask for a new one"
            } else {
                "this is no handle of yours; pass one exactly as it was given out"
            })
        })?;
        let value = serde_json::from_slice(&plain);
        value.map_err(|_| ToolError::new("the handle is one of another tool"))
    }
}

/// The keys of the server, among what it lends to its handlers.
pub(crate) struct Keys(pub(crate) Arc<KeyRing>);

impl Extract for Handles {
    fn extract(ctx: &Context) -> Result<Self, Rejection> {
        let lent = ctx.state::<Keys>();
        let Keys(keys) = &*lent.ok_or_else(|| Error::internal("a server without keys"))?;
        let (issuer, subject) = match ctx.principal() {
            Some(principal) => (principal.issuer.as_str(), principal.subject.as_str()),
            None => ("", "anonymous"),
        };
        let caller = Binding::new().field(issuer).field(subject);
        Ok(Self { keys: Arc::clone(keys), caller })
    }
}
