//! Words that one place alone may spell: those of the protocol, and the status codes of HTTP.

use super::finding::Finding;
use super::path::tokens;
use super::source::{Piece, Source};

/// Method names, keys, headers and error codes of the protocol, spelled outside `aqueduct-protocol`.
pub(crate) fn protocol(source: &Source) -> Vec<Finding> {
    const MEND: &str = "take the constant of aqueduct-protocol; add it there if it is missing";
    let spelled = source.literals.iter().filter(|one| is_protocol(&one.text));
    let spelled =
        spelled.map(|Piece { line, text }| (*line, format!("the protocol's word \"{text}\"")));
    let tokens = tokens(&source.code);
    let codes = tokens.windows(2).filter_map(|pair| match pair {
        [minus, number] if minus.text == "-" && is_error_code(number.text) => {
            Some((number.line, format!("the error code -{}", number.text)))
        }
        _ => None,
    });
    let all = spelled.chain(codes).filter(|(line, _)| !source.is_test(*line));
    all.map(|(line, fault)| Finding::new(&source.path, line, fault, MEND)).collect()
}

/// Whether a literal as a whole is a word of the protocol; a message that mentions one is not.
fn is_protocol(literal: &str) -> bool {
    const GROUPS: [&str; 13] = [
        "completion",
        "elicitation",
        "logging",
        "notifications",
        "prompts",
        "resources",
        "roots",
        "sampling",
        "server",
        "skills",
        "subscriptions",
        "tasks",
        "tools",
    ];
    const WORDS: [&str; 3] = ["initialize", "ping", "_meta"];
    const HEADERS: [&str; 6] = [
        "mcp-session-id",
        "mcp-protocol-version",
        "mcp-method",
        "mcp-name",
        "mcp-param-",
        "x-mcp-header",
    ];
    let is_method = literal.split_once('/').is_some_and(|(group, name)| {
        let is_name = |one: char| one.is_ascii_alphabetic() || matches!(one, '/' | '_');
        GROUPS.contains(&group) && !name.is_empty() && name.chars().all(is_name)
    });
    let lower = literal.to_ascii_lowercase();
    is_method
        || WORDS.contains(&literal)
        || HEADERS.iter().any(|header| lower.starts_with(header))
        || lower.contains("io.modelcontextprotocol/")
}

fn is_error_code(number: &str) -> bool {
    let digits: String = number.chars().filter(char::is_ascii_digit).collect();
    digits.len() == 5 && digits.starts_with("32")
}

/// Status codes outside the places that answer in HTTP.
pub(crate) fn status(source: &Source) -> Vec<Finding> {
    const FREE: [&str; 4] =
        ["src/transport/http", "src/auth", "src/error/table.rs", "src/testing/idp"];
    const MEND: &str = "return an error; error/table.rs knows its status";
    if FREE.iter().any(|place| source.path.contains(place)) {
        return Vec::new();
    }
    let spelled = source.code_lines().filter(|(_, text)| text.contains("StatusCode::"));
    spelled.map(|(line, _)| Finding::new(&source.path, line, "a status of HTTP", MEND)).collect()
}

/// Runtimes and transports in the crate that is the wire alone.
pub(crate) fn runtime(source: &Source) -> Vec<Finding> {
    const MEND: &str = "the protocol crate knows serde alone; this belongs to the framework";
    let tokens = tokens(&source.code);
    let named = tokens.windows(2).filter_map(|pair| match pair {
        [one, next] if matches!(one.text, "tokio" | "http" | "hyper") && next.text == "::" => {
            Some(one)
        }
        _ => None,
    });
    named.map(|one| Finding::new(&source.path, one.line, format!("`{}`", one.text), MEND)).collect()
}

mod tests {
    use super::{Finding, Source, protocol, runtime, status};

    fn check(rule: fn(&Source) -> Vec<Finding>, path: &str, code: &str) -> usize {
        rule(&Source::new(path, code)).len()
    }

    #[test]
    fn the_words_of_the_protocol_are_refused() {
        for word in [
            "\"tools/call\"",
            "\"notifications/tools/list_changed\"",
            "\"ping\"",
            "\"Mcp-Session-Id\"",
            "\"io.modelcontextprotocol/serverInfo\"",
            "\"_meta\"",
            "-32602",
            "-32_602",
        ] {
            assert_eq!(check(protocol, "a.rs", &format!("const A: B = {word};")), 1, "{word}");
        }
    }

    #[test]
    fn what_only_mentions_them_is_free() {
        let code = "//! Answers tools/call.\nconst A: &str = \"no handler for tools/call\";\nconst B: &str = \"server/\";\nconst C: i32 = 32602;\n#[cfg(test)]\nmod tests {\n    const D: &str = \"tools/call\";\n}\n";
        assert_eq!(check(protocol, "a.rs", code), 0);
    }

    #[test]
    fn a_status_has_its_places() {
        let code = "fn a() { StatusCode::OK }";
        assert_eq!(check(status, "crates/aqueduct/src/tool/mod.rs", code), 1);
        assert_eq!(check(status, "crates/aqueduct/src/error/mod.rs", code), 1);
        assert_eq!(check(status, "crates/aqueduct/src/error/table.rs", code), 0);
        assert_eq!(check(status, "crates/aqueduct/src/transport/http/guard.rs", code), 0);
    }

    #[test]
    fn the_wire_knows_no_runtime() {
        assert_eq!(
            check(runtime, "a.rs", "use tokio::sync::Mutex;\nfn a() { http::Uri::new() }"),
            2
        );
        assert_eq!(check(runtime, "a.rs", "use serde::Serialize; // not tokio::\nmod http {}"), 0);
    }
}
