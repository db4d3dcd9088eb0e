//! The store that many nodes share, against servers that the tests start, break and stop.

mod proxy;
pub(crate) mod server;

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use aqueduct::store::contract::{self, Subject, Violations};
use aqueduct::store::{Bus, Durability, Put, Redis, Scan, Signal, Store};
use bytes::Bytes;

use proxy::{Cut, Proxy};
use server::{DURABLE, Server};

/// How long a dead server may keep anybody waiting.
const SOON: Duration = Duration::from_secs(1);

/// A prefix that no other store in the server has.
fn fresh() -> String {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    format!("t{}", NEXT.fetch_add(1, Ordering::Relaxed))
}

async fn connect(url: &str) -> Arc<Redis> {
    Arc::new(Redis::connect(url).await.expect("a store"))
}

/// Two nodes on one server, and how a third comes later.
async fn nodes(server: &Server) -> Subject {
    let url = server.url(&fresh());
    let (here, there) = (connect(&url).await, connect(&url).await);
    let reopen = move || {
        let url = url.clone();
        async move { connect(&url).await as Arc<dyn Store> }
    };
    Subject::new(here.clone()).bus(here).peer(there.clone()).peer_bus(there).reopen(reopen)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn redis_meets_the_contract() -> Result<(), Violations> {
    let Some(server) = Server::start(&[]) else { return Ok(()) };
    contract::check(|| nodes(&server)).await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_node_of_a_cluster_meets_the_contract() -> Result<(), Violations> {
    let Some(server) = Server::start(&["--cluster-enabled", "yes"]) else { return Ok(()) };
    let added = server.ask("CLUSTER ADDSLOTSRANGE 0 16383");
    assert!(added.starts_with("+OK"), "{added}");
    let start = Instant::now();
    while !server.ask("CLUSTER INFO").contains("cluster_state:ok") {
        assert!(start.elapsed() < Duration::from_secs(10), "the cluster does not come up");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    contract::check(|| nodes(&server)).await
}

async fn through_a_breaking_wire(cut: Cut) -> Result<(), Violations> {
    let Some(server) = Server::start(&[]) else { return Ok(()) };
    let proxy = Arc::new(Proxy::start(server.address()).await);
    contract::check(|| async {
        let url = proxy.url(&fresh());
        let store = connect(&url).await;
        // The scripts are loaded now, so that the fault meets the write itself.
        store.put("warm", Put::new("x")).await.expect("a write");
        store.delete("warm", aqueduct::store::Expected::Any).await.expect("a delete");
        let wire = Arc::clone(&proxy);
        Subject::new(store.clone()).bus(store).fault(move || wire.arm(cut))
    })
    .await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_wire_that_breaks_in_mid_reply_is_within_the_contract() -> Result<(), Violations> {
    through_a_breaking_wire(Cut::InReply).await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_wire_that_breaks_before_the_request_is_within_the_contract() -> Result<(), Violations> {
    through_a_breaking_wire(Cut::BeforeRequest).await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_subscriber_whose_wire_broke_is_told_to_read_again() {
    let Some(server) = Server::start(&[]) else { return };
    let proxy = Proxy::start(server.address()).await;
    let prefix = fresh();
    let (here, there) = (connect(&proxy.url(&prefix)).await, connect(&server.url(&prefix)).await);
    let mut subscription = here.subscribe("a").await.expect("a subscription");
    there.publish("a", "1".into()).await.expect("a message");
    let first = Signal::Message(Bytes::from_static(b"1"));
    assert_eq!(subscription.next().await, Some(first));
    for round in 0..3 {
        proxy.cut_all();
        let resync = tokio::time::timeout(Duration::from_secs(5), subscription.next()).await;
        assert_eq!(resync.expect("a signal"), Some(Signal::Resync), "round {round}");
        there.publish("a", "2".into()).await.expect("a message");
        let message = tokio::time::timeout(SOON, subscription.next()).await.expect("a message");
        assert_eq!(message, Some(Signal::Message(Bytes::from_static(b"2"))), "round {round}");
    }
}

/// A write that must fail soon; says what failed.
async fn fails_soon(store: &Redis) -> String {
    let start = Instant::now();
    let error = store.put("late", Put::new("x")).await.expect_err("nobody is there");
    assert!(start.elapsed() < SOON, "{error} came after {:?}", start.elapsed());
    assert!(error.is_unavailable() || error.is_uncertain(), "{error:?}");
    error.to_string()
}

async fn serves_again(store: &Redis) {
    let start = Instant::now();
    while store.put("probe", Put::new("x")).await.is_err() {
        assert!(start.elapsed() < Duration::from_secs(5), "it does not serve again");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_dead_server_fails_soon_and_loses_nothing_that_was_synced() {
    let Some(mut server) = Server::start(DURABLE) else { return };
    let store = connect(&server.url("dead")).await;
    let mut versions = Vec::new();
    for round in 0..3 {
        for number in 0..20 {
            let key = format!("p/{round}/{number:02}");
            versions.push(store.put(&key, Put::new("x")).await.expect("a write"));
        }
        server.kill();
        for _ in 0..3 {
            let text = fails_soon(&store).await;
            assert!(text.contains("redis at 127.0.0.1"), "{text}");
        }
        server.restart();
        serves_again(&store).await;
        let page = store.scan(&Scan::prefix("p/")).await.expect("a page");
        let found: Vec<_> = page.entries.iter().map(|(_, entry)| entry.version).collect();
        assert_eq!(found, versions);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_that_stands_still_fails_soon() {
    let Some(server) = Server::start(&[]) else { return };
    let store = connect(&server.url("still")).await;
    store.put("a", Put::new("x")).await.expect("a write");
    server.signal("-STOP");
    for _ in 0..2 {
        fails_soon(&store).await;
    }
    let subscribed = store.subscribe("a").await;
    server.signal("-CONT");
    assert!(subscribed.is_err_and(|error| error.is_unavailable()));
    serves_again(&store).await;
    assert!(store.get("a").await.expect("a read").is_some());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_promise_is_what_the_server_is_set_to() {
    for (settings, durability) in [
        (DURABLE, Durability::Synced),
        (
            &["--appendonly", "yes", "--appendfsync", "everysec"],
            Durability::Window(Duration::from_secs(2)),
        ),
        (&["--appendonly", "yes", "--appendfsync", "no"], Durability::Chance),
        (&["--appendonly", "no"], Durability::Chance),
    ] {
        let Some(server) = Server::start(settings) else { return };
        let promise = connect(&server.url("promise")).await.promise();
        assert_eq!(promise.durability, durability, "{settings:?}");
        assert!(promise.is_shared);
    }
    let evicting = &["--maxmemory-policy", "allkeys-lru"];
    let Some(server) = Server::start(evicting) else { return };
    let promise = connect(&server.url("promise")).await.promise().to_string();
    assert!(promise.contains("set it to noeviction"), "{promise}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_cannot_be_a_store_is_refused_with_the_mend() {
    let Some(server) = Server::start(&["--requirepass", "right"]) else { return };
    for user in ["", ":wrong@"] {
        let url = format!("redis://{user}{}", server.address());
        let error = Redis::connect(&url).await.expect_err("no password");
        assert!(error.is_invalid() && error.to_string().contains("password"), "{error:?}");
        assert!(!format!("{error:?}").contains("wrong@"), "{error:?}");
    }
    let url = format!("redis://:right@{}", server.address());
    assert!(!format!("{:?}", connect(&url).await).contains("right"));
    drop(server);
    let start = Instant::now();
    let error = Redis::connect(&url).await.expect_err("nobody is there");
    assert!(error.is_unavailable() && start.elapsed() < SOON, "{error:?}");
    let Some(server) = Server::start(&["--replicaof", "127.0.0.1 1"]) else { return };
    let error = Redis::connect(&server.url("replica")).await.expect_err("a replica");
    assert!(error.is_invalid() && error.to_string().contains("name its primary"), "{error:?}");
    let error = Redis::connect("redis://").await.map(drop);
    let error =
        error.and(Redis::connect("redis://h:port").await.map(drop)).expect_err("no address");
    assert!(error.is_invalid() || error.is_unavailable(), "{error:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_full_server_says_so_and_writes_nothing_by_halves() {
    let Some(server) = Server::start(&["--maxmemory", "8mb"]) else { return };
    let store = connect(&server.url("full")).await;
    let mut kept = 0_usize;
    let error = loop {
        match store.put(&format!("p/{kept:03}"), Put::new(vec![b'x'; 500_000])).await {
            Ok(_) => kept += 1,
            Err(error) => break error,
        }
        assert!(kept < 100, "8 MB took more than 50");
    };
    assert!(error.is_full(), "{error:?}");
    assert_eq!(server.ask("ZCARD {full}:index:").trim(), format!(":{kept}"));
    assert!(store.get("p/000").await.expect("a read").is_some());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_has_expired_leaves_the_index() {
    let Some(server) = Server::start(&[]) else { return };
    let store = connect(&server.url("expiry")).await;
    for number in 0..100 {
        let put = Put::new("x").ttl(Duration::from_millis(1));
        store.put(&format!("short/{number}"), put).await.expect("a write");
    }
    tokio::time::sleep(Duration::from_millis(5)).await;
    for _ in 0..20 {
        store.put("other", Put::new("x")).await.expect("a write");
    }
    assert_eq!(server.ask("ZCARD {expiry}:index:").trim(), ":1");
    assert_eq!(server.ask("ZCARD {expiry}:expiry:").trim(), ":0");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn redis_opens_by_its_address() {
    let Some(server) = Server::start(&[]) else { return };
    for scheme in ["redis", "valkey"] {
        let address = format!("{scheme}://{}", server.address());
        let backend = aqueduct::store::open(&address).await.expect("a store");
        backend.store.put("a", Put::new("x")).await.expect("a write");
        assert!(backend.store.promise().is_shared);
    }
}
