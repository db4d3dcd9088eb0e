//! The server that the tests talk to.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use aqueduct::prelude::*;
use aqueduct::schemars::{self, JsonSchema};
use aqueduct::server::Service;
use aqueduct::transport::http::{HttpService, ListenLimits, Listener};
use serde::Deserialize;
use serde_json::json;
use tokio::sync::{Notify, oneshot};
use tokio::task::JoinHandle;

use super::peer::{PATIENCE, Post, Response};

/// All levels, the least first.
pub(super) const LEVELS: [LoggingLevel; 8] = [
    LoggingLevel::Debug,
    LoggingLevel::Info,
    LoggingLevel::Notice,
    LoggingLevel::Warning,
    LoggingLevel::Error,
    LoggingLevel::Critical,
    LoggingLevel::Alert,
    LoggingLevel::Emergency,
];

/// What the handlers have seen.
#[derive(Debug, Default)]
pub(super) struct Seen {
    pub(super) ran: AtomicUsize,
    pub(super) started: Counter,
    pub(super) dropped: Counter,
    /// Lets the tools that wait for it go on.
    pub(super) go: Notify,
}

/// A number that can be waited for.
#[derive(Debug, Default)]
pub(super) struct Counter {
    count: AtomicUsize,
    changed: Notify,
}

impl Counter {
    fn add(&self) {
        self.count.fetch_add(1, Ordering::SeqCst);
        self.changed.notify_waiters();
    }

    pub(super) fn get(&self) -> usize {
        self.count.load(Ordering::SeqCst)
    }

    /// Waits until it is this much.
    pub(super) async fn reaches(&self, count: usize) {
        let reached = async {
            loop {
                let changed = self.changed.notified();
                if self.get() >= count {
                    return;
                }
                changed.await;
            }
        };
        let reached = tokio::time::timeout(PATIENCE, reached).await;
        assert!(reached.is_ok(), "{} instead of {count}", self.get());
    }
}

/// Notes that a handler was dropped before its end.
struct Watch(Option<Arc<Seen>>);

impl Watch {
    fn new(seen: &Arc<Seen>) -> Self {
        seen.started.add();
        Self(Some(Arc::clone(seen)))
    }

    fn end(mut self) {
        self.0 = None;
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        if let Some(seen) = &self.0 {
            seen.dropped.add();
        }
    }
}

#[derive(Deserialize, JsonSchema)]
#[schemars(crate = "schemars")]
struct Echo {
    text: String,
}

#[derive(Deserialize, JsonSchema)]
#[schemars(crate = "schemars")]
struct Size {
    bytes: usize,
}

#[derive(Deserialize, JsonSchema)]
#[schemars(crate = "schemars")]
struct Note {
    name: String,
}

fn tools(seen: &Arc<Seen>) -> Vec<Tool> {
    let danger = Arc::clone(seen);
    let wait = Arc::clone(seen);
    let steps = Arc::clone(seen);
    vec![
        Tool::new("echo").handler(|Args(echo): Args<Echo>| async move { echo.text }),
        Tool::new("danger").handler(move || {
            danger.ran.fetch_add(1, Ordering::SeqCst);
            async { "done" }
        }),
        // Waits for the test; reports a first step to who asks for progress.
        Tool::new("wait").timeout(Duration::from_secs(60)).handler(move |ctx: Context| {
            let seen = Arc::clone(&wait);
            async move {
                let watch = Watch::new(&seen);
                ctx.progress(1);
                seen.go.notified().await;
                watch.end();
                "waited"
            }
        }),
        Tool::new("burst").handler(|ctx: Context| async move {
            for step in 1..=50 {
                ctx.progress((step, 50));
                tokio::task::yield_now().await;
            }
            "burst"
        }),
        Tool::new("noisy").handler(|ctx: Context| async move {
            for step in 1..=3 {
                ctx.progress(step);
            }
            for level in LEVELS {
                ctx.log(level, "words");
            }
            "noisy"
        }),
        // Reports as fast as it is read.
        Tool::new("flood").timeout(Duration::from_secs(60)).handler(move |ctx: Context| {
            let seen = Arc::clone(&steps);
            async move {
                let _watch = Watch::new(&seen);
                let text = "x".repeat(1024);
                for _ in 0u64.. {
                    ctx.log(LoggingLevel::Info, &text);
                    tokio::task::yield_now().await;
                }
            }
        }),
        Tool::new("large").handler(|Args(size): Args<Size>| async move { "x".repeat(size.bytes) }),
        Tool::new("panics").handler(|| async {
            let broken: Option<&str> = None;
            broken.expect("the tool panics on purpose")
        }),
        Tool::new("region_query")
            .input_schema(json!({
                "type": "object",
                "properties": {
                    "region": { "type": ["string", "null"], "x-mcp-header": "Region" },
                    "limit": { "type": "integer", "x-mcp-header": "Limit" },
                    "all": { "type": "boolean", "x-mcp-header": "All" },
                },
            }))
            .handler(|Args(query): Args<serde_json::Value>| async move { query.to_string() }),
    ]
}

/// A server with all that the tests need.
pub(super) fn service(seen: &Arc<Seen>) -> Service {
    Server::new("fixture", "1.0.0")
        .logging()
        .tools(tools(seen))
        .resource(Resource::new("notes://welcome", "welcome").handler(|| async { "Welcome" }))
        .resource(
            ResourceTemplate::new("notes://{name}", "note")
                .handler(|Args(note): Args<Note>| async move { note.name }),
        )
        .build()
        .expect("the fixture is sound")
}

/// A listener at work on a free port of this machine.
pub(super) struct Fixture {
    pub(super) addr: SocketAddr,
    pub(super) seen: Arc<Seen>,
    stop: Option<oneshot::Sender<()>>,
    task: JoinHandle<std::io::Result<()>>,
}

impl Fixture {
    /// With the limits that a listener has by itself.
    pub(super) async fn new() -> Self {
        Self::with(ListenLimits::new(), |http| http).await
    }

    pub(super) async fn with(
        limits: ListenLimits,
        change: impl FnOnce(HttpService<Service>) -> HttpService<Service>,
    ) -> Self {
        let seen = Arc::new(Seen::default());
        let http = change(service(&seen).into_http());
        let listener = Listener::bind("127.0.0.1:0").await.expect("a port is free").limits(limits);
        let addr = listener.local_addr().expect("the port is known");
        let (stop, stopped) = oneshot::channel();
        let stopped = async {
            stopped.await.expect("the fixture outlives its server");
        };
        let task = tokio::spawn(listener.serve_until(http, stopped));
        Self { addr, seen, stop: Some(stop), task }
    }

    pub(super) async fn ask(&self, message: &serde_json::Value) -> Response {
        Post::of(message).ask(self.addr).await
    }

    pub(super) fn ran(&self) -> usize {
        self.seen.ran.load(Ordering::SeqCst)
    }

    /// Asks the listener to end.
    pub(super) fn stop(&mut self) {
        let stop = self.stop.take().expect("it was not asked before");
        stop.send(()).expect("it runs");
    }

    /// Waits for the listener's end.
    pub(super) async fn ended(self) {
        let ended = tokio::time::timeout(PATIENCE, self.task).await.expect("it ends");
        ended.expect("it did not panic").expect("it did not fail");
    }
}
