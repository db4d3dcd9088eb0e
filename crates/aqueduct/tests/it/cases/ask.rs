//! Ways of asking the client: which of them he has declared, and what may be asked in each.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use aqueduct::Server;
use aqueduct::input::{Answer, InputRequired, Question};
use aqueduct::prelude::*;
use aqueduct::protocol::roots::Root;
use aqueduct::protocol::sampling::{CreateMessageRequestParams, SamplingMessage, ToolChoice};
use aqueduct::store::{Memory, Scan, Store};
use serde_json::{Value, json};

use super::peer::{Lines, Peer, Said, request, stateless};

const CAPABILITIES: &str = "io.modelcontextprotocol/clientCapabilities";
const PAGE: &str = "https://sign.example/contract";

#[form]
struct Name {
    name: String,
}

/// What the model is to say something to.
fn prompt() -> CreateMessageRequestParams {
    CreateMessageRequestParams::new(vec![SamplingMessage::user("Say a word.")], 16)
}

/// A tool for each way of asking.
fn asking() -> Server {
    Server::new("asking", "1").tools([
        Tool::new("form").handler(|ctx: Context| async move {
            let who: Name = ctx.elicit("key", "Who?").await?;
            Ok::<_, ToolError>(who.name)
        }),
        Tool::new("visit").handler(|ctx: Context| async move {
            let answer = ctx.visit("key", "Sign here", PAGE).await?;
            Ok::<_, ToolError>(format!("{answer:?}"))
        }),
        Tool::new("sample").handler(|ctx: Context| async move {
            let said = ctx.sample("key", prompt()).await?;
            Ok::<_, ToolError>(json!(said.content).to_string())
        }),
        Tool::new("sample_with_tools").handler(|ctx: Context| async move {
            let said = ctx.sample("key", prompt().tool_choice(ToolChoice::default())).await?;
            Ok::<_, ToolError>(json!(said.content).to_string())
        }),
        Tool::new("roots").handler(|ctx: Context| async move {
            let roots: Vec<Root> = ctx.ask(Question::roots("key")).await?;
            Ok::<_, ToolError>(format!("{} {}", roots.len(), roots[0].uri))
        }),
    ])
}

/// A call of a client that can do so much, with more members of its parameters.
fn call(tool: &str, capabilities: &Value, more: Value) -> Value {
    let mut params = json!({ "name": tool, "arguments": {} });
    params["_meta"][CAPABILITIES] = capabilities.clone();
    let Value::Object(more) = more else { panic!("no object: {more}") };
    for (key, value) in more {
        params[key] = value;
    }
    params
}

/// The question and the state of a result that asks one.
#[track_caller]
fn question(said: &Said) -> (Value, Value) {
    let result = said.result();
    assert_eq!(result["resultType"], "input_required", "{}", said.answer);
    assert_eq!(result["inputRequests"].as_object().unwrap().len(), 1, "{}", said.answer);
    (result["inputRequests"]["key"].clone(), result["requestState"].clone())
}

/// MRTR-05, MRTR-06, ELI-04, SAM-01, ROOT-01, BASE-13: each way of asking has to be declared, down
/// to the word for it, and what is missing is named.
#[tokio::test]
async fn each_way_of_asking_is_for_those_who_declared_it() {
    stateless(asking, async |peer: &mut Peer| {
        let all = [
            json!({}),
            json!({ "elicitation": {} }),
            json!({ "elicitation": { "form": {} } }),
            json!({ "elicitation": { "url": {} } }),
            json!({ "sampling": {} }),
            json!({ "sampling": { "tools": {} } }),
            json!({ "roots": {} }),
        ];
        for (tool, method, may, missing) in [
            ("form", "elicitation/create", &[1, 2][..], "/elicitation/form"),
            ("visit", "elicitation/create", &[3], "/elicitation/url"),
            ("sample", "sampling/createMessage", &[4, 5], "/sampling"),
            ("sample_with_tools", "sampling/createMessage", &[5], "/sampling/tools"),
            ("roots", "roots/list", &[6], "/roots"),
        ] {
            for (nth, capabilities) in all.iter().enumerate() {
                let said = peer.request("tools/call", call(tool, capabilities, json!({}))).await;
                if may.contains(&nth) {
                    assert_eq!(question(&said).0["method"], method, "{tool}: {capabilities}");
                    continue;
                }
                let error = said.is_error(-32021, 400);
                let needed = error["data"]["requiredCapabilities"].pointer(missing);
                assert!(needed.is_some_and(Value::is_object), "{tool}: {error}");
            }
        }
    })
    .await;
}

