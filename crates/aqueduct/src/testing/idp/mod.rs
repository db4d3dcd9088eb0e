//! A small identity provider for tests: real keys and a real flow, on this machine only, with
//! faults on demand.
//!
//! It takes everybody for `alice` and asks nobody. Never let anything but a test trust it.
//!
//! ```
//! use aqueduct::auth::{Issuer, ResourceServer};
//! use aqueduct::testing::idp::Idp;
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let idp = Idp::start().await?;
//! let auth = ResourceServer::new("http://127.0.0.1:8000/mcp")
//!     .issuer(Issuer::discover(idp.issuer()))
//!     .loopback_issuers()
//!     .build()?;
//! let token = idp.token("http://127.0.0.1:8000/mcp").claim("scope", "notes:read").sign()?;
//! # let _ = (auth, token);
//! # Ok(())
//! # }
//! ```

mod flow;
mod form;
mod key;
mod serve;
mod token;

use std::collections::HashMap;
use std::fmt;
use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use serde_json::Value;
use tokio::task::JoinHandle;

use self::flow::Grants;
use self::key::Key;

pub use self::token::Token;

/// How the provider fails until it is told otherwise, at its metadata, its keys and introspection.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Fault {
    /// It takes this long to answer.
    Slow(Duration),
    /// It answers with this status.
    Status(u16),
    /// It sends whoever asks to this address.
    Redirect(String),
    /// It answers with these bytes.
    Body(Vec<u8>),
}

/// The provider; it ends when it is dropped.
pub struct Idp {
    shared: Arc<Shared>,
    task: JoinHandle<()>,
}

struct Shared {
    issuer: String,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    keys: Vec<Key>,
    /// Keys that are not shown any more; their holder may still sign.
    withdrawn: Vec<Key>,
    /// What it says that its keys are, when that is not so.
    shown: Option<Value>,
    made: usize,
    fault: Option<Fault>,
    hits: HashMap<String, usize>,
    grants: Grants,
    opaque: HashMap<String, Value>,
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn add(&mut self, key: Key) -> String {
        let name = key.name.clone();
        self.keys.insert(0, key);
        name
    }

    fn name(&mut self) -> String {
        self.made += 1;
        format!("key-{}", self.made)
    }

    fn jwks(&self) -> Value {
        let keys = || self.keys.iter().map(|key| &key.public).collect::<Vec<_>>();
        self.shown.clone().unwrap_or_else(|| serde_json::json!({ "keys": keys() }))
    }

    fn key(&self, name: Option<&str>) -> Option<&Key> {
        let mut all = self.keys.iter().chain(&self.withdrawn);
        match name {
            Some(name) => all.find(|key| key.name == name),
            None => all.next(),
        }
    }
}

impl Idp {
    /// Starts one with an ES256 key, at a port of its own on 127.0.0.1.
    ///
    /// # Errors
    /// When it cannot listen or has no random numbers.
    pub async fn start() -> io::Result<Self> {
        Self::start_at("127.0.0.1:0").await
    }

    /// The same at this address.
    ///
    /// # Errors
    /// When it cannot listen or has no random numbers.
    pub async fn start_at(address: &str) -> io::Result<Self> {
        let tcp = tokio::net::TcpListener::bind(address).await?;
        let issuer = format!("http://{}", tcp.local_addr()?);
        let mut state = State::default();
        let name = state.name();
        state.add(Key::es256(name)?);
        let shared = Arc::new(Shared { issuer, state: Mutex::new(state) });
        let task = tokio::spawn(serve::serve(tcp, Arc::clone(&shared)));
        Ok(Self { shared, task })
    }

    /// Its name, which is the URL that it is reached at.
    #[must_use]
    pub fn issuer(&self) -> &str {
        &self.shared.issuer
    }

    /// A good access token for this resource, of `alice`, to be changed and signed.
    pub fn token(&self, resource: &str) -> Token<'_> {
        Token::new(self, resource)
    }

    /// Signs this text as the head and this one as the claims of a token, whatever they are.
    ///
    /// # Errors
    /// When there is no key of this name.
    pub fn sign(&self, key: Option<&str>, head: &str, claims: &str) -> io::Result<String> {
        let state = self.shared.lock();
        let key = state.key(key).ok_or_else(|| io::Error::other("no such key"))?;
        key.sign(head, claims)
    }

    /// The name of the key that signs.
    #[must_use]
    pub fn key(&self) -> String {
        self.shared.lock().key(None).map(|key| key.name.clone()).unwrap_or_default()
    }

    /// What it shows of its keys.
    #[must_use]
    pub fn jwks(&self) -> Value {
        self.shared.lock().jwks()
    }

    /// Shows these keys from now on, whatever it signs with.
    pub fn shows(&self, jwks: Value) {
        self.shared.lock().shown = Some(jwks);
    }

    /// Signs with a new ES256 key from now on, and gives back its name; the others are still shown.
    ///
    /// # Errors
    /// When there are no random numbers.
    pub fn rotate(&self) -> io::Result<String> {
        self.add(Key::es256)
    }

    /// The same with an Ed25519 key.
    ///
    /// # Errors
    /// When there are no random numbers.
    pub fn rotate_ed25519(&self) -> io::Result<String> {
        self.add(Key::ed25519)
    }

    /// The same with an RSA key of 2048 bits, which takes a while to make.
    ///
    /// # Errors
    /// When there are no random numbers.
    pub fn rotate_rsa(&self) -> io::Result<String> {
        self.add(Key::rsa)
    }

    fn add(&self, make: impl FnOnce(String) -> io::Result<Key>) -> io::Result<String> {
        let mut state = self.shared.lock();
        let name = state.name();
        let key = make(name)?;
        Ok(state.add(key))
    }

    /// Shows this key no more.
    pub fn withdraw(&self, name: &str) {
        let mut state = self.shared.lock();
        let (out, kept) = std::mem::take(&mut state.keys).into_iter().partition(|k| k.name == name);
        state.keys = kept;
        state.withdrawn.extend::<Vec<Key>>(out);
    }

    /// Fails in this way from now on, or not any more.
    pub fn fail(&self, fault: impl Into<Option<Fault>>) {
        self.shared.lock().fault = fault.into();
    }

    /// How often this path was asked for.
    #[must_use]
    pub fn hits(&self, path: &str) -> usize {
        self.shared.lock().hits.get(path).copied().unwrap_or_default()
    }

    /// What introspection answers about this token; about every other, that it is not active.
    pub fn introspects(&self, token: impl Into<String>, answer: Value) {
        self.shared.lock().opaque.insert(token.into(), answer);
    }
}

impl Drop for Idp {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl fmt::Debug for Idp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Idp").field("issuer", &self.shared.issuer).finish_non_exhaustive()
    }
}
