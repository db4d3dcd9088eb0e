//! Who is let in, over real sockets, against a provider with real keys.

mod challenge;
mod key;
mod matrix;
mod opaque;
mod scope;

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use aqueduct::auth::{Auth, Issuer, ResourceServer};
use aqueduct::prelude::*;
use aqueduct::schemars::{self, JsonSchema};
use aqueduct::server::Service;
use aqueduct::testing::idp::Idp;
use aqueduct::transport::http::ListenLimits;
use serde::Deserialize;

use super::fixture::{Fixture, Seen};
use super::peer::{Post, Response};

/// What tokens are issued for; where the test listens is another address, as behind a proxy.
const RESOURCE: &str = "https://mcp.example.com/mcp";

#[derive(Deserialize, JsonSchema)]
#[schemars(crate = "schemars")]
struct Sql {
    sql: String,
}

#[form]
struct Name {
    /// What should I call you?
    name: String,
}

#[derive(Deserialize, JsonSchema)]
#[schemars(crate = "schemars")]
struct Note {
    name: String,
}

/// Counts that a handler was entered.
fn count(entered: &Arc<AtomicUsize>) -> impl Fn() + Send + Sync + 'static + use<> {
    let entered = Arc::clone(entered);
    move || {
        entered.fetch_add(1, Ordering::SeqCst);
    }
}

fn tools(entered: &Arc<AtomicUsize>) -> Vec<Tool> {
    let [open, write, sql, deep, whoami] = std::array::from_fn(|_| count(entered));
    vec![
        Tool::new("open").handler(move || {
            open();
            async { "done" }
        }),
        Tool::new("write").scopes(["files:write", "files:audit"]).handler(move || {
            write();
            async { "written" }
        }),
        Tool::new("sql")
            .scopes_for(|query: Sql| match query.sql.starts_with("SELECT ") {
                true => vec!["db:read"],
                false => vec!["db:read", "db:write"],
            })
            .handler(move |Args(query): Args<Sql>| {
                sql();
                async move { query.sql }
            }),
        Tool::new("deep").handler(move |ctx: Context| {
            deep();
            async move { ctx.require_scopes(&["deep:dive"]).map(|()| "dived") }
        }),
        Tool::new("whoami").handler(move |ctx: Context, headers: Headers| {
            whoami();
            async move {
                let has_it = headers.0.contains_key("authorization");
                let caller =
                    ctx.principal().map(|caller| format!("{caller:?} {:?}", caller.scopes));
                format!("{} {has_it}", caller.unwrap_or_default())
            }
        }),
        Tool::new("ask_name").handler(|ctx: Context| async move {
            let who: Name = ctx.elicit("who", "Who?").await?;
            Result::<String>::Ok(who.name)
        }),
    ]
}

fn status() -> Prompt {
    let known = |ctx: Context| async move {
        let is_insider = ctx.principal().is_some_and(|one| one.has_scope("secret"));
        let known = ["apollo", "manhattan"].into_iter();
        known.take(if is_insider { 2 } else { 1 }).map(str::to_owned).collect::<Vec<_>>()
    };
    let status = Prompt::new("status").argument(PromptArgument::new("project"));
    status.complete("project", known).handler(|| async { "fine" })
}

/// A server whose every handler counts that it was entered.
fn server(entered: &Arc<AtomicUsize>) -> Service {
    let [prompt, resource, template] = std::array::from_fn(|_| count(entered));
    Server::new("protected", "1.0.0")
        .tools(tools(entered))
        .prompt(status())
        .prompt(Prompt::new("secret").scopes(["prompts:secret"]).handler(move || {
            prompt();
            async { "a secret" }
        }))
        .resource(Resource::new("notes://secret", "secret").scopes(["notes:secret"]).handler(
            move || {
                resource();
                async { "a secret" }
            },
        ))
        .resource(ResourceTemplate::new("files://{name}", "file").scopes(["files:read"]).handler(
            move |Args(note): Args<Note>| {
                template();
                async move { note.name }
            },
        ))
        .build()
        .expect("the server is sound")
}

/// A protected server at work, with who issues its tokens.
struct Door {
    idp: Idp,
    fixture: Fixture,
    entered: Arc<AtomicUsize>,
}

impl Door {
    async fn new() -> Self {
        Self::with(|server| server).await
    }

    async fn with(change: impl FnOnce(ResourceServer) -> ResourceServer) -> Self {
        let idp = Idp::start().await.expect("a provider starts");
        let auth = ResourceServer::new(RESOURCE)
            .issuer(Issuer::discover(idp.issuer()))
            .loopback_issuers()
            .key_cooldown(Duration::ZERO);
        Self::of(idp, change(auth).build().expect("it is sound")).await
    }

    async fn of(idp: Idp, auth: Auth) -> Self {
        let entered = Arc::new(AtomicUsize::new(0));
        let (service, seen) = (server(&entered), Arc::new(Seen::default()));
        let fixture = Fixture::of(service, seen, ListenLimits::new(), |http| http.auth(auth)).await;
        Self { idp, fixture, entered }
    }

    fn addr(&self) -> SocketAddr {
        self.fixture.addr
    }

    fn entered(&self) -> usize {
        self.entered.load(Ordering::SeqCst)
    }

    /// A good token with these scopes.
    fn token(&self, scopes: &str) -> String {
        self.idp.token(RESOURCE).claim("scope", scopes).sign().expect("it can be signed")
    }

    /// A call with a token.
    async fn call(&self, token: &str, message: &serde_json::Value) -> Response {
        Post::of(message).header("Authorization", &bearer(token)).ask(self.addr()).await
    }
}

fn bearer(token: &str) -> String {
    format!("Bearer {token}")
}
