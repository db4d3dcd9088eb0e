//! The server that the tests talk to.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use aqueduct::prelude::*;
use aqueduct::schemars::{self, JsonSchema};
use aqueduct::server::Service;
use aqueduct::subscription::Notifier;
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

/// Tools that answer at once.
fn quick(seen: &Arc<Seen>) -> Vec<Tool> {
    let danger = Arc::clone(seen);
    vec![
        Tool::new("echo").handler(|Args(echo): Args<Echo>| async move { echo.text }),
        Tool::new("danger").handler(move || {
            danger.ran.fetch_add(1, Ordering::SeqCst);
            async { "done" }
        }),
        Tool::new("large").handler(|Args(size): Args<Size>| async move { "x".repeat(size.bytes) }),
        Tool::new("panics").handler(|ctx: Context| async move {
            assert!(ctx.is_cancelled(), "on purpose");
            "lived"
        }),
        Tool::new("changes").handler(|ctx: Context| async move {
            ctx.notify().tools_changed();
            ctx.notify().resource_updated("notes://welcome");
            "changed"
        }),
        Tool::new("region_query")
            .input_schema(json!({
                "type": "object",
                "properties": {
                    "region": { "type": "string", "x-mcp-header": "Region" },
                    "limit": { "type": "integer", "x-mcp-header": "Limit" },
                    "all": { "type": "boolean", "x-mcp-header": "All" },
                },
            }))
            .handler(|Args(query): Args<serde_json::Value>| async move { query.to_string() }),
    ]
}

/// Tools that say something before they answer, or take their time.
fn slow(seen: &Arc<Seen>) -> Vec<Tool> {
    let (wait, flood) = (Arc::clone(seen), Arc::clone(seen));
    vec![
        // Waits for the test; reports a first step to who asks for progress.
        Tool::new("wait").handler(move |ctx: Context| {
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
        // Says more than any buffer on the way holds, then waits for the test.
        Tool::new("flood").handler(move |ctx: Context| {
            let seen = Arc::clone(&flood);
            async move {
                let watch = Watch::new(&seen);
                let text = "x".repeat(128 * 1024);
                for _ in 0..90 {
                    ctx.log(LoggingLevel::Info, &text);
                    tokio::task::yield_now().await;
                }
                seen.go.notified().await;
                watch.end();
                "flood"
            }
        }),
    ]
}

/// A server with all that the tests need.
pub(super) fn service(seen: &Arc<Seen>) -> Service {
    server(seen).build().expect("the fixture is sound")
}

/// The same before it is built.
pub(super) fn server(seen: &Arc<Seen>) -> Server {
    Server::new("fixture", "1.0.0")
        .logging()
        .tools(quick(seen))
        .tools(slow(seen))
        .resource(Resource::new("notes://welcome", "welcome").handler(|| async { "Welcome" }))
        .resource(
            ResourceTemplate::new("notes://{name}", "note")
                .handler(|Args(note): Args<Note>| async move { note.name }),
        )
}

/// A listener at work on a free port of this machine.
pub(super) struct Fixture {
    pub(super) addr: SocketAddr,
    pub(super) seen: Arc<Seen>,
    pub(super) notifier: Notifier,
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
        let service = service(&seen);
        Self::of(service, seen, limits, change).await
    }

    /// Of a server of the test's own.
    pub(super) async fn of(
        service: Service,
        seen: Arc<Seen>,
        limits: ListenLimits,
        change: impl FnOnce(HttpService<Service>) -> HttpService<Service>,
    ) -> Self {
        let notifier = service.notifier();
        let http = change(service.into_http());
        let listener = Listener::bind("127.0.0.1:0").await.expect("a port is free").limits(limits);
        let addr = listener.local_addr().expect("the port is known");
        let (stop, stopped) = oneshot::channel();
        let stopped = async {
            stopped.await.expect("the fixture outlives its server");
        };
        let task = tokio::spawn(listener.serve_until(http, stopped));
        Self { addr, seen, notifier, stop: Some(stop), task }
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

    /// Drops the listener in the middle of its work.
    pub(super) fn abort(self) -> Arc<Seen> {
        self.task.abort();
        self.seen
    }

    /// Waits for the listener's end.
    pub(super) async fn ended(self) {
        let ended = tokio::time::timeout(PATIENCE, self.task).await.expect("it ends");
        ended.expect("it did not panic").expect("it did not fail");
    }
}
