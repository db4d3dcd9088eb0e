//! The program as a user runs it, against the server of the official Rust SDK.
#![expect(clippy::expect_used, reason = "a test that cannot start has failed")]

mod server;

use std::process::{Command, Output};

use serde_json::{Value, json};

fn aqueduct(words: &[&str], target: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_aqueduct"))
        .args(words)
        .args(target)
        .output()
        .expect("the program runs")
}

/// Runs a request over HTTP against a fresh server and checks its exit code.
#[track_caller]
fn check(words: &[&str], code: i32) -> (String, String) {
    let url = server::start();
    let output = aqueduct(words, &[&url]);
    let stdout = String::from_utf8(output.stdout).expect("UTF-8");
    let stderr = String::from_utf8(output.stderr).expect("UTF-8");
    assert_eq!(output.status.code(), Some(code), "{words:?}\n{stdout}\n{stderr}");
    (stdout, stderr)
}

fn json(words: &[&str], code: i32) -> Value {
    let (stdout, _) = check(&[&["--json"], words].concat(), code);
    serde_json::from_str(&stdout).expect("one JSON value")
}

#[test]
fn tools_are_listed_for_people_and_programs() {
    let (stdout, _) = check(&["list", "tools"], 0);
    assert_eq!(stdout, "add(a, b)  Add two numbers.\nfail()\n");
    assert_eq!(json(&["list", "tools"], 0)["tools"][0]["name"], "add");
}

#[test]
fn resources_templates_and_prompts_are_listed() {
    assert_eq!(check(&["list", "resources"], 0).0, "note:///1\n");
    assert_eq!(check(&["list", "templates"], 0).0, "note:///{id}\n");
    assert_eq!(check(&["list", "prompts"], 0).0, "greet(who)  Say hello.\n");
}

#[test]
fn a_tool_is_called_with_typed_pairs_or_with_json() {
    assert_eq!(check(&["call", "add", "a=1", "b=2"], 0).0, "3\n");
    assert_eq!(check(&["call", "add", r#"{"a": 1, "b": 2}"#], 0).0, "3\n");
    assert_eq!(check(&["call", "add", "a:=1", "b:=2"], 0).0, "3\n");
}

#[test]
fn a_failed_tool_is_exit_code_1() {
    assert_eq!(check(&["call", "fail"], 1).0, "no luck\n");
}

#[test]
fn a_refusal_is_exit_code_2_and_json_when_asked() {
    let (_, stderr) = check(&["call", "nothing"], 2);
    assert!(stderr.contains("no tool nothing") && stderr.contains("-32602"), "{stderr}");
    assert_eq!(json(&["call", "nothing"], 2)["error"]["code"], -32602);
}

#[test]
fn a_wrong_command_line_is_exit_code_3() {
    check(&["call", "add", "a=one", "b=2"], 3);
    assert_eq!(aqueduct(&["discover"], &[]).status.code(), Some(3));
    assert_eq!(aqueduct(&["frobnicate"], &[]).status.code(), Some(3));
    assert_eq!(aqueduct(&["--version"], &[]).status.code(), Some(0));
}

#[test]
fn a_server_that_is_not_there_is_exit_code_2() {
    let gone = aqueduct(&["discover"], &["http://127.0.0.1:1/mcp"]);
    assert_eq!(gone.status.code(), Some(2));
    let gone = aqueduct(&["discover"], &["--", "/no/such/program"]);
    assert_eq!(gone.status.code(), Some(2));
}

#[test]
fn a_silent_server_is_given_up() {
    let silent = aqueduct(&["--timeout", "1", "discover"], &["--", "cat"]);
    assert_eq!(silent.status.code(), Some(2));
}

#[test]
fn a_resource_is_read_and_a_prompt_is_filled() {
    assert_eq!(check(&["read", "note:///1"], 0).0, "the first note\n");
    assert_eq!(check(&["prompt", "greet", "who=Ada"], 0).0, "user: hello Ada\n");
}

#[test]
fn arguments_and_variables_are_completed() {
    assert_eq!(check(&["complete", "prompt", "greet", "who", "A"], 0).0, "Ada\nAlan\n");
    assert_eq!(check(&["complete", "resource", "note:///{id}", "id", ""], 0).0, "1\n");
}

#[test]
fn the_newest_version_is_settled_on_unless_another_is_named() {
    assert_eq!(json(&["discover"], 0)["protocolVersion"], "2026-07-28");
    let named = json(&["--protocol", "2025-06-18", "discover"], 0);
    assert_eq!(named["protocolVersion"], "2025-06-18");
}

#[test]
fn a_command_is_spoken_to_over_stdio() {
    let result = json!({
        "resultType": "complete",
        "supportedVersions": ["2026-07-28"],
        "capabilities": {},
        "ttlMs": 0,
        "cacheScope": "private",
        "_meta": {"io.modelcontextprotocol/serverInfo": {"name": "script", "version": "7"}},
    });
    // Answers every line with the same result, under the id it came with.
    let script = format!(
        r#"while read -r line; do
            id=$(printf %s "$line" | sed 's/.*"id":\([0-9]*\).*/\1/')
            printf '{{"jsonrpc":"2.0","id":%s,"result":%s}}\n' "$id" '{result}'
        done"#
    );
    let output = aqueduct(&["discover"], &["--", "sh", "-c", &script]);
    let stdout = String::from_utf8(output.stdout).expect("UTF-8");
    assert!(stdout.starts_with("script 7\nprotocol: 2026-07-28\n"), "{stdout}");
    assert_eq!(output.status.code(), Some(0));
}
