//! Streamable HTTP: a tower service that mounts anywhere, and a listener with clocks.

mod body;
mod collect;
mod cors;
mod guard;
//mod listen;
mod respond;
mod service;

pub use self::body::Body;
pub use self::guard::{Authority, HostError};
//pub use self::listen::{Listener, Serving};
pub use self::service::HttpService;
