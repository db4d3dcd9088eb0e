//! What a caller is told about a call that could not be served.

use aqueduct::Server;
use aqueduct::http::{Request, header};
use aqueduct::prelude::*;
use serde_json::{Value, json};

use crate::cases::peer::{META, Peer, on_each, stateless};

#[args]
struct Place {
    city: String,
    #[arg(default)]
    floor: i64,
}

/// Where something is.
#[tool]
async fn place(at: Place, n: Option<i64>) -> String {
    format!("{} {} {n:?}", at.city, at.floor)
}

/// Review some code.
#[prompt]
async fn review(code: String, lines: u32, strict: bool) -> String {
    format!("{code} {lines} {strict}")
}

/// The readme.
#[resource("file:///readme.txt")]
async fn readme() -> &'static str {
    "Read me"
}

fn server() -> Server {
    let hidden = Tool::new("plaza").visible_to(|_| false).handler(|| async { "hidden" });
    Server::new("messages", "1")
        .tools(list![place])
        .tool(hidden)
        .prompts(list![review])
        .resources(list![readme])
}

#[tokio::test]
async fn an_unknown_name_is_told_with_the_one_that_was_meant_among_those_that_are_seen() {
    on_each(server, async |peer: &mut Peer| {
        let said = peer.call("Place", json!({})).await;
        let message = &said.is_error(-32602, 200)["message"];
        assert_eq!(message, r#"no tool "Place"; did you mean "place"?"#);
        // Nearer to what is hidden, which is not named.
        let said = peer.call("plazas", json!({})).await;
        let message = said.is_error(-32602, 200)["message"].as_str().unwrap().to_owned();
        assert!(!message.contains("\"plaza\""), "{message}");
        let said = peer.call("zzz", json!({})).await;
        assert_eq!(said.is_error(-32602, 200)["message"], r#"no tool "zzz""#);
        let said = peer.request("prompts/get", json!({ "name": "reveiw" })).await;
        let message = &said.is_error(-32602, 200)["message"];
        assert_eq!(message, r#"no prompt "reveiw"; did you mean "review"?"#);
        let uri = "file:///readme.md";
        let said = peer.request("resources/read", json!({ "uri": uri })).await;
        let error = said.is_error(-32602, 200);
        assert_eq!(error["message"], r#"resource not found; did you mean "file:///readme.txt"?"#);
        assert_eq!(error["data"], json!({ "uri": uri }));
    })
    .await;
}

#[tokio::test]
async fn all_that_is_wrong_with_the_arguments_of_a_prompt_is_told_at_once() {
    on_each(server, async |peer: &mut Peer| {
        let get = |arguments: Value| json!({ "name": "review", "arguments": arguments });
        let said = peer.request("prompts/get", get(json!({ "cod": "x", "lines": "1" }))).await;
        assert_eq!(
            said.is_error(-32602, 400)["message"],
            "prompt \"review\": 3 problems\n\
             - takes no argument \"cod\"; did you mean \"code\"?\n\
             - needs the argument \"code\"\n\
             - needs the argument \"strict\""
        );
        let wrong = json!({ "code": "x", "lines": "many", "strict": "very" });
        let said = peer.request("prompts/get", get(wrong)).await;
        assert_eq!(
            said.is_error(-32602, 400)["message"],
            "prompt \"review\": 2 problems\n\
             - takes for the argument \"lines\" integers, not \"many\"\n\
             - takes for the argument \"strict\" booleans, not \"very\""
        );
    })
    .await;
}

#[tokio::test]
async fn a_number_that_is_too_large_is_named_with_its_place() {
    on_each(server, async |peer: &mut Peer| {
        let at = json!({ "city": "x", "floor": 9_223_372_036_854_775_808_u64 });
        let said = peer.call("place", json!({ "at": at })).await;
        assert_eq!(
            said.failure(),
            "place: 1 problem\n- /at/floor: 9223372036854775808 is out of range"
        );
    })
    .await;
}

#[tokio::test]
async fn a_list_is_not_taken_for_a_struct() {
    on_each(server, async |peer: &mut Peer| {
        let said = peer.call("place", json!({ "at": ["x", 1] })).await;
        assert!(said.failure().contains("/at: expected an object"), "{}", said.answer);
        let said = peer.call("place", json!({ "at": { "city": "[x]" } })).await;
        assert_eq!(said.text(), "[x] 0 None");
    })
    .await;
}

#[form]
struct Booking {
    /// How long?
    #[arg(range = 1..=30)]
    nights: i64,
}

fn asking() -> Server {
    Server::new("asking", "1").tool(Tool::new("book").handler(|ctx: Context| async move {
        let booking: Booking = ctx.elicit("booking", "How many nights?").await?;
        Ok::<_, ToolError>(booking.nights.to_string())
    }))
}

#[tokio::test]
async fn a_form_that_is_asked_again_says_why() {
    stateless(asking, async |peer: &mut Peer| {
        let meta = META.replace(
            "clientCapabilities\":{}",
            "clientCapabilities\":{\"elicitation\":{}}",
        );
        let call = |rest: &str| {
            format!(
                r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{"name":"book","arguments":{{}},{meta}{rest}}}}}"#
            )
        };
        let asked = |said: &crate::cases::peer::Said| {
            said.result()["inputRequests"]["booking"]["params"]["message"].clone()
        };
        let first = peer.send(&call("")).await;
        assert_eq!(asked(&first), "How many nights?");
        let state = first.result()["requestState"].to_string();
        let answer = r#"{"booking":{"action":"accept","content":{"nights":99}}}"#;
        let rest = format!(r#","requestState":{state},"inputResponses":{answer}"#);
        let again = asked(&peer.send(&call(&rest)).await);
        let again = again.as_str().unwrap();
        assert!(again.starts_with("How many nights?\n\n"), "{again}");
        assert!(again.contains("/nights") && again.contains("30"), "{again}");
    })
    .await;
}

#[tokio::test]
async fn a_host_that_is_refused_says_which_are_served_and_how_to_allow_it() {
    use http_body_util::BodyExt as _;
    use tower_service::Service as _;

    let mut http = server().build().unwrap().into_http();
    let request = Request::post("/mcp").header(header::HOST, "evil.example");
    let body = http_body_util::Full::new(bytes::Bytes::new());
    let response = http.call(request.body(body).unwrap()).await.unwrap();
    assert_eq!(response.status(), 403);
    let body = response.into_body().collect().await.unwrap().to_bytes();
    let body: Value = serde_json::from_slice(&body).unwrap();
    let message = body["error"]["message"].as_str().unwrap();
    assert!(message.contains("names of this machine"), "{message}");
    assert!(message.contains("HttpService::allow_host"), "{message}");
}
