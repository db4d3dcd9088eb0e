//! The server that the targets talk to, built once in each thread.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use aqueduct::prelude::*;
use aqueduct::server::Service;
use tokio::runtime::{Builder, Runtime};

/// A clock that runs as fast as there is nothing to do, on one thread.
pub(crate) struct World {
    pub(crate) runtime: Runtime,
    pub(crate) service: Service,
    /// How often a handler ran.
    pub(crate) ran: Arc<AtomicUsize>,
}

#[args]
struct Add {
    a: i64,
    b: Option<f64>,
    tags: Option<Vec<String>>,
}

#[args]
struct Note {
    name: String,
}

impl World {
    #[expect(clippy::expect_used, reason = "a server that is written here is in order")]
    pub(crate) fn new() -> Self {
        let runtime = Builder::new_current_thread().enable_time().start_paused(true).build();
        let ran = Arc::new(AtomicUsize::new(0));
        let service = server(&ran).build().expect("the server is in order");
        Self { runtime: runtime.expect("a runtime"), service, ran }
    }
}

fn server(ran: &Arc<AtomicUsize>) -> Server {
    let count = Arc::clone(ran);
    let add = Tool::new("add").handler(move |Args(add): Args<Add>| {
        count.fetch_add(1, Ordering::Relaxed);
        let tags = add.tags.map_or(0, |tags| tags.len());
        async move { format!("{} {:?} {tags}", add.a, add.b) }
    });
    let text = Tool::new("text").handler(|ctx: Context, Args(note): Args<Note>| async move {
        ctx.progress((1, 2));
        ctx.log(LoggingLevel::Info, &note.name);
        note.name
    });
    let note = ResourceTemplate::new("notes://{name}{?lang}", "note")
        .handler(|Args(note): Args<Note>| async move { note.name })
        .complete("name", |_: Context| async { vec!["one", "two"] });
    let plan = Prompt::new("plan")
        .argument(PromptArgument::new("what"))
        .handler(|| async { "plan" })
        .complete("what", |_: Context| async { vec!["holiday"] });
    Server::new("world", "1.0.0")
        .logging()
        .tool(add)
        .tool(text)
        .resource(Resource::new("notes://all", "all").handler(|| async { "all" }))
        .resource(note)
        .prompt(plan)
}
