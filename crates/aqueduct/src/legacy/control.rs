//! What a session asks of the session: `ping`, the level of log messages, watched resources.

use aqueduct_protocol::jsonrpc::{self, Param, RawJson};
use aqueduct_protocol::logging::LoggingLevel;
use aqueduct_protocol::method::Method;

use super::drive::Session;
use super::live::{Answered, is_ours};
use super::{Serves, downgrade, handshake};
use crate::context::Request;
use crate::error::{Error, Kind};
use crate::store::StoreError;

/// How long the URI of a watched resource may be.
const MAX_URI: usize = 2 * 1024;

/// What became of a request that was the session's.
pub(super) struct Controlled {
    pub(super) answer: Vec<u8>,
    /// It has set something, for the rest of the session.
    pub(super) sets: bool,
}

/// Serves a request about the session itself; `None` for every other.
pub(super) async fn serve<S: Serves>(
    service: &mut S,
    session: &Session,
    request: &Request,
) -> Option<Controlled> {
    let method = Method::parse(&request.method())?;
    let done = match method {
        Method::Ping => Ok(()),
        Method::LoggingSetLevel => set_level(service, session, request).await,
        Method::ResourcesSubscribe => subscribe(service, session, request).await,
        Method::ResourcesUnsubscribe => unsubscribe(service, session, request).await,
        // A session is begun once.
        Method::Initialize => {
            Err(Error::of(Kind::InvalidRequest, "this session is initialized already"))
        }
        _ => return None,
    };
    let sets = done.is_ok() && method != Method::Ping;
    Some(Controlled { answer: answer(session, request, done), sets })
}

fn answer(session: &Session, request: &Request, done: Result<(), Error>) -> Vec<u8> {
    let id = request.id().unwrap_or_default();
    let nothing = serde_json::Map::new();
    match done.and_then(|()| downgrade::result_of(id, &nothing)) {
        Ok(answer) => answer,
        Err(error) => downgrade::error(id, &error, session.peer.version),
    }
}

async fn set_level<S: Serves>(
    service: &mut S,
    session: &Session,
    request: &Request,
) -> Result<(), Error> {
    let head = request.head().clone();
    if handshake::discover(service, &session.peer, head).await?.capabilities.logging.is_none() {
        return Err(undeclared(request));
    }
    let named = request.param(Param::Level).and_then(jsonrpc::string);
    let level = named.and_then(|name| LoggingLevel::parse(&name)).ok_or_else(|| {
        Error::invalid_params(
            "params.level is not one of debug, info, notice, warning, error, critical, alert, \
             emergency",
        )
    })?;
    session.live.set_level(level);
    Ok(())
}

async fn subscribe<S: Serves>(
    service: &mut S,
    session: &Session,
    request: &Request,
) -> Result<(), Error> {
    let uri = watched(service, session, request).await?;
    session.live.watch(uri)
}

async fn unsubscribe<S: Serves>(
    service: &mut S,
    session: &Session,
    request: &Request,
) -> Result<(), Error> {
    let uri = watched(service, session, request).await?;
    session.live.unwatch(&uri);
    Ok(())
}

async fn watched<S: Serves>(
    service: &mut S,
    session: &Session,
    request: &Request,
) -> Result<String, Error> {
    let head = request.head().clone();
    if handshake::discover(service, &session.peer, head).await?.capabilities.resources.is_none() {
        return Err(undeclared(request));
    }
    let uri = request.param(Param::Uri).and_then(jsonrpc::string);
    let uri = uri.ok_or_else(|| Error::invalid_params("params.uri must be a string"))?;
    if uri.len() > MAX_URI {
        return Err(Error::invalid_params(format!("params.uri is longer than {MAX_URI} bytes")));
    }
    Ok(uri.into_owned())
}

fn undeclared(request: &Request) -> Error {
    let method = request.method();
    Error::of(Kind::MethodNotFound, format!("no method {method:?} here"))
}

/// An answer to a question that was not asked here.
pub(super) struct Stray {
    question: String,
    answer: Answered,
}

impl Stray {
    /// Hands it on to the process that asked, where processes share a bus.
    pub(super) async fn pass(self, session: &Session) -> Result<(), StoreError> {
        let Some(relay) = &session.live.asking.relay else { return Ok(()) };
        relay.pass(&self.question, self.answer).await
    }
}

/// Takes in the answer to a question of ours.
pub(super) fn heed(session: &Session, message: &Request) -> Option<Stray> {
    let answer = if let Some(result) = message.result() {
        Answered::Result(RawJson::from_text(result.to_owned()).ok()?)
    } else {
        Answered::Error(said(message.error()?))
    };
    let question = message.id().and_then(jsonrpc::string)?;
    let answer = session.live.answered(&question, answer)?;
    is_ours(&question).then(|| Stray { question: question.into_owned(), answer })
}

/// The message of an error.
fn said(error: &str) -> String {
    let error = serde_json::from_str::<aqueduct_protocol::errors::Error>(error);
    error.map_or_else(|_| "an error that cannot be read".to_owned(), |error| error.message)
}