/// ROOT-01, MRTR-18: the answer is used; it may come before anything was asked, and then there is
/// no state.
#[tokio::test]
async fn an_answer_may_come_before_its_question() {
    stateless(asking, async |peer: &mut Peer| {
        for (tool, capabilities, response, text) in [
            (
                "form",
                json!({ "elicitation": {} }),
                json!({ "action": "accept", "content": { "name": "Ann" } }),
                "Ann",
            ),
            (
                "roots",
                json!({ "roots": {} }),
                json!({ "roots": [{ "uri": "file:///a" }, { "uri": "file:///b" }] }),
                "2 file:///a",
            ),
        ] {
            let responses = json!({ "inputResponses": { "key": response } });
            let said = peer.request("tools/call", call(tool, &capabilities, responses)).await;
            assert_eq!(said.text(), text);
        }
    })
    .await;
}

/// MRTR-17: an answer is read as what its key was asked for; one to a question of another kind is
/// none.
#[tokio::test]
async fn an_answer_of_another_kind_is_none() {
    stateless(asking, async |peer: &mut Peer| {
        let accept = json!({ "action": "accept", "content": { "name": "Ann" } });
        let roots = json!({ "roots": [{ "uri": "file:///a" }] });
        let said = json!({
            "role": "assistant", "model": "m", "content": { "type": "text", "text": "word" },
        });
        for (tool, capabilities, wrong) in [
            ("form", json!({ "elicitation": {} }), [&roots, &said]),
            ("sample", json!({ "sampling": {} }), [&roots, &accept]),
            ("roots", json!({ "roots": {} }), [&accept, &said]),
        ] {
            for response in wrong {
                let responses = json!({ "inputResponses": { "key": response } });
                let asked = peer.request("tools/call", call(tool, &capabilities, responses)).await;
                question(&asked);
            }
        }
    })
    .await;
}

/// ELI-02, ELI-08: an address goes out as the author wrote it, with nothing added, and without the
/// id that sessions have.
#[tokio::test]
async fn an_address_is_sent_as_it_was_written() {
    stateless(asking, async |peer: &mut Peer| {
        let url = json!({ "elicitation": { "url": {} } });
        let said = peer.request("tools/call", call("visit", &url, json!({}))).await;
        let expected = json!({ "mode": "url", "message": "Sign here", "url": PAGE });
        assert_eq!(question(&said).0["params"], expected);
    })
    .await;
}

/// ELI-09: whoever agrees to go has not been there yet; the server knows when he has.
#[tokio::test]
async fn a_user_who_agrees_to_go_has_not_been_there() {
    let signed = Arc::new(AtomicBool::new(false));
    let server = || {
        signed.store(false, Ordering::SeqCst);
        let signed = Arc::clone(&signed);
        Server::new("signing", "1").tool(Tool::new("sign").handler(move |ctx: Context| {
            let signed = Arc::clone(&signed);
            async move {
                let ask = || Question::visit("key", "Sign here", PAGE);
                match ctx.ask(ask()).await? {
                    Answer::Accepted(()) if signed.load(Ordering::SeqCst) => Ok("signed"),
                    Answer::Accepted(()) => Err(InputRequired::new().ask(ask()).into()),
                    _ => Err(ToolError::new("not signed")),
                }
            }
        }))
    };
    stateless(server, async |peer: &mut Peer| {
        let url = json!({ "elicitation": { "url": {} } });
        let mut said = peer.request("tools/call", call("sign", &url, json!({}))).await;
        for _ in 0..2 {
            let (_, state) = question(&said);
            let responses = json!({ "key": { "action": "accept" } });
            let more = json!({ "requestState": state, "inputResponses": responses });
            said = peer.request("tools/call", call("sign", &url, more)).await;
        }
        let (_, state) = question(&said);
        signed.store(true, Ordering::SeqCst);
        let responses = json!({ "key": { "action": "accept" } });
        let more = json!({ "requestState": state, "inputResponses": responses });
        let said = peer.request("tools/call", call("sign", &url, more)).await;
        assert_eq!(said.text(), "signed");
    })
    .await;
}

