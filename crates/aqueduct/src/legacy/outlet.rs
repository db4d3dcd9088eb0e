//! Where a call of a session says what it has to say before its answer.

use std::future::Future;

/// One stream of messages to the client: the one of the request that they belong to.
pub(crate) trait Outlet: Send + Sync + 'static {
    /// Sends a message, once there is room for it.
    fn say(&self, message: Vec<u8>) -> impl Future<Output = ()> + Send;

    /// Ends the connection, not the stream: the client comes back for the rest (SEP-1699).
    fn hang_up(&self) {}

    /// Has nobody read it for so long that it need not be filled any more?
    fn is_abandoned(&self) -> bool {
        false
    }
}
