//! Questions in mid-call: who may be asked, what the answer must bring back, what is asked again.

use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use aqueduct::prelude::*;
use aqueduct::testing::TestClient;
use aqueduct::{Principal, Server};
use serde_json::{Value, json};

use super::peer::{Peer, Said, request, stateless};

#[form]
struct Name {
    /// What should I call you?
    name: String,
}

/// How often the work in `once` was done.
#[derive(Default)]
struct Charged {
    times: AtomicU32,
}

/// Ask for a name, charge once, ask for more
#[tool]
async fn ask_twice(ctx: Context, charged: State<Charged>) -> Result<String> {
    let first: Name = ctx.elicit("who", "Who?").await?;
    let receipt = ctx
        .once("charge", async || Ok::<_, Error>(charged.times.fetch_add(1, Ordering::SeqCst) + 1))
        .await?;
    let second: Name = ctx.elicit("whom", "Whom?").await?;
    Ok(format!("{} and {}, receipt {receipt}", first.name, second.name))
}

/// Ask for a name
#[tool]
async fn ask_name(greeting: Option<String>, ctx: Context) -> Result<String> {
    let who: Name = ctx.elicit("who", "Who?").await?;
    Ok(format!("{} {}", greeting.unwrap_or_default(), who.name))
}

/// Ask for a name under another
#[tool]
async fn ask_else(greeting: Option<String>, ctx: Context) -> Result<String> {
    ask_name(greeting, ctx).await
}

fn asking() -> Server {
    Server::new("asking", "1").state(Charged::default()).tools(list![ask_name, ask_else, ask_twice])
}

/// A call of a client that can be asked by a form.
fn call(tool: &str, arguments: Value, more: Value) -> Value {
    let capabilities = json!({ "elicitation": {} });
    let mut params = json!({
        "name": tool,
        "_meta": { "io.modelcontextprotocol/clientCapabilities": capabilities },
    });
    params["arguments"] = arguments;
    let Value::Object(more) = more else { panic!("no object: {more}") };
    for (key, value) in more {
        params[key] = value;
    }
    params
}

fn accepted(name: Value) -> Value {
    let mut accepted = json!({ "action": "accept", "content": {} });
    accepted["content"]["name"] = name;
    accepted
}

/// The state of a result that asks, and the keys of its questions.
#[track_caller]
fn asked(said: &Said) -> (String, Vec<String>) {
    let result = said.result();
    assert_eq!(result["resultType"], "input_required", "{}", said.answer);
    // CACHE-04: nothing of a question may be kept.
    assert!(result.get("ttlMs").is_none() && result.get("cacheScope").is_none());
    let keys = result["inputRequests"].as_object().unwrap().keys().cloned().collect();
    (result["requestState"].as_str().unwrap().to_owned(), keys)
}

/// BASE-13, MRTR-01, MRTR-05, MRTR-06, ELI-04, HTTP-09, STDIO-04: nobody is asked who did not
/// declare that he can be.
#[tokio::test]
async fn b71_a_question_needs_its_capability() {
    stateless(asking, async |peer: &mut Peer| {
        for capabilities in
            [json!({}), json!({ "elicitation": { "url": {} } }), json!({ "sampling": {} })]
        {
            let meta = json!({ "io.modelcontextprotocol/clientCapabilities": capabilities });
            let params = json!({ "name": "ask_name", "_meta": meta });
            let said = peer.request("tools/call", params).await;
            let error = said.is_error(-32021, 400);
            assert!(error["data"]["requiredCapabilities"]["elicitation"].is_object(), "{error}");
        }
        for capabilities in [json!({ "elicitation": {} }), json!({ "elicitation": { "form": {} } })]
        {
            let meta = json!({ "io.modelcontextprotocol/clientCapabilities": capabilities });
            let params = json!({ "name": "ask_name", "_meta": meta });
            let said = peer.request("tools/call", params).await;
            assert_eq!(asked(&said).1, ["who"]);
        }
    })
    .await;
}

