//! The endpoint and its listener, as bytes over real sockets.

mod fixture;
mod peer;

mod advisory;
#[cfg(feature = "auth")]
mod auth;
mod caller;
mod clock;
mod end;
mod envelope;
mod framing;
mod limit;
mod listen;
mod mirror;
mod mount;
mod negotiate;
mod quota;
mod session;
mod session_ask;
mod session_bound;
mod session_case;
mod session_process;
mod session_shared;
mod session_stream;
mod session_table;
mod session_trim;
mod stream;
mod task;
