//! Streamable HTTP: a tower service that mounts anywhere, and a listener with clocks.
//!
//! [`HttpService`] is the endpoint; [`Listener`] is the way to serve it that is safe with any peer.

mod body;
mod collect;
mod connection;
mod cors;
mod endpoint;
mod fields;
mod framing;
mod gate;
mod guard;
mod head;
mod limits;
mod listen;
mod load;
mod pulse;
mod respond;
mod roster;
mod service;
mod session;
mod signal;
mod socket;
mod wire;

pub use self::body::Body;
#[cfg(feature = "auth")]
pub(crate) use self::gate::Gate;
pub use self::guard::{Authority, HostError};
pub use self::limits::ListenLimits;
pub use self::listen::Listener;
pub use self::service::HttpService;
