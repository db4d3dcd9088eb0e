//! A key: its public id, and a secret from which every purpose gets a key of its own.

use std::fmt;
use std::hint::black_box;
use std::sync::Arc;

use base64::Engine as _;
use base64::alphabet;
use base64::engine::DecodePaddingMode;
use base64::engine::general_purpose::{GeneralPurpose, GeneralPurposeConfig};
use chacha20poly1305::XChaCha20Poly1305;
use chacha20poly1305::aead::{self, AeadInOut as _, KeyInit as _};
use hkdf::Hkdf;
use sha2::Sha256;

use super::binding::Binding;
use super::purpose::Purpose;
use super::token::NONCE_BYTES;

const MIN_SECRET_BYTES: usize = 32;
/// Longer ones are most likely a file in the wrong place.
const MAX_SECRET_BYTES: usize = 1024;
const MAX_ID_BYTES: usize = 16;

/// A key of a [`KeyRing`](super::KeyRing).
///
/// Its bytes are never shown, and are overwritten when the last clone is dropped.
#[derive(Clone)]
pub struct Key {
    id: Arc<str>,
    /// The pseudorandom key of HKDF: the secret itself is not kept.
    extracted: Arc<Secret>,
}

impl Key {
    /// A key with a name, which stands in every string that it seals, and at least 32 random bytes.
    ///
    /// # Errors
    ///
    /// When `id` is not 1 to 16 of `A-Z a-z 0-9 _ -`, or `secret` is too short or not random.
    pub fn new(id: &str, secret: &[u8]) -> Result<Self, KeyError> {
        if !is_id(id) {
            // The id is not repeated: it may be a key that stands in its place.
            let why = "its id must be 1 to 16 of the characters A-Z a-z 0-9 _ -";
            return Err(KeyError::new(why));
        }
        let bytes = secret.len();
        if bytes < MIN_SECRET_BYTES {
            return Err(KeyError::new(format!(
                "it has {bytes} bytes and needs {MIN_SECRET_BYTES} or more, as `openssl rand \
                 -base64 32` makes them"
            ))
            .named(id));
        }
        if bytes > MAX_SECRET_BYTES {
            let why = format!("it has {bytes} bytes, more than {MAX_SECRET_BYTES}");
            return Err(KeyError::new(why).named(id));
        }
        if secret.iter().all(|byte| Some(byte) == secret.first()) {
            let why = "its bytes are all the same; make it with `openssl rand -base64 32`";
            return Err(KeyError::new(why).named(id));
        }
        let (extracted, _) = Hkdf::<Sha256>::extract(Some(b"aqueduct seal v1"), secret);
        Ok(Self { id: id.into(), extracted: Arc::new(Secret(extracted.into())) })
    }

    /// A key that nobody else has, under a random id.
    ///
    /// # Errors
    ///
    /// When the operating system has no randomness to give.
    pub fn random() -> Result<Self, KeyError> {
        let no_randomness = |_| KeyError::new("the operating system has no randomness to give");
        let id: [u8; 6] = random_bytes().map_err(no_randomness)?;
        let secret = Secret(random_bytes().map_err(no_randomness)?);
        Self::new(&base64::engine::general_purpose::URL_SAFE_NO_PAD.encode(id), &secret.0)
    }

    /// Reads `id:base64`, in either alphabet, with or without padding.
    pub(super) fn parse(entry: &str) -> Result<Self, KeyError> {
        // Nothing of an entry is repeated before its id is known to be one.
        let Some((id, encoded)) = entry.split_once(':') else {
            let why = if entry.is_empty() { "it is empty" } else { "it has no colon" };
            return Err(KeyError::new(format!("{why}; write it as `id:base64`")));
        };
        let url_safe = encoded.contains(['-', '_']);
        let alphabet = if url_safe { &alphabet::URL_SAFE } else { &alphabet::STANDARD };
        let config =
            GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent);
        let Ok(secret) = GeneralPurpose::new(alphabet, config).decode(encoded) else {
            let error = KeyError::new("what follows its colon is not base64");
            return Err(if is_id(id) { error.named(id) } else { error });
        };
        let mut secret = secret;
        let key = Self::new(id, &secret);
        wipe(&mut secret);
        key
    }

    /// The name of the key, which is not a secret.
    #[must_use]
    pub fn id(&self) -> &str {
        &self.id
    }

    pub(super) fn encrypt(
        &self,
        purpose: Purpose,
        nonce: &[u8; NONCE_BYTES],
        associated: &Binding,
        bytes: &mut Vec<u8>,
    ) -> aead::Result<()> {
        self.cipher(purpose)?.encrypt_in_place(nonce.into(), associated.as_bytes(), bytes)
    }

    pub(super) fn decrypt(
        &self,
        purpose: Purpose,
        nonce: &[u8; NONCE_BYTES],
        associated: &Binding,
        bytes: &mut Vec<u8>,
    ) -> aead::Result<()> {
        self.cipher(purpose)?.decrypt_in_place(nonce.into(), associated.as_bytes(), bytes)
    }

    fn cipher(&self, purpose: Purpose) -> aead::Result<XChaCha20Poly1305> {
        let mut derived = Secret([0; 32]);
        let extracted = Hkdf::<Sha256>::from_prk(&self.extracted.0).map_err(|_| aead::Error)?;
        extracted.expand_multi_info(&purpose.info(), &mut derived.0).map_err(|_| aead::Error)?;
        Ok(XChaCha20Poly1305::new((&derived.0).into()))
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Key").field("id", &self.id).finish_non_exhaustive()
    }
}

/// Bytes that do not stay in memory longer than they must.
struct Secret([u8; 32]);

impl Drop for Secret {
    fn drop(&mut self) {
        wipe(&mut self.0);
    }
}

/// Overwrites; `black_box` keeps the compiler from leaving out a write that nobody reads.
fn wipe(bytes: &mut [u8]) {
    bytes.fill(0);
    black_box(bytes);
}

/// Bytes from the operating system.
pub(super) fn random_bytes<const LEN: usize>() -> Result<[u8; LEN], getrandom::Error> {
    let mut bytes = [0; LEN];
    getrandom::fill(&mut bytes)?;
    Ok(bytes)
}

pub(super) fn is_id(id: &str) -> bool {
    let is_id_byte = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
    (1..=MAX_ID_BYTES).contains(&id.len()) && id.bytes().all(is_id_byte)
}

/// Why a key is none; the message says which key and never repeats one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyError {
    number: Option<usize>,
    id: Option<String>,
    why: String,
}

impl KeyError {
    pub(super) fn new(why: impl Into<String>) -> Self {
        Self { number: None, id: None, why: why.into() }
    }

    /// Says that it is the key in this place, counted from 1.
    pub(super) const fn of(mut self, number: usize) -> Self {
        self.number = Some(number);
        self
    }

    fn named(mut self, id: &str) -> Self {
        self.id = Some(id.to_owned());
        self
    }
}

impl fmt::Display for KeyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let why = &self.why;
        match (self.number, &self.id) {
            (Some(number), Some(id)) => write!(f, "key {number} (`{id}`): {why}"),
            (Some(number), None) => write!(f, "key {number}: {why}"),
            (None, Some(id)) => write!(f, "key `{id}`: {why}"),
            (None, None) => write!(f, "key: {why}"),
        }
    }
}

impl std::error::Error for KeyError {}
