//! The public keys of one issuer, read from a JWK Set, and which of them fits a token.

use std::sync::Arc;

use aws_lc_rs::signature::{
    ECDSA_P256_SHA256_FIXED, ECDSA_P384_SHA384_FIXED, ED25519, ParsedPublicKey,
    RSA_PKCS1_2048_8192_SHA256, RSA_PKCS1_2048_8192_SHA384, RSA_PKCS1_2048_8192_SHA512,
    RSA_PSS_2048_8192_SHA256, RSA_PSS_2048_8192_SHA384, RSA_PSS_2048_8192_SHA512,
    RsaPublicKeyComponents,
};
use jsonwebtoken::jwk::{
    AlgorithmParameters, EllipticCurve, Jwk, KeyAlgorithm, KeyOperations, PublicKeyUse,
};
use jsonwebtoken::{Algorithm, DecodingKey, DecodingKeyKind};
use serde::Deserialize;
use serde_json::Value;

/// How many keys of a set are looked at.
const MAX_KEYS: usize = 64;
/// How long the name of a key may be.
pub(super) const MAX_KID: usize = 256;
/// How long an RSA modulus is at least, in the letters of base64: 2048 bits.
const MIN_MODULUS: usize = 342;

const RSA: [Algorithm; 6] = [
    Algorithm::RS256,
    Algorithm::RS384,
    Algorithm::RS512,
    Algorithm::PS256,
    Algorithm::PS384,
    Algorithm::PS512,
];

/// A key for signatures.
#[derive(Clone)]
pub(super) struct Key {
    kid: Option<String>,
    /// What it may be used with: its own family, and its own algorithm if it names one.
    algorithms: Vec<Algorithm>,
    public: Public,
}

/// The key itself; a point of a curve is parsed once and not with each signature.
#[derive(Clone)]
enum Public {
    Parsed(Arc<ParsedPublicKey>),
    Rsa(Arc<RsaPublicKeyComponents<Vec<u8>>>),
}

/// The keys of an issuer.
#[derive(Clone)]
pub(super) struct KeySet {
    keys: Vec<Key>,
    /// What they were read from: another key may come under an old name.
    written: Vec<Value>,
}

#[derive(Deserialize)]
struct Raw {
    keys: Vec<Value>,
}

impl KeySet {
    /// Reads a set; what is no key for signatures is left out, as RFC 7517 has it (section 5).
    pub(super) fn read(json: &[u8]) -> Result<Self, String> {
        let raw: Raw = serde_json::from_slice(json).map_err(|error| format!("no keys: {error}"))?;
        let mut written = raw.keys;
        written.truncate(MAX_KEYS);
        let keys: Vec<Key> = written.iter().filter_map(key).collect();
        match keys.is_empty() {
            true => Err("no key in it can be used".to_owned()),
            false => Ok(Self { keys, written }),
        }
    }

    /// The key that a token names; when it names none, the only one there is.
    pub(super) fn find(&self, kid: Option<&str>) -> Option<&Key> {
        match kid {
            Some(kid) => self.keys.iter().find(|key| key.kid.as_deref() == Some(kid)),
            None => match self.keys.as_slice() {
                [only] => Some(only),
                _ => None,
            },
        }
    }

    /// Are these the same keys?
    pub(super) fn is(&self, other: &Self) -> bool {
        self.written == other.written
    }
}

impl Key {
    pub(super) fn fits(&self, algorithm: Algorithm) -> bool {
        self.algorithms.contains(&algorithm)
    }

    /// Has it made this signature, with an algorithm that [fits](Self::fits)?
    pub(super) fn verifies(&self, algorithm: Algorithm, message: &str, signature: &[u8]) -> bool {
        let message = message.as_bytes();
        let rsa = match &self.public {
            Public::Parsed(key) => return key.verify_sig(message, signature).is_ok(),
            Public::Rsa(key) => key,
        };
        let how = match algorithm {
            Algorithm::RS256 => &RSA_PKCS1_2048_8192_SHA256,
            Algorithm::RS384 => &RSA_PKCS1_2048_8192_SHA384,
            Algorithm::RS512 => &RSA_PKCS1_2048_8192_SHA512,
            Algorithm::PS256 => &RSA_PSS_2048_8192_SHA256,
            Algorithm::PS384 => &RSA_PSS_2048_8192_SHA384,
            Algorithm::PS512 => &RSA_PSS_2048_8192_SHA512,
            _ => return false,
        };
        rsa.verify(how, message, signature).is_ok()
    }
}

fn key(value: &Value) -> Option<Key> {
    let jwk = Jwk::deserialize(value).ok()?;
    let common = &jwk.common;
    let signs = common.public_key_use.as_ref().is_none_or(|u| *u == PublicKeyUse::Signature);
    let verifies =
        common.key_operations.as_ref().is_none_or(|all| all.contains(&KeyOperations::Verify));
    if !signs || !verifies || common.key_id.as_ref().is_some_and(|kid| kid.len() > MAX_KID) {
        return None;
    }
    // The key says which algorithms there can be, never the token (RFC 8725, section 3.1).
    let family: &[Algorithm] = match &jwk.algorithm {
        AlgorithmParameters::RSA(rsa) if rsa.n.len() >= MIN_MODULUS => &RSA,
        AlgorithmParameters::EllipticCurve(curve) if curve.curve == EllipticCurve::P256 => {
            &[Algorithm::ES256]
        }
        AlgorithmParameters::EllipticCurve(curve) if curve.curve == EllipticCurve::P384 => {
            &[Algorithm::ES384]
        }
        AlgorithmParameters::OctetKeyPair(pair) if pair.curve == EllipticCurve::Ed25519 => {
            &[Algorithm::EdDSA]
        }
        // A secret in a set that is public is none.
        _ => return None,
    };
    let named = common.key_algorithm.map(algorithm);
    let fits = |one: &&Algorithm| named.is_none_or(|named| named == Some(**one));
    let algorithms: Vec<Algorithm> = family.iter().filter(fits).copied().collect();
    let decoding = DecodingKey::from_jwk(&jwk).ok()?;
    let public = public(*algorithms.first()?, decoding.kind())?;
    Some(Key { kid: jwk.common.key_id, algorithms, public })
}

fn public(algorithm: Algorithm, key: &DecodingKeyKind) -> Option<Public> {
    let bytes = match key {
        DecodingKeyKind::RsaModulusExponent { n, e } => {
            let (n, e) = (n.clone(), e.clone());
            return Some(Public::Rsa(Arc::new(RsaPublicKeyComponents { n, e })));
        }
        DecodingKeyKind::SecretOrDer(bytes) => bytes,
    };
    let parsed = match algorithm {
        Algorithm::ES256 => ParsedPublicKey::new(&ECDSA_P256_SHA256_FIXED, bytes),
        Algorithm::ES384 => ParsedPublicKey::new(&ECDSA_P384_SHA384_FIXED, bytes),
        Algorithm::EdDSA => ParsedPublicKey::new(&ED25519, bytes),
        _ => return None,
    };
    parsed.ok().map(Arc::new).map(Public::Parsed)
}

/// The algorithm that a key names, if it is one for signatures.
fn algorithm(named: KeyAlgorithm) -> Option<Algorithm> {
    named.to_string().parse().ok()
}
