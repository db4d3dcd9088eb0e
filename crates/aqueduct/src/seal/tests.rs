//! What a sealed string must withstand.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use super::{Binding, Key, KeyRing, Purpose};

const SECRET_A: [u8; 32] = *b"0123456789abcdef0123456789abcdef";
const SECRET_B: [u8; 32] = *b"fedcba9876543210fedcba9876543210";

fn key(id: &str, secret: &[u8]) -> Key {
    Key::new(id, secret).unwrap()
}

fn ring() -> KeyRing {
    KeyRing::new(key("a", &SECRET_A))
}

fn alice() -> Binding {
    Binding::new().field("alice").field("tools/call")
}

#[track_caller]
fn refuses(keys: &KeyRing, token: &str, reason: &str) {
    let error = keys.open(Purpose::CURSOR, &alice(), token).unwrap_err();
    assert_eq!(error.reason(), reason, "{token}");
    assert_eq!(error.to_string(), "not a string that this server gave out for this");
}

#[test]
fn what_was_sealed_opens() {
    for plain in [&b""[..], b"x", &[0xFF; 11_000]] {
        let token = ring().seal(Purpose::CURSOR, &alice(), plain).unwrap();
        assert_eq!(ring().open(Purpose::CURSOR, &alice(), &token).unwrap(), plain);
    }
}

#[test]
fn two_seals_of_one_content_differ_and_show_nothing_of_it() {
    let plain = b"position 4711";
    let one = ring().seal(Purpose::CURSOR, &alice(), plain).unwrap();
    let two = ring().seal(Purpose::CURSOR, &alice(), plain).unwrap();
    assert_ne!(one, two);
    assert!(one.starts_with("v1.a."));
    let bytes = super::Token::parse(&one).unwrap().bytes;
    assert!(!bytes.windows(4).any(|window| window == b"4711"));
}

/// Sealed with Python's hmac and libsodium, so that the format cannot drift unseen.
#[test]
fn a_string_of_another_implementation_opens() {
    let token =
        "v1.a.AAECAwQFBgcICQoLDA0ODxAREhMUFRYXsV0P1PMBLdF-ffR8bpFXyIxhtVT7g9CtGdgQboTRYEwAjLufNg";
    assert_eq!(ring().open(Purpose::CURSOR, &alice(), token).unwrap(), b"position 4711");
}

#[test]
fn every_other_character_in_every_place_is_refused() {
    let keys = ring().accept(key("b", &SECRET_B));
    let token = keys.seal(Purpose::CURSOR, &alice(), b"position 4711").unwrap();
    for at in 0..token.len() {
        for byte in 0..=0x7F {
            let mut changed = token.clone().into_bytes();
            if changed[at] == byte {
                continue;
            }
            changed[at] = byte;
            let changed = String::from_utf8(changed).unwrap();
            assert!(keys.open(Purpose::CURSOR, &alice(), &changed).is_err(), "{changed}");
        }
    }
}

#[test]
fn a_string_cut_or_lengthened_anywhere_is_refused() {
    let token = ring().seal(Purpose::CURSOR, &alice(), b"position 4711").unwrap();
    for end in 0..token.len() {
        let (head, _) = token.split_at(end);
        assert!(ring().open(Purpose::CURSOR, &alice(), head).is_err());
    }
    for tail in ["A", "AAAA", "=", ".", " ", "\n", "\0"] {
        assert!(ring().open(Purpose::CURSOR, &alice(), &format!("{token}{tail}")).is_err());
        assert!(ring().open(Purpose::CURSOR, &alice(), &format!("{tail}{token}")).is_err());
    }
}

#[test]
fn bits_left_over_at_the_end_are_refused() {
    // One byte of content makes 24 + 8 + 1 + 16 = 49 bytes, whose last digit has four spare bits.
    let token = ring().seal(Purpose::CURSOR, &alice(), b"x").unwrap();
    let (head, last) = token.split_at(token.len() - 1);
    let digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    let value = digits.find(last).unwrap();
    assert_eq!(value % 16, 0);
    for digit in digits.chars().skip(value + 1).take(15) {
        refuses(&ring(), &format!("{head}{digit}"), "malformed");
    }
}

