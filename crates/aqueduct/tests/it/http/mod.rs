//! The endpoint and its listener, as bytes over real sockets.

mod fixture;
mod peer;

mod end;
