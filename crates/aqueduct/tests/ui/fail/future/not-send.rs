//! Futures that hold what cannot go to another thread.

use std::rc::Rc;
use std::sync::Mutex;

use aqueduct::prelude::*;

#[tool]
async fn counted(name: String) -> String { //~ await occurs here, with `rc` maybe used later
    let rc = Rc::new(name);
    tokio::task::yield_now().await;
    rc.to_string()
}

#[tool]
async fn locked(count: State<Mutex<u8>>) -> String { //~ await occurs here, with `held` maybe used later
    let held = count.lock();
    tokio::task::yield_now().await;
    format!("{held:?}")
}

fn main() {
    let _ = list![counted, locked];
}
