//! A client for tests: calls a server in the same process, over the texts of the protocol.

mod client;
#[cfg(feature = "auth")]
pub mod idp;

pub use self::client::{Answer, TestClient, TestError};
pub use crate::transport::memory::Exchange;
