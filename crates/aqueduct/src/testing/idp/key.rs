//! The keys that a provider signs with.

use std::io;

use aws_lc_rs::encoding::AsDer;
use aws_lc_rs::rand::SystemRandom;
use aws_lc_rs::rsa::{KeyPair as RsaKeyPair, KeySize};
use aws_lc_rs::signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, Ed25519KeyPair};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use jsonwebtoken::jwk::{Jwk, PublicKeyUse};
use jsonwebtoken::{Algorithm, EncodingKey};
use serde_json::Value;

/// One key with what is shown of it.
pub(super) struct Key {
    pub(super) name: String,
    pub(super) algorithm: Algorithm,
    pub(super) public: Value,
    private: EncodingKey,
}

fn failed(_: aws_lc_rs::error::Unspecified) -> io::Error {
    io::Error::other("no key can be made")
}

impl Key {
    pub(super) fn es256(name: String) -> io::Result<Self> {
        let algorithm = &ECDSA_P256_SHA256_FIXED_SIGNING;
        let made = EcdsaKeyPair::generate_pkcs8(algorithm, &SystemRandom::new()).map_err(failed)?;
        Self::of(name, Algorithm::ES256, EncodingKey::from_ec_der(made.as_ref()))
    }

    pub(super) fn ed25519(name: String) -> io::Result<Self> {
        let made = Ed25519KeyPair::generate_pkcs8v1(&SystemRandom::new()).map_err(failed)?;
        Self::of(name, Algorithm::EdDSA, EncodingKey::from_ed_der(made.as_ref()))
    }

    pub(super) fn rsa(name: String) -> io::Result<Self> {
        let made = RsaKeyPair::generate(KeySize::Rsa2048).map_err(failed)?;
        let der: aws_lc_rs::encoding::Pkcs8V1Der<'_> = made.as_der().map_err(failed)?;
        Self::of(name, Algorithm::RS256, EncodingKey::from_rsa_der(&private_rsa(der.as_ref())?))
    }

    fn of(name: String, algorithm: Algorithm, private: EncodingKey) -> io::Result<Self> {
        let mut public = Jwk::from_encoding_key(&private, algorithm).map_err(io::Error::other)?;
        public.common.key_id = Some(name.clone());
        public.common.public_key_use = Some(PublicKeyUse::Signature);
        let public = serde_json::to_value(public)?;
        Ok(Self { name, algorithm, public, private })
    }

    /// Signs what stands there, with the key's own algorithm.
    pub(super) fn sign(&self, head: &str, claims: &str) -> io::Result<String> {
        let message =
            format!("{}.{}", URL_SAFE_NO_PAD.encode(head), URL_SAFE_NO_PAD.encode(claims));
        let signed = jsonwebtoken::crypto::sign(message.as_bytes(), &self.private, self.algorithm);
        Ok(format!("{message}.{}", signed.map_err(io::Error::other)?))
    }
}

/// The key of its own (RFC 8017) out of the envelope that it is made in (RFC 5958): what follows
/// the head of the last octet string, whose length has two bytes.
fn private_rsa(der: &[u8]) -> io::Result<Vec<u8>> {
    const HEAD: usize = 26;
    der.get(HEAD..).map(<[u8]>::to_vec).ok_or_else(|| io::Error::other("no RSA key"))
}
