//! The connection for commands: made when it is missing, given up when it fails, never waited for long.

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use ::redis::aio::MultiplexedConnection;
use ::redis::{
    AsyncConnectionConfig, Client, ErrorKind, PushInfo, PushKind, RedisError, ServerErrorKind,
};
use tokio::sync::Semaphore;
use tokio::time::{Instant, timeout_at};

use crate::store::error::StoreError;

/// How long an operation may take, connecting included.
pub(super) const PATIENCE: Duration = Duration::from_millis(900);
/// How many commands are on their way at once.
const MAX_COMMANDS: usize = 1_024;

/// Whether a command that was not answered may have changed something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Effect {
    Reads,
    Writes,
}

/// The way to the server.
pub(super) struct Link {
    client: Client,
    live: Mutex<Option<Live>>,
    /// One connects, and the others wait for it.
    connecting: Semaphore,
    commands: Semaphore,
}

#[derive(Clone)]
struct Live {
    connection: MultiplexedConnection,
    is_closed: Arc<AtomicBool>,
}

impl Link {
    pub(super) const fn new(client: Client) -> Self {
        Self {
            client,
            live: Mutex::new(None),
            connecting: Semaphore::const_new(1),
            commands: Semaphore::const_new(MAX_COMMANDS),
        }
    }

    /// Runs a command on the connection, within the time that an operation has.
    pub(super) async fn run<T, F, Fut>(&self, effect: Effect, command: F) -> Result<T, StoreError>
    where
        F: FnOnce(MultiplexedConnection) -> Fut,
        Fut: Future<Output = Result<T, RedisError>>,
    {
        let deadline = Instant::now() + PATIENCE;
        let ready = async {
            let place = self.commands.acquire().await;
            Ok::<_, StoreError>((place, self.live().await?))
        };
        // Nothing was sent so far, so nothing can have been changed.
        let (_place, live) = match timeout_at(deadline, ready).await {
            Ok(ready) => ready?,
            Err(_) => return Err(self.unreachable("no connection in time")),
        };
        match timeout_at(deadline, command(live.connection.clone())).await {
            Ok(Ok(value)) => Ok(value),
            Ok(Err(error)) => {
                let is_torn = matches!(error.kind(), ErrorKind::Io | ErrorKind::Parse);
                if is_torn || error.is_unrecoverable_error() {
                    self.give_up(&live);
                }
                Err(self.explain(effect, error))
            }
            Err(_) => {
                // It may be that the other end is gone without a word.
                self.give_up(&live);
                Err(self.unanswered(effect, "no answer in time"))
            }
        }
    }

    async fn live(&self) -> Result<Live, StoreError> {
        if let Some(live) = self.kept() {
            return Ok(live);
        }
        let _turn = self.connecting.acquire().await;
        if let Some(live) = self.kept() {
            return Ok(live);
        }
        let is_closed = Arc::new(AtomicBool::new(false));
        let closed = Arc::clone(&is_closed);
        let notice = move |push: PushInfo| {
            if push.kind == PushKind::Disconnection {
                closed.store(true, Ordering::SeqCst);
            }
            Ok::<(), ()>(())
        };
        let connection = self.connect(notice).await?;
        let live = Live { connection, is_closed };
        *self.live.lock().unwrap_or_else(PoisonError::into_inner) = Some(live.clone());
        Ok(live)
    }

    /// A connection of its own, whose pushes go to `notice`.
    pub(super) async fn connect<E: 'static>(
        &self,
        notice: impl Fn(PushInfo) -> Result<(), E> + Send + Sync + 'static,
    ) -> Result<MultiplexedConnection, StoreError> {
        let config = AsyncConnectionConfig::new()
            .set_connection_timeout(Some(PATIENCE))
            .set_response_timeout(None)
            .set_push_sender(notice);
        let connected = self.client.get_multiplexed_async_connection_with_config(&config).await;
        // Connecting changes nothing.
        connected.map_err(|error| self.explain(Effect::Reads, error))
    }

    fn kept(&self) -> Option<Live> {
        let live = self.live.lock().unwrap_or_else(PoisonError::into_inner);
        live.as_ref().filter(|live| !live.is_closed.load(Ordering::SeqCst)).cloned()
    }

    fn give_up(&self, failed: &Live) {
        failed.is_closed.store(true, Ordering::SeqCst);
    }

    fn unreachable(&self, why: &str) -> StoreError {
        StoreError::unavailable(format!("{self} cannot be reached: {why}"))
    }

    fn unanswered(&self, effect: Effect, why: &str) -> StoreError {
        match effect {
            Effect::Reads => self.unreachable(why),
            Effect::Writes => StoreError::uncertain(format!(
                "{self} did not answer ({why}); the write may be there"
            )),
        }
    }

    fn refused(&self) -> StoreError {
        StoreError::invalid(format!("{self} refuses the user or the password of the address"))
    }

    fn explain(&self, effect: Effect, error: RedisError) -> StoreError {
        if let Some((host, port)) = error.redirect_node() {
            let message = format!("{self} is a node of a cluster; name {host}:{port} instead");
            return StoreError::unavailable(message).source(error);
        }
        match error.kind() {
            // An answer that ends in the middle is none.
            ErrorKind::Io | ErrorKind::Parse => {
                let why = error.to_string();
                self.unanswered(effect, &why).source(error)
            }
            ErrorKind::AuthenticationFailed | ErrorKind::Server(ServerErrorKind::NoPerm) => {
                self.refused().source(error)
            }
            // An answer, so nothing was done: the scripts begin with what may be refused.
            ErrorKind::Server(_) | ErrorKind::Extension => match error.code().unwrap_or("an error")
            {
                "OOM" => StoreError::full(format!("{self} has no memory left")),
                "NOAUTH" | "WRONGPASS" => self.refused(),
                code => StoreError::unavailable(format!("{self} answers {code}")),
            }
            .source(error),
            _ => StoreError::corrupt(format!("{self} answers what was not expected")).source(error),
        }
    }
}

/// The address without user and password.
impl fmt::Display for Link {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "redis at {}", self.client.get_connection_info().addr())
    }
}