/// MRTR-07, MRTR-08: a state is good for the call that it was made for, and for no other.
#[tokio::test]
async fn b71_a_state_that_was_altered_or_is_another_s_is_refused() {
    stateless(asking, async |peer: &mut Peer| {
        let first = peer.request("tools/call", call("ask_name", json!({}), json!({}))).await;
        let (state, _) = asked(&first);
        let responses = json!({ "who": accepted(json!("Ann")) });
        let retry = |state: Value| json!({ "inputResponses": responses, "requestState": state });

        let mut wrong = vec![format!("{state}-TAMPERED"), format!("{state}="), String::new()];
        for place in [0, state.len() / 2, state.len() - 1] {
            let mut bytes = state.clone().into_bytes();
            bytes[place] = if bytes[place] == b'A' { b'B' } else { b'A' };
            wrong.push(String::from_utf8(bytes).unwrap());
        }
        for state in wrong {
            let params = call("ask_name", json!({}), retry(json!(state)));
            peer.request("tools/call", params).await.is_error(-32602, 400);
        }
        for state in [json!(7), json!(null), json!({})] {
            let params = call("ask_name", json!({}), retry(state));
            peer.request("tools/call", params).await.is_error(-32602, 400);
        }
        for (tool, arguments) in
            [("ask_else", json!({})), ("ask_name", json!({ "greeting": "Hi" }))]
        {
            let params = call(tool, arguments, retry(json!(state)));
            peer.request("tools/call", params).await.is_error(-32602, 400);
        }
        // A method that cannot ask does not look at it.
        let list = json!({ "requestState": "garbage", "inputResponses": 7 });
        assert!(peer.request("tools/list", list).await.result()["tools"].is_array());

        let params = call("ask_name", json!({}), retry(json!(state)));
        assert_eq!(peer.request("tools/call", params).await.text(), " Ann");
    })
    .await;
}

/// MRTR-08: a state is good for as long as a client may take to answer, and then it is refused like
/// any other that is none.
#[tokio::test]
async fn b71_a_state_after_its_time_is_refused() {
    let hasty = || asking().answer_time(Duration::from_millis(1));
    stateless(hasty, async |peer: &mut Peer| {
        let first = peer.request("tools/call", call("ask_twice", json!({}), json!({}))).await;
        let (state, _) = asked(&first);
        tokio::time::sleep(Duration::from_millis(5)).await;
        let responses = json!({ "who": accepted(json!("Ann")) });
        let more = json!({ "inputResponses": responses, "requestState": state });
        let said = peer.request("tools/call", call("ask_twice", json!({}), more)).await;
        said.is_error(-32602, 400);
    })
    .await;
}

/// MRTR-08, ELI-07: a state is good for the caller that it was made for.
#[tokio::test]
async fn b71_a_state_of_another_caller_is_refused() {
    let service = asking().build().unwrap();
    let caller = |name: &str| {
        TestClient::of(service.clone()).principal(Principal::new("https://issuer.example", name))
    };
    let send = async |client: &TestClient, more: Value| {
        let text = request("1", "tools/call", call("ask_name", json!({}), more));
        let answer = client.send(text).await.answer.unwrap();
        serde_json::from_str::<Value>(&answer).unwrap()
    };
    let (alice, bob) = (caller("alice"), caller("bob"));
    let first = send(&alice, json!({})).await;
    let retry = json!({
        "requestState": first["result"]["requestState"],
        "inputResponses": { "who": accepted(json!("Ann")) },
    });
    assert_eq!(send(&bob, retry.clone()).await["error"]["code"], -32602);
    assert_eq!(send(&alice, retry).await["result"]["content"][0]["text"], " Ann");
}

/// MRTR-12, MRTR-13, MRTR-14, ELI-05, ELI-06: an answer that does not fit is asked for again, and
/// what answers nothing asked is ignored.
#[tokio::test]
async fn an_answer_that_does_not_fit_is_asked_for_again() {
    stateless(asking, async |peer: &mut Peer| {
        let first = peer.request("tools/call", call("ask_name", json!({}), json!({}))).await;
        let (state, _) = asked(&first);
        for responses in [
            json!({}),
            json!(null),
            json!([]),
            json!("x"),
            json!({ "who": 12345 }),
            json!({ "who": null }),
            json!({ "who": {} }),
            json!({ "who": { "action": "accept" } }),
            json!({ "who": { "action": "shrug", "content": { "name": "Ann" } } }),
            json!({ "who": accepted(json!(7)) }),
            json!({ "whom": accepted(json!("Ann")) }),
        ] {
            let more = json!({ "inputResponses": responses, "requestState": state });
            let said = peer.request("tools/call", call("ask_name", json!({}), more)).await;
            assert_eq!(asked(&said).1, ["who"], "{responses}");
        }
        let responses = json!({ "who": accepted(json!("Ann")), "junk": 1, "more": [] });
        let more = json!({ "inputResponses": responses, "requestState": state });
        let said = peer.request("tools/call", call("ask_name", json!({}), more)).await;
        assert_eq!(said.text(), " Ann");

        for action in ["decline", "cancel"] {
            let responses = json!({ "who": { "action": action } });
            let more = json!({ "inputResponses": responses, "requestState": state });
            let said = peer.request("tools/call", call("ask_name", json!({}), more)).await;
            assert!(said.failure().contains(action), "{}", said.answer);
        }
    })
    .await;
}

