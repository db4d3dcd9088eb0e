//! Parameters that do not come from the caller.

use aqueduct::Principal;
use aqueduct::extract::{Extract, Rejection};
use aqueduct::prelude::*;
use serde_json::{Value, json};

use super::{client, listed, of_tools, only, said};

struct Db(&'static str);
struct Clock(u8);

/// An extractor of the application's own.
struct Caller(String);

impl Extract for Caller {
    fn extract(ctx: &Context) -> Result<Self, Rejection> {
        let name = ctx.principal().map_or("nobody", |principal| principal.subject.as_str());
        Ok(Self(name.to_owned()))
    }
}

#[tool]
async fn all(
    ctx: Context,
    lent: &Context,
    first: String,
    State(db): State<Db>,
    clock: &State<Clock>,
    headers: Headers,
    principal: Option<Principal>,
    extension: Option<Extension<u8>>,
    #[extract] Caller(caller): Caller,
    _: State<Clock>,
    second: u8,
) -> String {
    assert_eq!(ctx.request().id(), lent.request().id());
    let subject = principal.map(|principal| principal.subject);
    format!(
        "{first} {second} {} {} {} {subject:?} {extension:?} {caller}",
        db.0,
        clock.0.0,
        headers.0.len()
    )
}

#[tokio::test]
async fn extractors_are_no_arguments() {
    let server = || Server::new("test", "1").state(Db("db")).state(Clock(7)).tools(list![all]);
    let test = client(server());
    assert_eq!(
        said(&test, "all", json!({ "first": "a", "second": 2 })).await,
        "a 2 db 7 0 None None nobody"
    );
    let test = test.principal(Principal::new("https://issuer.example", "alice"));
    assert_eq!(
        said(&test, "all", json!({ "first": "a", "second": 2 })).await,
        r#"a 2 db 7 0 Some("alice") None alice"#
    );
    let answer = test.request("tools/list", json!({})).await.unwrap();
    let schema = &answer.result["tools"][0]["inputSchema"];
    assert_eq!(schema["required"], json!(["first", "second"]));
    assert_eq!(schema["properties"].as_object().unwrap().len(), 2);
}

#[test]
fn a_lack_of_state_is_told_when_the_server_is_built() {
    let lacking = Server::new("test", "1").state(Db("db")).tools(list![all]).build().unwrap_err();
    assert!(lacking.to_string().contains("Clock"), "{lacking}");
}

#[args]
struct Pair {
    left: u8,
    right: u8,
}

#[tool]
async fn whole(Args(pair): Args<Pair>, clock: State<Clock>) -> String {
    format!("{} {}", pair.left + pair.right, clock.0.0)
}

#[tokio::test]
async fn all_arguments_may_be_taken_at_once() {
    let test = client(Server::new("test", "1").state(Clock(1)).tools(list![whole]));
    assert_eq!(said(&test, "whole", json!({ "left": 1, "right": 2 })).await, "3 1");
}

/// A type of the application's own that happens to be called like an extractor.
mod own {
    use aqueduct::prelude::*;

    #[args]
    pub(super) struct Context {
        pub(super) depth: u8,
    }
}

#[tool]
async fn called_alike(#[arg] context: own::Context) -> String {
    context.depth.to_string()
}

#[tokio::test]
async fn a_type_that_is_called_like_an_extractor_can_be_an_argument() {
    let schema = listed(only(list![called_alike])).await["inputSchema"].take();
    assert_ne!(schema["properties"]["context"], Value::Null);
    let test = of_tools(list![called_alike]);
    assert_eq!(said(&test, "called_alike", json!({ "context": { "depth": 3 } })).await, "3");
}

#[tool]
async fn crowded(
    a: State<Db>,
    b: State<Db>,
    c: State<Db>,
    d: State<Db>,
    e: State<Db>,
    f: State<Db>,
    g: State<Db>,
    h: State<Db>,
    i: State<Db>,
    j: String,
) -> String {
    let states = [a, b, c, d, e, f, g, h, i];
    format!("{} {} {j}", states.len(), states[0].0.0)
}

#[tokio::test]
async fn there_is_no_limit_to_how_many() {
    let test = client(Server::new("test", "1").state(Db("db")).tools(list![crowded]));
    assert_eq!(said(&test, "crowded", json!({ "j": "x" })).await, "9 db x");
}