#[test]
fn each_way_of_being_wrong_is_one_error_and_a_reason_for_the_log() {
    let token = ring().seal(Purpose::CURSOR, &alice(), b"x").unwrap();
    let rest = token.strip_prefix("v1.a.").unwrap();
    refuses(&ring(), &format!("v2.a.{rest}"), "malformed");
    refuses(&ring(), &format!("v1.{rest}"), "malformed");
    refuses(&ring(), &format!("v1..{rest}"), "malformed");
    refuses(&ring(), &format!("v1.a/b.{rest}"), "malformed");
    refuses(&ring(), "v1.a.", "malformed");
    refuses(&ring(), "", "malformed");
    refuses(&ring(), "v1.a.é", "malformed");
    refuses(&ring(), &"A".repeat(100_000), "longer than anything that is sealed");
    refuses(&ring(), &format!("v1.c.{rest}"), "sealed with a key that is not in the ring");
    let both = ring().accept(key("b", &SECRET_B));
    refuses(&both, &format!("v1.b.{rest}"), "changed, or sealed for something else");
    let empty = format!("v1.a.{}", "A".repeat(54));
    refuses(&ring(), &empty, "changed, or sealed for something else");
}

#[test]
fn a_string_opens_for_its_purpose_only() {
    let purposes = [
        Purpose::CURSOR,
        Purpose::REQUEST_STATE,
        Purpose::SESSION,
        Purpose::TASK,
        Purpose::app("cursor"),
        Purpose::app("basket"),
    ];
    for made in purposes {
        let token = ring().seal(made, &alice(), b"x").unwrap();
        for used in purposes {
            assert_eq!(ring().open(used, &alice(), &token).is_ok(), made == used, "{used:?}");
        }
    }
}

#[test]
fn a_string_opens_with_its_binding_only() {
    let token = ring().seal(Purpose::CURSOR, &alice(), b"x").unwrap();
    for binding in [
        Binding::new(),
        Binding::new().field("bob").field("tools/call"),
        Binding::new().field("alice"),
        Binding::new().field("alic").field("etools/call"),
        Binding::new().field("alicetools/call"),
        Binding::new().field("tools/call").field("alice"),
        alice().field(""),
        Binding::new().field(alice()),
    ] {
        assert!(ring().open(Purpose::CURSOR, &binding, &token).is_err(), "{binding:?}");
    }
}

#[test]
fn an_expired_string_does_not_open() {
    let at = |seconds| UNIX_EPOCH + Duration::from_secs(seconds);
    let token = ring().seal_until(Purpose::CURSOR, &alice(), b"x", at(1_000)).unwrap();
    let open = |now| ring().open_at(Purpose::CURSOR, &alice(), &token, now);
    assert_eq!(open(at(0)).unwrap(), b"x");
    assert_eq!(open(at(1_000) - Duration::from_millis(1)).unwrap(), b"x");
    assert_eq!(open(at(1_000)).unwrap_err().reason(), "expired");
    assert_eq!(open(at(9_000)).unwrap_err().reason(), "expired");
    refuses(&ring(), &token, "expired");
    let tomorrow = SystemTime::now() + Duration::from_secs(86_400);
    let token = ring().seal_until(Purpose::CURSOR, &alice(), b"x", tomorrow).unwrap();
    assert_eq!(ring().open(Purpose::CURSOR, &alice(), &token).unwrap(), b"x");
    let before = UNIX_EPOCH - Duration::from_secs(1);
    let token = ring().seal_until(Purpose::CURSOR, &alice(), b"x", before).unwrap();
    assert!(ring().open_at(Purpose::CURSOR, &alice(), &token, before).is_err());
}

#[test]
fn a_key_can_be_changed_without_losing_what_is_in_flight() {
    let (old, new) = (key("old", &SECRET_A), key("new", &SECRET_B));
    let before = KeyRing::new(old.clone());
    let in_flight = before.seal(Purpose::SESSION, &alice(), b"x").unwrap();
    let during = KeyRing::new(new.clone()).accept(old);
    assert_eq!(during.open(Purpose::SESSION, &alice(), &in_flight).unwrap(), b"x");
    let fresh = during.seal(Purpose::SESSION, &alice(), b"y").unwrap();
    assert!(fresh.starts_with("v1.new."));
    let after = KeyRing::new(new);
    assert_eq!(after.open(Purpose::SESSION, &alice(), &fresh).unwrap(), b"y");
    assert!(after.open(Purpose::SESSION, &alice(), &in_flight).is_err());
    assert!(before.open(Purpose::SESSION, &alice(), &fresh).is_err());
}