/// MRTR-11: what stands in `once` is done once in all rounds, and an answer need not be given
/// twice.
#[tokio::test]
async fn what_is_to_be_done_once_is_done_once_in_all_rounds() {
    stateless(asking, async |peer: &mut Peer| {
        let tool = "ask_twice";
        let first = peer.request("tools/call", call(tool, json!({}), json!({}))).await;
        let (one, keys) = asked(&first);
        assert_eq!(keys, ["who"]);
        let more = json!({
            "requestState": one, "inputResponses": { "who": accepted(json!("Ann")) },
        });
        let second = peer.request("tools/call", call(tool, json!({}), more)).await;
        let (two, keys) = asked(&second);
        assert_eq!(keys, ["whom"]);
        assert_ne!(one, two);
        // Asked again with a bad answer, then with a good one: nothing is done anew.
        let more = json!({ "requestState": two, "inputResponses": { "whom": 7 } });
        let third = peer.request("tools/call", call(tool, json!({}), more)).await;
        let (three, keys) = asked(&third);
        assert_eq!(keys, ["whom"]);
        let more = json!({
            "requestState": three, "inputResponses": { "whom": accepted(json!("Bob")) },
        });
        let last = peer.request("tools/call", call(tool, json!({}), more)).await;
        assert_eq!(last.text(), "Ann and Bob, receipt 1");
    })
    .await;
}

/// BASE-09, BASE-10, MRTR-11: what spans requests is named by what the client passes, so a round
/// may be played against another connection, or another process with the same keys.
#[tokio::test]
async fn a_round_goes_on_where_the_keys_are_the_same() {
    let text = "1:AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";
    let server = || asking().keys(aqueduct::seal::KeyRing::parse(text).unwrap());
    let mut here = Peer::memory(server().build().unwrap());
    let mut there = Peer::lines(server().build().unwrap());
    let mut stranger = Peer::memory(asking().build().unwrap());
    let first = here.request("tools/call", call("ask_name", json!({}), json!({}))).await;
    let (state, _) = asked(&first);
    let more = json!({
        "requestState": state, "inputResponses": { "who": accepted(json!("Ann")) },
    });
    let params = call("ask_name", json!({}), more);
    assert_eq!(there.request("tools/call", params.clone()).await.text(), " Ann");
    stranger.request("tools/call", params).await.is_error(-32602, 400);
    there.end().await;
}

/// RES-07, PRM-05, CACHE-04, CACHE-05, MRTR-15: resources and prompts ask too; a question has no
/// cache hints, and what is read after it has them.
#[tokio::test]
async fn a_resource_and_a_prompt_ask_too() {
    let server = || {
        let ask = |ctx: Context| async move {
            let who: Name = ctx.elicit("who", "Who?").await?;
            Ok::<_, ToolError>(who.name)
        };
        Server::new("asking", "1")
            .resource(Resource::new("a://who", "who").handler(ask))
            .prompt(Prompt::new("who").handler(ask))
    };
    stateless(server, async |peer: &mut Peer| {
        for (method, target) in [
            ("resources/read", json!({ "uri": "a://who" })),
            ("prompts/get", json!({ "name": "who" })),
        ] {
            let capabilities = json!({ "elicitation": {} });
            let mut params = target;
            params["_meta"]["io.modelcontextprotocol/clientCapabilities"] = capabilities;
            let (state, keys) = asked(&peer.request(method, params.clone()).await);
            assert_eq!(keys, ["who"]);
            params["requestState"] = json!(state);
            params["inputResponses"] = json!({ "who": accepted(json!("Ann")) });
            let said = peer.request(method, params.clone()).await;
            assert_eq!(said.result()["resultType"], "complete");
            if method == "resources/read" {
                assert_eq!(said.result()["contents"][0]["text"], "Ann");
                assert_eq!(said.result()["ttlMs"], 0);
                assert_eq!(said.result()["cacheScope"], "private");
            } else {
                assert_eq!(said.result()["messages"][0]["content"]["text"], "Ann");
                assert!(said.result().get("ttlMs").is_none());
            }
            params["requestState"] = json!("garbage");
            peer.request(method, params).await.is_error(-32602, 400);
        }
    })
    .await;
}
