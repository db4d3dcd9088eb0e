//! The one way to make an opaque string: what the server hands out, only the server can read.
//!
//! Cursors, request states, legacy session ids and task secrets travel through clients, who must
//! neither read nor change them
//! ([Multi Round-Trip Requests](https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/mrtr),
//! [Pagination](https://modelcontextprotocol.io/specification/2026-07-28/server/utilities/pagination)).
//! Each is encrypted and authenticated with XChaCha20-Poly1305 under a key of its own purpose, so
//! that a string of one kind never opens as another, and bound to whatever must be the same when
//! it comes back.

mod binding;
mod blob;
mod key;
mod purpose;
mod token;

use std::fmt;
use std::time::{SystemTime, UNIX_EPOCH};

pub use binding::Binding;
pub use key::{Key, KeyError};
pub use purpose::Purpose;

use token::Token;

/// Longer strings are refused before a byte of them is decoded.
const MAX_TOKEN_BYTES: usize = 16 * 1024;
/// More keys than this in one ring are a mistake: each is one that a leak of it breaks.
const MAX_KEYS: usize = 16;

/// The keys of a server: one seals, all of them open.
///
/// Servers that answer for each other share a ring. To change the key, accept the new one
/// everywhere, then make it the active one, and drop the old one when nothing that it sealed is in
/// flight any more.
///
/// ```
/// use aqueduct::seal::{Binding, KeyRing, Purpose};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// const BASKET: Purpose = Purpose::app("basket");
/// let keys = KeyRing::random()?;
/// let alice = Binding::new().field("alice");
///
/// let sealed = keys.seal(BASKET, &alice, b"3 apples")?;
/// assert_eq!(keys.open(BASKET, &alice, &sealed)?, b"3 apples");
///
/// let bob = Binding::new().field("bob");
/// assert!(keys.open(BASKET, &bob, &sealed).is_err());
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct KeyRing {
    /// Never empty; the first is the active one.
    keys: Vec<Key>,
}

impl KeyRing {
    /// A ring with `active`, which seals and opens.
    #[must_use]
    pub fn new(active: Key) -> Self {
        Self { keys: vec![active] }
    }

    /// A ring with a key that nobody else has: what it sealed does not open after a restart or on
    /// another machine.
    ///
    /// # Errors
    ///
    /// When the operating system has no randomness to give.
    pub fn random() -> Result<Self, KeyError> {
        Key::random().map(Self::new)
    }

    /// Opens, besides the others, what `key` sealed.
    #[must_use]
    pub fn accept(mut self, key: Key) -> Self {
        self.keys.push(key);
        self
    }

    /// Reads `id:base64,id:base64,…`, as the environment variable `AQUEDUCT_KEYS` holds it; the
    /// first key is the active one.
    ///
    /// An id has 1 to 16 of the characters `A-Z a-z 0-9 _ -`, and is not a secret: it stands in
    /// every sealed string. A key has at least 32 random bytes (`openssl rand -base64 32`).
    ///
    /// # Errors
    ///
    /// When a key is malformed, too short or not random, or when two have one id; the error says
    /// which and why, and never repeats a key.
    pub fn parse(text: &str) -> Result<Self, KeyError> {
        let mut keys: Vec<Key> = Vec::new();
        for (index, entry) in text.split(',').enumerate() {
            let number = index + 1;
            if number > MAX_KEYS {
                return Err(KeyError::new(format!("there are more than {MAX_KEYS} keys")));
            }
            let key = Key::parse(entry.trim()).map_err(|error| error.of(number))?;
            if keys.iter().any(|other| other.id() == key.id()) {
                let why = format!("another key has the id `{}` already", key.id());
                return Err(KeyError::new(why).of(number));
            }
            keys.push(key);
        }
        Ok(Self { keys })
    }

    /// `plain` as a string that nobody else can read, change or make.
    ///
    /// # Errors
    ///
    /// When the string would be too long to be opened (about 12 kB of `plain`), or when the
    /// operating system has no randomness to give.
    pub fn seal(
        &self,
        purpose: Purpose,
        binding: &Binding,
        plain: &[u8],
    ) -> Result<String, SealError> {
        self.seal_content(purpose, binding, &Content { plain, expires: None })
    }

    /// As [`seal`](Self::seal), for a string that does not open from `expires` on.
    ///
    /// # Errors
    ///
    /// As [`seal`](Self::seal).
    pub fn seal_until(
        &self,
        purpose: Purpose,
        binding: &Binding,
        plain: &[u8],
        expires: SystemTime,
    ) -> Result<String, SealError> {
        self.seal_content(purpose, binding, &Content { plain, expires: Some(expires) })
    }

