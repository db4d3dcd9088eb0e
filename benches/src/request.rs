//! The three requests, as the bytes that a client sends, and what makes an answer a right one.

use serde_json::{Value, json};

use crate::{Failure, surface};

/// What is asked.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Kind {
    /// `tools/call` of the echo.
    Call,
    /// `tools/list`.
    List,
    /// `resources/read` of 64 KiB.
    Read,
}

impl Kind {
    /// The kind of that name.
    ///
    /// # Errors
    ///
    /// When there is none.
    pub fn named(name: &str) -> Result<Self, Failure> {
        match name {
            "call" => Ok(Self::Call),
            "list" => Ok(Self::List),
            "read" => Ok(Self::Read),
            other => Err(format!("no request \"{other}\"; there are call, list and read").into()),
        }
    }

    /// The method on the wire.
    #[must_use]
    pub const fn method(self) -> &'static str {
        match self {
            Self::Call => "tools/call",
            Self::List => "tools/list",
            Self::Read => "resources/read",
        }
    }

    /// What `Mcp-Name` mirrors.
    #[must_use]
    pub const fn name(self) -> Option<&'static str> {
        match self {
            Self::Call => Some(surface::ECHO),
            Self::List => None,
            Self::Read => Some(surface::URI),
        }
    }

    /// The JSON-RPC message, on one line.
    #[must_use]
    pub fn message(self, id: usize) -> String {
        let mut params = json!({
            "_meta": {
                "io.modelcontextprotocol/protocolVersion": surface::VERSION,
                "io.modelcontextprotocol/clientInfo": {"name": "drive", "version": "1.0.0"},
                "io.modelcontextprotocol/clientCapabilities": {},
            },
        });
        if let Value::Object(params) = &mut params {
            match self {
                Self::Call => {
                    params.insert("name".to_owned(), surface::ECHO.into());
                    params.insert("arguments".to_owned(), json!({ "text": surface::ECHOED }));
                }
                Self::List => {}
                Self::Read => {
                    params.insert("uri".to_owned(), surface::URI.into());
                }
            }
        }
        let method = self.method();
        format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"{method}","params":{params}}}"#)
    }

    /// The whole HTTP request; a server sees the same bytes each time.
    #[must_use]
    pub fn http(self, host: &str, path: &str) -> Vec<u8> {
        let body = self.message(1);
        let name = self.name().map_or_else(String::new, |name| format!("Mcp-Name: {name}\r\n"));
        format!(
            "POST {path} HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\n\
             Accept: application/json, text/event-stream\r\n\
             MCP-Protocol-Version: {version}\r\nMcp-Method: {method}\r\n{name}\
             Content-Length: {length}\r\n\r\n{body}",
            version = surface::VERSION,
            method = self.method(),
            length = body.len(),
        )
        .into_bytes()
    }

    /// Whether the message answers the request, with everything in it; `tools` is how many.
    ///
    /// # Errors
    ///
    /// When it does not, with what it is instead.
    pub fn check(self, answer: &[u8], tools: usize) -> Result<(), Failure> {
        let answer: Value = serde_json::from_slice(answer)?;
        let right = match self {
            Self::Call => answer.pointer("/result/content/0/text") == Some(&surface::ECHOED.into()),
            Self::List => {
                let listed = answer.pointer("/result/tools").and_then(Value::as_array);
                listed.is_some_and(|listed| listed.len() == tools)
            }
            Self::Read => {
                answer.pointer("/result/contents/0/text") == Some(&surface::text().into())
            }
        };
        let complete = answer.pointer("/result/resultType") == Some(&"complete".into());
        if right && complete {
            return Ok(());
        }
        let shown: String = answer.to_string().chars().take(400).collect();
        Err(format!("not an answer to {}: {shown}", self.method()).into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_checked_to_the_last_tool() {
        let answer = json!({"result": {"resultType": "complete", "tools": [{}, {}]}}).to_string();
        assert!(Kind::List.check(answer.as_bytes(), 2).is_ok());
        assert!(Kind::List.check(answer.as_bytes(), 3).is_err());
        assert!(Kind::Call.check(answer.as_bytes(), 2).is_err());
        assert!(Kind::List.check(b"{}", 0).is_err());
    }

    #[test]
    fn a_request_is_as_long_as_it_says() {
        let request = String::from_utf8(Kind::Call.http("h", "/mcp")).unwrap();
        let (head, body) = request.split_once("\r\n\r\n").unwrap();
        assert!(head.contains(&format!("Content-Length: {}", body.len())), "{head}");
        assert_eq!(body, Kind::Call.message(1));
    }
}
