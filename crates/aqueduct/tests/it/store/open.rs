//! Stores by their address, and what is said when there is none.

use aqueduct::store::{self, Durability};

#[tokio::test]
async fn memory_opens_by_its_address() {
    let backend = store::open("memory:").await.expect("a store");
    assert_eq!(backend.store.promise().durability, Durability::Process);
}

#[tokio::test]
async fn an_address_that_is_none_gets_the_mend_and_is_not_repeated() {
    for (address, mend) in [
        ("memory", "write memory: or redb:PATH or redis://HOST:PORT"),
        ("postgres://user:hunter2@host", "no store \"postgres\"; write memory: or"),
        ("memory:x", "write memory: alone"),
        ("redb:", "write redb:PATH"),
        ("rediss://user:hunter2@host", "write redis:// and let a tunnel"),
    ] {
        let error = store::open(address).await.expect_err(address);
        assert!(error.is_invalid(), "{error:?}");
        assert!(error.to_string().contains(mend), "{error}");
        assert!(!format!("{error:?}").contains("hunter2"), "{error:?}");
    }
}
