//! How a sealed string is written: `v1.<key id>.<base64url of nonce and ciphertext>`.

use std::fmt;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;

use super::key;

/// Another format or cipher would be another version.
pub(super) const VERSION: &str = "v1";
/// The nonce of XChaCha20-Poly1305: long enough to be drawn at random.
pub(super) const NONCE_BYTES: usize = 24;
/// What encryption adds: the tag of Poly1305.
pub(super) const OVERHEAD: usize = 16;

pub(super) struct Token<'a> {
    pub(super) key_id: &'a str,
    pub(super) nonce: [u8; NONCE_BYTES],
    pub(super) bytes: Vec<u8>,
}

impl<'a> Token<'a> {
    /// Reads exactly what [`Display`](fmt::Display) writes: the engine wants no padding and refuses
    /// bits that are left over, so that no two strings are one token.
    pub(super) fn parse(token: &'a str) -> Option<Self> {
        let (key_id, sealed) = token.strip_prefix(VERSION)?.strip_prefix('.')?.split_once('.')?;
        if !key::is_id(key_id) {
            return None;
        }
        let mut bytes = URL_SAFE_NO_PAD.decode(sealed).ok()?;
        let nonce = *bytes.first_chunk()?;
        bytes.drain(..NONCE_BYTES);
        Some(Self { key_id, nonce, bytes })
    }
}

impl fmt::Display for Token<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sealed = [self.nonce.as_slice(), &self.bytes].concat();
        write!(f, "{VERSION}.{}.{}", self.key_id, URL_SAFE_NO_PAD.encode(sealed))
    }
}
