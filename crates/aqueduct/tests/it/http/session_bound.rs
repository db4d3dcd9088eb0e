//! What a session may take of a server, and what all sessions may.

use aqueduct::server::Handshake;

use super::fixture::Fixture;
use super::peer::ask;
use super::session::fixtures;

#[tokio::test]
async fn a_405_says_the_methods_that_its_allow_header_says() {
    for (handshake, allow) in [
        (Handshake::Sessions, "GET, POST, DELETE"),
        (Handshake::Stateless, "POST"),
        (Handshake::Off, "POST"),
    ] {
        let fixture: Fixture = fixtures(handshake).await;
        for method in ["GET", "DELETE", "PUT"] {
            let head = format!(
                "{method} /mcp HTTP/1.1\r\nHost: {}\r\nAccept: text/event-stream\r\n\r\n",
                fixture.addr
            );
            let answer = ask(fixture.addr, head).await;
            assert_eq!(answer.refused(), (405, -32600), "{method} {handshake:?}");
            assert_eq!(answer.header("allow"), Some(allow), "{method} {handshake:?}");
            let text = answer.json()["error"]["message"].as_str().expect("a text").to_owned();
            for named in ["GET", "POST", "DELETE"] {
                assert_eq!(text.contains(named), allow.contains(named), "{text} {handshake:?}");
            }
        }
    }
}