    fn seal_content(
        &self,
        purpose: Purpose,
        binding: &Binding,
        content: &Content<'_>,
    ) -> Result<String, SealError> {
        let Some(key) = self.keys.first() else { return Err(SealError(Unable::Encrypt)) };
        let mut bytes = content.to_bytes();
        let nonce = key::random_bytes().map_err(|_| SealError(Unable::Random))?;
        key.encrypt(purpose, &nonce, &associated(key, binding), &mut bytes)
            .map_err(|_| SealError(Unable::Encrypt))?;
        let token = Token { key_id: key.id(), nonce, bytes }.to_string();
        if token.len() > MAX_TOKEN_BYTES {
            return Err(SealError(Unable::TooLong(content.plain.len())));
        }
        Ok(token)
    }

    /// What [`seal`](Self::seal) was given, if purpose and binding are the same.
    ///
    /// # Errors
    ///
    /// When `token` was not sealed so, by this ring, or has expired.
    pub fn open(
        &self,
        purpose: Purpose,
        binding: &Binding,
        token: &str,
    ) -> Result<Vec<u8>, Unsealed> {
        self.open_at(purpose, binding, token, SystemTime::now())
    }

    /// As [`open`](Self::open), at another time than now.
    ///
    /// # Errors
    ///
    /// As [`open`](Self::open).
    pub fn open_at(
        &self,
        purpose: Purpose,
        binding: &Binding,
        token: &str,
        now: SystemTime,
    ) -> Result<Vec<u8>, Unsealed> {
        if token.len() > MAX_TOKEN_BYTES {
            return Err(Unsealed("longer than anything that is sealed"));
        }
        let Some(token) = Token::parse(token) else { return Err(Unsealed("malformed")) };
        let mut reason = "sealed with a key that is not in the ring";
        for key in self.keys.iter().filter(|key| key.id() == token.key_id) {
            let mut bytes = token.bytes.clone();
            let associated = associated(key, binding);
            if key.decrypt(purpose, &token.nonce, &associated, &mut bytes).is_ok() {
                return open_content(bytes, now);
            }
            reason = "changed, or sealed for something else";
        }
        Err(Unsealed(reason))
    }
}

impl fmt::Debug for KeyRing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("KeyRing").field(&self.keys).finish()
    }
}

/// What is authenticated without being sent: the format, the key's id, and the binding.
fn associated(key: &Key, binding: &Binding) -> Binding {
    Binding::new().field(token::VERSION).field(key.id()).field(binding)
}

/// What is encrypted: the time in milliseconds after which it is worthless, and the rest.
struct Content<'a> {
    plain: &'a [u8],
    expires: Option<SystemTime>,
}

/// Stands for "never" in the place of a time.
const NEVER: u64 = u64::MAX;

impl Content<'_> {
    fn to_bytes(&self) -> Vec<u8> {
        let expires = self.expires.map_or(NEVER, milliseconds);
        let mut bytes = Vec::with_capacity(8 + self.plain.len() + token::OVERHEAD);
        bytes.extend_from_slice(&expires.to_be_bytes());
        bytes.extend_from_slice(self.plain);
        bytes
    }
}

fn open_content(mut bytes: Vec<u8>, now: SystemTime) -> Result<Vec<u8>, Unsealed> {
    let Some(expires) = bytes.first_chunk().copied().map(u64::from_be_bytes) else {
        return Err(Unsealed("too short"));
    };
    if expires != NEVER && milliseconds(now) >= expires {
        return Err(Unsealed(EXPIRED));
    }
    bytes.drain(..8);
    Ok(bytes)
}

/// Since 1970, which is as early as it gets; [`NEVER`] stays out of reach.
fn milliseconds(time: SystemTime) -> u64 {
    let since = time.duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(NEVER).min(NEVER - 1)
}

/// Why something was not sealed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SealError(Unable);

#[derive(Debug, Clone, PartialEq, Eq)]
enum Unable {
    TooLong(usize),
    Random,
    Encrypt,
}

impl fmt::Display for SealError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Unable::TooLong(bytes) => write!(
                f,
                "{bytes} bytes are too many for a sealed string of at most {MAX_TOKEN_BYTES}; \
                 keep them in a store and seal their key"
            ),
            Unable::Random => f.write_str("the operating system has no randomness to give"),
            Unable::Encrypt => f.write_str("the content could not be encrypted"),
        }
    }
}

impl std::error::Error for SealError {}

/// A string that does not open.
///
/// It always reads the same, because a peer must not learn why; [`reason`](Self::reason) is for
/// the log.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Unsealed(&'static str);

const EXPIRED: &str = "expired";

impl Unsealed {
    /// It is one of this server's, for this, and its time is over; whoever holds it may know that.
    #[must_use]
    pub fn is_expired(&self) -> bool {
        self.0 == EXPIRED
    }

    /// Why it does not open. Not for the peer, who could use it to try things out.
    #[must_use]
    pub const fn reason(&self) -> &'static str {
        self.0
    }
}

impl fmt::Debug for Unsealed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Unsealed").field(&self.0).finish()
    }
}

impl fmt::Display for Unsealed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not a string that this server gave out for this")
    }
}

impl std::error::Error for Unsealed {}

#[cfg(test)]
mod tests;
