//! Callers that prove who they are: the server as an OAuth 2.1 resource server.
//!
//! [Authorization](https://modelcontextprotocol.io/specification/2026-07-28/basic/authorization).
//! A [`ResourceServer`] says which tokens are good; [`HttpService::auth`] puts it before an
//! endpoint, where it holds for every route and for clients of every revision. It lets in whom it
//! has made sure of, as a [`Principal`](crate::Principal), and takes the credential off the request
//! before anything else sees it.
//!
//! ```
//! use aqueduct::auth::{Issuer, ResourceServer};
//! use aqueduct::prelude::*;
//!
//! let auth = ResourceServer::new("https://mcp.example.com/mcp")
//!     .issuer(Issuer::discover("https://idp.example.com/tenant"))
//!     .baseline_scopes(["notes:read"])
//!     .scope_implies("notes:write", ["notes:read"])
//!     .build()?;
//! let find = Tool::new("find").handler(|| async { "nothing" });
//! let purge = Tool::new("purge").scopes(["notes:write"]).handler(|| async { "gone" });
//! let http = Server::new("notes", "1.0.0").tools([find, purge]).build()?.into_http().auth(auth);
//! # let _ = http;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![doc = include_str!("../docs/auth.md")]

mod address;
mod answer;
mod api_key;
mod cache;
mod config;
mod fetch;
mod gate;
mod identifier;
mod introspect;
mod issuer;
mod jwt;
mod key_set;
mod keys;
mod resource_server;
mod scope;
mod sources;
mod verifier;

pub use self::address::{Network, NetworkError};
pub use self::api_key::{ApiKey, NewApiKey};
pub use self::issuer::{Issuer, TokenProfile};
pub use self::resource_server::{Auth, AuthError, ResourceServer};
pub use self::verifier::{Refusal, Verified, Verifier};

#[cfg(doc)]
use crate::transport::http::HttpService;
