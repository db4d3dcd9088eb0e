//! The handshake: which revision both sides speak, and what each can do.
//!
//! [Lifecycle](https://modelcontextprotocol.io/specification/2025-11-25/basic/lifecycle).

use crate::capabilities::{ClientCapabilities, ServerCapabilities};
use crate::icons::Implementation;
use crate::jsonrpc::{JsonRpcResultResponse, notification, request};
use crate::meta::Meta;
use crate::method;
use crate::params::NotificationParams;
use crate::record::record;
use crate::version::ProtocolVersion;

record! {
    /// The parameters of [`InitializeRequest`].
    #[derive(Eq)]
    InitializeRequestParams {
        /// The revision that the client would like best.
        protocol_version: String,
        /// What the client can do, for the whole session.
        capabilities: ClientCapabilities,
        /// Who the client says it is.
        client_info: Implementation,
        /// What rides along.
        #[serde(rename = "_meta")]
        meta: Option<Meta>,
    }
}

request! {
    /// The first request of a session.
    InitializeRequest = method::INITIALIZE, InitializeRequestParams
}

record! {
    /// What the server answers: the revision of the session, and what it can do.
    ///
    /// There is no `resultType` here, and no hint for caches: those came later.
    #[derive(Eq)]
    InitializeResult {
        /// The revision of the session.
        protocol_version: String,
        /// What the server can do.
        capabilities: ServerCapabilities,
        /// Who the server is.
        server_info: Implementation,
        /// What a model should know about using it.
        instructions: Option<String>,
        /// What rides along.
        #[serde(rename = "_meta")]
        meta: Option<Meta>,
    }
}

/// An answer to [`InitializeRequest`].
pub type InitializeResultResponse = JsonRpcResultResponse<InitializeResult>;

notification! {
    /// The client has read the answer; from here on the session is in use.
    InitializedNotification = method::NOTIFICATIONS_INITIALIZED, Option<NotificationParams>
}

notification! {
    /// The client's roots are others.
    RootsListChangedNotification = method::NOTIFICATIONS_ROOTS_LIST_CHANGED,
    Option<NotificationParams>
}

/// The revision of a session whose client asked for `requested`.
///
/// A revision that is served is the answer; for every other it is the newest that has a
/// handshake, so never one without (Lifecycle › Version negotiation).
///
/// ```
/// use aqueduct_protocol::legacy::choose;
/// use aqueduct_protocol::version::ProtocolVersion;
///
/// assert_eq!(choose("2025-06-18"), ProtocolVersion::V2025_06_18);
/// assert_eq!(choose("2026-07-28"), ProtocolVersion::V2025_11_25);
/// assert_eq!(choose("1999-01-01"), ProtocolVersion::V2025_11_25);
/// ```
#[must_use]
pub fn choose(requested: &str) -> ProtocolVersion {
    ProtocolVersion::parse(requested)
        .filter(|version| version.has_handshake())
        .unwrap_or(ProtocolVersion::V2025_11_25)
}

#[cfg(test)]
mod tests {
    use super::{InitializeRequest, InitializeResult};
    use crate::capabilities::ServerCapabilities;
    use crate::icons::Implementation;

    #[test]
    fn a_handshake_is_read_and_answered_without_a_word_of_the_later_revision() {
        let text = r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{
            "protocolVersion":"2025-06-18","capabilities":{"roots":{"listChanged":true}},
            "clientInfo":{"name":"c","version":"1"}}}"#;
        let request: InitializeRequest = serde_json::from_str(text).unwrap();
        assert!(request.params.capabilities.has_roots());
        let info = Implementation::new("s", "1");
        let result = InitializeResult::new("2025-06-18", ServerCapabilities::default(), info);
        assert_eq!(
            serde_json::to_string(&result).unwrap(),
            r#"{"protocolVersion":"2025-06-18","capabilities":{},"serverInfo":{"name":"s","version":"1"}}"#
        );
    }
}
