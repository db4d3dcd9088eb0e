//! Stores whose values only the server's keys can read.

use std::sync::Arc;

use aqueduct::seal::{Key, KeyRing};
use aqueduct::store::contract::{self, Subject, Violations};
use aqueduct::store::{Backend, Bus, Clock, Memory, Put, Sealed, Signal, Store};

fn key(id: &str) -> Key {
    let secret: Vec<u8> = id.bytes().cycle().zip(0..32).map(|(byte, n)| byte ^ n).collect();
    Key::new(id, &secret).expect("a key")
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_sealed_store_meets_the_contract() -> Result<(), Violations> {
    contract::check(|| async {
        let clock = Clock::manual();
        let backend = Backend::new(Memory::new().clock(clock.clone()));
        let backend = backend.sealed(&KeyRing::new(key("a")));
        Subject::new(backend.store).bus(backend.bus).clock(clock)
    })
    .await
}

#[tokio::test]
async fn a_value_counts_under_its_key_alone() {
    let inner = Arc::new(Memory::new());
    let store = Sealed::new(inner.clone() as Arc<dyn Store>, KeyRing::new(key("a")));
    store.put("mine", Put::new("secret")).await.expect("a write");
    let sealed = inner.get("mine").await.expect("a read").expect("an entry").value;
    assert!(!sealed.windows(6).any(|part| part == b"secret"));
    inner.put("yours", Put::new(sealed)).await.expect("a write");
    inner.put("plain", Put::new("secret")).await.expect("a write");
    for moved in ["yours", "plain"] {
        let error = store.get(moved).await.expect_err("not sealed for this key");
        assert!(error.is_corrupt(), "{error:?}");
    }
}

#[tokio::test]
async fn a_new_key_seals_and_the_old_one_still_opens() {
    let inner = Arc::new(Memory::new());
    let old = Sealed::new(inner.clone() as Arc<dyn Store>, KeyRing::new(key("a")));
    old.put("x", Put::new("1")).await.expect("a write");
    let keys = KeyRing::new(key("b")).accept(key("a"));
    let new = Sealed::new(inner.clone() as Arc<dyn Store>, keys);
    assert_eq!(new.get("x").await.expect("a read").expect("an entry").value, "1");
    new.put("x", Put::new("2")).await.expect("a write");
    assert!(old.get("x").await.is_err_and(|error| error.is_corrupt()));
}

#[tokio::test]
async fn a_message_that_was_not_sealed_here_counts_as_lost() {
    let inner = Arc::new(Memory::new());
    let bus = Sealed::new(inner.clone() as Arc<dyn Bus>, KeyRing::new(key("a")));
    let mut subscription = bus.subscribe("a").await.expect("a subscription");
    inner.publish("a", "forged".into()).await.expect("a message");
    assert_eq!(subscription.next().await, Some(Signal::Resync));
    bus.publish("a", "true".into()).await.expect("a message");
    assert_eq!(subscription.next().await, Some(Signal::Message("true".into())));
}
