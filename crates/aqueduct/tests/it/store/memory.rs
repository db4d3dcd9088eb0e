//! The store that needs nothing.

use std::sync::Arc;

use aqueduct::store::contract::{self, Subject, Violations};
use aqueduct::store::{Clock, Memory};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn memory_meets_the_contract() -> Result<(), Violations> {
    contract::check(|| async {
        let clock = Clock::manual();
        let store = Arc::new(Memory::new().clock(clock.clone()));
        let subject = Subject::new(store.clone()).bus(store.clone()).clock(clock);
        subject.peer(store.clone()).peer_bus(store)
    })
    .await
}
