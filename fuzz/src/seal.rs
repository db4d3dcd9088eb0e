//! Opaque strings: what somebody else made, and what was changed on its way.

use aqueduct::seal::{Binding, Key, KeyRing, Purpose};

const PURPOSE: Purpose = Purpose::app("fuzz");
const OTHER: Purpose = Purpose::app("other");

thread_local! {
    static KEYS: KeyRing = keys();
}

#[expect(clippy::expect_used, reason = "the key is written here")]
fn keys() -> KeyRing {
    let secret: Vec<u8> = (0..32_u8).map(|byte| byte.wrapping_mul(37) ^ 0x5a).collect();
    KeyRing::new(Key::new("k", &secret).expect("a key"))
}

/// A string that claims to be sealed; then a place, a change, and what is to be sealed.
pub(crate) fn run(data: &[u8]) {
    KEYS.with(|keys| {
        let binding = Binding::new().field("ann");
        if let Ok(text) = str::from_utf8(data) {
            assert!(keys.open(PURPOSE, &binding, text).is_err(), "{text:?} was made elsewhere");
            // What looks sealed gets further.
            let dressed = format!("v1.k.{text}");
            assert!(keys.open(PURPOSE, &binding, &dressed).is_err(), "{dressed:?}");
        }
        let [place, place_low, change, plain @ ..] = data else { return };
        let Ok(sealed) = keys.seal(PURPOSE, &binding, plain) else { return };
        assert_eq!(keys.open(PURPOSE, &binding, &sealed).as_deref(), Ok(plain));
        assert!(keys.open(OTHER, &binding, &sealed).is_err(), "it is of another purpose");
        let bob = Binding::new().field("bob");
        assert!(keys.open(PURPOSE, &bob, &sealed).is_err(), "it is another's");
        let mut bytes = sealed.clone().into_bytes();
        let place = (usize::from(*place) << 8 | usize::from(*place_low)) % bytes.len();
        if let Some(byte) = bytes.get_mut(place) {
            *byte = *change;
        }
        if let Ok(changed) = String::from_utf8(bytes)
            && changed != sealed
        {
            assert!(keys.open(PURPOSE, &binding, &changed).is_err(), "{changed:?} was changed");
        }
    });
}