/// SAM-03: a conversation with a model that never has enough ends where the handler says so.
#[tokio::test]
async fn a_loop_with_a_model_has_an_end() {
    let server = || {
        Server::new("looping", "1").tool(Tool::new("loop").handler(|ctx: Context| async move {
            for turn in 0..3 {
                let params = prompt().tool_choice(ToolChoice::default());
                let said = ctx.sample(&format!("turn-{turn}"), params).await?;
                if said.stop_reason.is_none_or(|reason| json!(reason) != "toolUse") {
                    return Ok("the model has an answer");
                }
            }
            Err(ToolError::new("the model has had its three turns"))
        }))
    };
    stateless(server, async |peer: &mut Peer| {
        let able = json!({ "sampling": { "tools": {} } });
        let mut said = peer.request("tools/call", call("loop", &able, json!({}))).await;
        for turn in 0..3 {
            let key = format!("turn-{turn}");
            let result = said.result();
            let keys: Vec<_> = result["inputRequests"].as_object().unwrap().keys().collect();
            assert_eq!(keys, [&key]);
            let state = result["requestState"].clone();
            let content = json!([{ "type": "tool_use", "id": "1", "name": "t", "input": {} }]);
            let more = json!({ "role": "assistant", "model": "m", "content": content });
            let mut responses = json!({ &key: more });
            responses[&key]["stopReason"] = json!("toolUse");
            let more = json!({ "requestState": state, "inputResponses": responses });
            said = peer.request("tools/call", call("loop", &able, more)).await;
        }
        assert_eq!(said.failure(), "the model has had its three turns");
    })
    .await;
}

/// MRTR-02: what cannot ask does not ask: completion fails, and lists and discovery answer.
#[tokio::test]
async fn only_tools_prompts_and_resources_ask() {
    let server = || {
        let prompt = Prompt::new("p").argument(PromptArgument::new("a")).handler(|| async { "p" });
        asking().prompt(prompt.complete("a", |ctx: Context| async move {
            let who: Name = ctx.elicit("key", "Who?").await?;
            Ok::<_, ToolError>(vec![who.name])
        }))
    };
    stateless(server, async |peer: &mut Peer| {
        let able = json!({ CAPABILITIES: { "elicitation": {} } });
        let params = json!({
            "ref": { "type": "ref/prompt", "name": "p" },
            "argument": { "name": "a", "value": "" }, "_meta": able,
        });
        peer.request("completion/complete", params).await.is_error(-32603, 200);
        for method in ["server/discover", "tools/list", "prompts/list"] {
            let said = peer.request(method, json!({ "_meta": able })).await;
            assert_eq!(said.result()["resultType"], "complete", "{method}");
        }
    })
    .await;
}

/// MRTR-03: a result that asks has questions or a state; a handler that names neither is at fault.
#[tokio::test]
async fn a_result_that_asks_for_nothing_is_not_sent() {
    let server = || {
        Server::new("empty", "1").tools([
            Tool::new("nothing").handler(|| async { InputRequired::new() }),
            Tool::new("later").handler(|ctx: Context| async move {
                match ctx.round_state::<u8>() {
                    Some(round) => Ok(format!("round {round}")),
                    None => Err(ToolError::from(InputRequired::new().state(&2))),
                }
            }),
        ])
    };
    stateless(server, async |peer: &mut Peer| {
        peer.call("nothing", json!({})).await.is_error(-32603, 200);
        let said = peer.call("later", json!({})).await;
        assert_eq!(said.result()["resultType"], "input_required");
        assert!(said.result().get("inputRequests").is_none(), "{}", said.answer);
        let more = json!({ "requestState": said.result()["requestState"] });
        let said = peer.request("tools/call", call("later", &json!({}), more)).await;
        assert_eq!(said.text(), "round 2");
    })
    .await;
}

/// MRTR-16: a question is the last that a round says, whatever it said before.
#[tokio::test]
async fn a_question_is_the_last_message_of_its_round() {
    let server = || {
        Server::new("steps", "1").tool(Tool::new("steps").handler(|ctx: Context| async move {
            ctx.progress(1);
            let who: Name = ctx.elicit("key", "Who?").await?;
            Ok::<_, ToolError>(who.name)
        }))
    };
    stateless(server, async |peer: &mut Peer| {
        let mut params = call("steps", &json!({ "elicitation": {} }), json!({}));
        params["_meta"]["progressToken"] = json!(1);
        let said = peer.request("tools/call", params).await;
        assert_eq!(said.notifications.len(), 1, "{:?}", said.notifications);
        question(&said);
    })
    .await;
}