#[test]
fn servers_that_share_keys_open_each_others_strings() {
    let text = "k1:MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=,k2:ZmVkY2JhOTg3NjU0MzIxMGZlZGNiYTk4NzY1NDMyMTA";
    let (one, two) = (KeyRing::parse(text).unwrap(), KeyRing::parse(text).unwrap());
    let token = one.seal(Purpose::REQUEST_STATE, &alice(), b"x").unwrap();
    assert!(token.starts_with("v1.k1."));
    assert_eq!(two.open(Purpose::REQUEST_STATE, &alice(), &token).unwrap(), b"x");
    let built = KeyRing::new(key("k1", &SECRET_A)).accept(key("k2", &SECRET_B));
    assert_eq!(built.open(Purpose::REQUEST_STATE, &alice(), &token).unwrap(), b"x");
    assert!(KeyRing::random().unwrap().open(Purpose::REQUEST_STATE, &alice(), &token).is_err());
}

#[test]
fn two_keys_of_one_id_both_open() {
    let token = ring().seal(Purpose::TASK, &alice(), b"x").unwrap();
    let keys = KeyRing::new(key("a", &SECRET_B)).accept(key("a", &SECRET_A));
    assert_eq!(keys.open(Purpose::TASK, &alice(), &token).unwrap(), b"x");
}

#[test]
fn content_that_could_not_be_opened_is_not_sealed() {
    let error = ring().seal(Purpose::CURSOR, &alice(), &[0; 100_000]).unwrap_err();
    assert!(error.to_string().starts_with("100000 bytes are too many"), "{error}");
    // (16,384 characters less `v1.a.`) × 3/4, less nonce, time and tag.
    let token = ring().seal(Purpose::CURSOR, &alice(), &[0; 12_236]).unwrap();
    assert!(ring().open(Purpose::CURSOR, &alice(), &token).is_ok());
    assert!(ring().seal(Purpose::CURSOR, &alice(), &[0; 12_237]).is_err());
}

#[test]
fn a_mistake_in_the_keys_names_the_key_and_repeats_none() {
    let good = "MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=";
    let zeros = "A".repeat(43);
    let long = "QUJD".repeat(400);
    for (text, message) in [
        (String::new(), "key 1: it is empty; write it as `id:base64`"),
        (format!("a:{good},"), "key 2: it is empty; write it as `id:base64`"),
        (good.to_owned(), "key 1: it has no colon; write it as `id:base64`"),
        (format!("{good}:a"), "key 1: what follows its colon is not base64"),
        (format!("{good}:aaaa"), "key 1: its id must be 1 to 16 of the characters A-Z a-z 0-9 _ -"),
        (format!(":{good}"), "key 1: its id must be 1 to 16 of the characters A-Z a-z 0-9 _ -"),
        (format!("a:{good},b:{good}!"), "key 2 (`b`): what follows its colon is not base64"),
        (
            "short:c2hvcnQ=".to_owned(),
            "key 1 (`short`): it has 5 bytes and needs 32 or more, as `openssl rand -base64 32` \
             makes them",
        ),
        (
            format!("z:{zeros}"),
            "key 1 (`z`): its bytes are all the same; make it with `openssl rand -base64 32`",
        ),
        (format!("l:{long}"), "key 1 (`l`): it has 1200 bytes, more than 1024"),
        (format!("a:{good},a:{good}"), "key 2: another key has the id `a` already"),
    ] {
        let error = KeyRing::parse(&text).unwrap_err();
        assert_eq!(error.to_string(), message);
        assert!(!format!("{error:?}").contains("MDEy"));
    }
    let many = (0..17).map(|n| format!("k{n}:{good}")).collect::<Vec<_>>().join(",");
    assert!(KeyRing::parse(&many).is_err());
    assert!(KeyRing::parse(&format!(" a:{good} , b:{good}\n")).is_ok());
}

#[test]
fn no_key_is_ever_shown() {
    let keys = ring().accept(key("b", &SECRET_B));
    assert_eq!(format!("{keys:?}"), r#"KeyRing([Key { id: "a", .. }, Key { id: "b", .. }])"#);
    assert_ne!(KeyRing::random().unwrap().keys[0].id(), KeyRing::random().unwrap().keys[0].id());
}
