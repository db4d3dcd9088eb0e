//! A request of a session made into one of the stateless revision.

use std::collections::BTreeMap;

use aqueduct_protocol::capabilities::ClientCapabilities;
use aqueduct_protocol::jsonrpc::{self, Limits, Param, RawJson};
use aqueduct_protocol::logging::LoggingLevel;
use aqueduct_protocol::meta;
use aqueduct_protocol::method::Method;
use aqueduct_protocol::tasks;
use aqueduct_protocol::version::ProtocolVersion;

use super::peer::Peer;
use crate::context::{Head, Request};
use crate::error::{Error, Kind};

type Members = BTreeMap<String, RawJson>;

/// A request that can be made again, with what was answered meanwhile.
pub(super) struct Upgraded {
    pub(super) id: String,
    pub(super) method: String,
    params: Members,
    meta: Members,
    head: Head,
}

/// What a session says that the stateless revision has other words for.
fn is_known_by_another_name(method: &str) -> bool {
    matches!(
        Method::parse(method),
        Some(
            Method::ServerDiscover
                | Method::SubscriptionsListen
                | Method::TasksGet
                | Method::TasksUpdate
                | Method::TasksCancel
        )
    )
}

impl Upgraded {
    /// # Errors
    /// For a method that no revision with a handshake has.
    pub(super) fn new(
        request: Request,
        peer: &Peer,
        level: Option<LoggingLevel>,
    ) -> Result<Self, Error> {
        let method = request.method().into_owned();
        if is_known_by_another_name(&method) {
            let message = format!("no method {method:?} in protocol version {}", peer.version);
            return Err(Error::of(Kind::MethodNotFound, message));
        }
        let id = request.id().unwrap_or_default().to_owned();
        let mut params = members(request.params());
        // A client of such a revision can mean nothing by these.
        for param in [Param::InputResponses, Param::RequestState, Param::Meta] {
            params.remove(param.as_str());
        }
        if peer.version < ProtocolVersion::V2025_06_18
            && method == Method::CompletionComplete.as_str()
        {
            params.remove(Param::Context.as_str());
        }
        let meta = own_meta(members(request.param(Param::Meta)), peer, level);
        Ok(Self { id, method, params, meta, head: request.into_head().negotiated(peer.version) })
    }

    /// A request of the layer's own, for what the stateless revision asks and a session does not.
    pub(super) fn own(
        method: Method,
        params: impl IntoIterator<Item = (Param, RawJson)>,
        peer: &Peer,
        head: Head,
    ) -> Self {
        Self {
            id: "0".to_owned(),
            method: method.as_str().to_owned(),
            params: params.into_iter().map(|(key, raw)| (key.as_str().to_owned(), raw)).collect(),
            meta: own_meta(Members::new(), peer, None),
            head: head.negotiated(peer.version),
        }
    }

    /// A parameter, if it is there.
    pub(super) fn param(&self, name: &str) -> Option<&RawJson> {
        self.params.get(name)
    }

    /// Says that its client takes tasks.
    pub(super) fn take_tasks(&mut self) {
        let said = self.meta.get(meta::CLIENT_CAPABILITIES).map(RawJson::decode);
        let said: ClientCapabilities = said.and_then(Result::ok).unwrap_or_default();
        let said = said.with_extension(tasks::EXTENSION, serde_json::Map::new());
        if let Ok(said) = RawJson::new(&said) {
            self.meta.insert(meta::CLIENT_CAPABILITIES.to_owned(), said);
        }
    }

    /// What the next round is to find.
    pub(super) fn answered(&mut self, responses: &Members, state: Option<&str>) {
        let state = state.and_then(|state| RawJson::new(state).ok());
        self.put(Param::InputResponses, RawJson::new(responses).ok());
        self.put(Param::RequestState, state);
    }

    fn put(&mut self, param: Param, value: Option<RawJson>) {
        match value {
            Some(value) => self.params.insert(param.as_str().to_owned(), value),
            None => self.params.remove(param.as_str()),
        };
    }