/// MRTR-10: a question that nobody answers is kept by the client alone: the handler has ended, and
/// the store holds nothing.
#[tokio::test]
async fn a_question_that_nobody_answers_is_kept_nowhere() {
    struct Running(Arc<AtomicUsize>);
    impl Drop for Running {
        fn drop(&mut self) {
            self.0.fetch_sub(1, Ordering::SeqCst);
        }
    }
    let running = Arc::new(AtomicUsize::new(0));
    let store = Arc::new(Memory::new());
    let server = || {
        let running = Arc::clone(&running);
        let ask = Tool::new("ask").handler(move |ctx: Context| {
            running.fetch_add(1, Ordering::SeqCst);
            let held = Running(Arc::clone(&running));
            async move {
                let _held = held;
                let who: Name = ctx.elicit("key", "Who?").await?;
                Ok::<_, ToolError>(who.name)
            }
        });
        let store: Arc<dyn Store> = Arc::clone(&store) as _;
        Server::new("left", "1").tool(ask).store(store).single_use_state()
    };
    stateless(server, async |peer: &mut Peer| {
        for _ in 0..1_000 {
            let params = call("ask", &json!({ "elicitation": {} }), json!({}));
            question(&peer.request("tools/call", params).await);
        }
        assert_eq!(running.load(Ordering::SeqCst), 0);
        let kept = store.scan(&Scan::prefix("")).await.unwrap();
        assert_eq!(kept.entries.len(), 0);
    })
    .await;
}

/// BASE-01: a server of one tool speaks in all three ways over lines too: it answers, it asks back,
/// and it tells.
#[tokio::test]
async fn a_server_of_one_tool_speaks_in_all_three_ways() {
    let ask = Tool::new("ask").handler(|ctx: Context| async move {
        let roots: Vec<Root> = ctx.ask(Question::roots("key")).await?;
        Ok::<_, ToolError>(format!("{} roots", roots.len()))
    });
    let service = Server::new("one", "1").tool(ask).build().unwrap();
    let notifier = service.notifier();
    let mut lines = Lines::new(service);
    lines.write(request("1", "server/discover", json!({})).as_bytes()).await;
    assert!(lines.answer().await.result()["capabilities"]["tools"].is_object());

    let able = json!({ "roots": {} });
    lines.write(request("2", "tools/call", call("ask", &able, json!({}))).as_bytes()).await;
    let (_, state) = question(&lines.answer().await);
    let more = json!({ "requestState": state, "inputResponses": { "key": { "roots": [] } } });
    lines.write(request("3", "tools/call", call("ask", &able, more)).as_bytes()).await;
    assert_eq!(lines.answer().await.text(), "0 roots");

    let filter = json!({ "notifications": { "toolsListChanged": true } });
    lines.write(request("4", "subscriptions/listen", filter).as_bytes()).await;
    assert!(lines.read().await.contains("acknowledged"));
    notifier.tools_changed();
    assert!(lines.read().await.contains("notifications/tools/list_changed"));
    notifier.end();
    assert_eq!(lines.answer().await.answer["id"], 4);
    lines.end().await;
}

/// SAM-02: a conversation in an order that no model takes is never sent.
#[tokio::test]
async fn a_conversation_out_of_order_is_not_sent() {
    let server = || {
        let result = json!({ "type": "tool_result", "toolUseId": "a", "content": [] });
        let messages = json!([{ "role": "user", "content": result }]);
        let lost = Tool::new("lost").handler(move |ctx: Context| {
            let messages = serde_json::from_value(messages.clone());
            async move {
                let params = CreateMessageRequestParams::new(messages?, 16);
                let said = ctx.sample("key", params).await?;
                Ok::<_, ToolError>(json!(said.content).to_string())
            }
        });
        asking().tool(lost)
    };
    stateless(server, async |peer: &mut Peer| {
        let can = json!({ "sampling": {} });
        let said = peer.request("tools/call", call("lost", &can, json!({}))).await;
        said.is_error(-32603, 200);
        let said = peer.request("tools/call", call("sample", &can, json!({}))).await;
        assert_eq!(question(&said).0["method"], "sampling/createMessage");
    })
    .await;
}
