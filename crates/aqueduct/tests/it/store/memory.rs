//! The store that needs nothing.

use std::sync::Arc;

use aqueduct::store::contract::{self, Faulty, Subject, Violations};
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

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_write_that_fails_is_within_the_contract() -> Result<(), Violations> {
    contract::check(|| async {
        let store = Arc::new(Faulty::new(Arc::new(Memory::new())));
        let faulty = Arc::clone(&store);
        Subject::new(store).fault(move || faulty.fail_write(1))
    })
    .await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_answer_that_is_lost_is_within_the_contract() -> Result<(), Violations> {
    contract::check(|| async {
        let store = Arc::new(Faulty::new(Arc::new(Memory::new())));
        let faulty = Arc::clone(&store);
        Subject::new(store).fault(move || faulty.lose_answer(1))
    })
    .await
}