    /// The request as the stateless revision writes it.
    ///
    /// # Errors
    /// When it has become more than one message may be.
    pub(super) fn request(&self) -> Result<Request, Error> {
        let mut params = self.params.clone();
        params.insert(meta::MEMBER.to_owned(), RawJson::new(&self.meta).map_err(Error::internal)?);
        let mut text = Vec::with_capacity(512);
        text.extend_from_slice(br#"{"jsonrpc":"2.0","id":"#);
        text.extend_from_slice(self.id.as_bytes());
        text.extend_from_slice(br#","method":"#);
        jsonrpc::write_string(&mut text, &self.method);
        text.extend_from_slice(br#","params":"#);
        serde_json::to_writer(&mut text, &params).map_err(Error::internal)?;
        text.push(b'}');
        let text = String::from_utf8(text).map_err(Error::internal)?;
        let envelope = jsonrpc::decode(&text, &Limits::default())
            .map_err(|malformed| Error::of(Kind::InvalidRequest, malformed.message().to_owned()))?;
        Ok(Request::new(text, envelope, self.head.clone()))
    }
}

/// The members of an object; it was found to be one, or it is not there.
fn members(raw: Option<&str>) -> Members {
    raw.and_then(|raw| serde_json::from_str(raw).ok()).unwrap_or_default()
}

/// What every request of the stateless revision says, said by the session instead.
fn own_meta(mut given: Members, peer: &Peer, level: Option<LoggingLevel>) -> Members {
    given.remove(meta::SUBSCRIPTION_ID);
    let mut put = |key: &str, value: Option<RawJson>| match value {
        Some(value) => given.insert(key.to_owned(), value),
        None => given.remove(key),
    };
    put(meta::PROTOCOL_VERSION, RawJson::new(&ProtocolVersion::LATEST).ok());
    put(meta::CLIENT_CAPABILITIES, Some(peer.capabilities.clone()));
    put(meta::CLIENT_INFO, peer.info.clone());
    put(meta::LOG_LEVEL, level.and_then(|level| RawJson::new(&level).ok()));
    given
}

#[cfg(test)]
mod tests {
    use super::*;
    use aqueduct_protocol::jsonrpc::MetaKey;

    fn request(text: &str) -> Request {
        let envelope = jsonrpc::decode(text, &Limits::default()).unwrap();
        Request::new(text.to_owned(), envelope, Head::default())
    }

    fn upgraded(text: &str) -> Result<Request, Error> {
        let request = request(text);
        let peer = Peer::unknown(ProtocolVersion::V2025_03_26);
        Upgraded::new(request, &peer, Some(LoggingLevel::Error))?.request()
    }

    #[test]
    fn a_request_says_for_itself_what_the_session_said_before_it() {
        let request = upgraded(
            r#"{"jsonrpc":"2.0","id":"a","method":"tools/call","params":{"name":"x","requestState":"s",
            "_meta":{"progressToken":7,"io.modelcontextprotocol/clientInfo":{"name":"forged"}}}}"#,
        )
        .unwrap();
        assert_eq!(request.meta(MetaKey::ProtocolVersion), Some("\"2026-07-28\""));
        assert_eq!(request.meta(MetaKey::ClientCapabilities), Some("{}"));
        assert_eq!(request.meta(MetaKey::LogLevel), Some("\"error\""));
        assert_eq!(request.meta(MetaKey::ProgressToken), Some("7"));
        assert_eq!(request.meta(MetaKey::ClientInfo), None);
        assert_eq!(request.param(Param::RequestState), None);
        assert_eq!(request.param(Param::Name), Some("\"x\""));
    }

    #[test]
    fn what_came_later_is_no_method_of_a_session() {
        for method in ["server/discover", "subscriptions/listen"] {
            let text = format!(r#"{{"jsonrpc":"2.0","id":1,"method":"{method}"}}"#);
            assert!(upgraded(&text).is_err_and(|error| error.is_not_found()), "{method}");
        }
    }

    #[test]
    fn completion_has_no_context_before_it_was_invented() {
        let request = upgraded(
            r#"{"jsonrpc":"2.0","id":1,"method":"completion/complete","params":{"context":{}}}"#,
        );
        assert_eq!(request.unwrap().param(Param::Context), None);
    }
}
