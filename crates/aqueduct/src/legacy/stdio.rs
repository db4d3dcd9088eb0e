//! The handshake revisions over standard input and output: the process is the session.
//!
//! Messages with the metadata of the stateless revision do not come here, before a handshake and
//! after it, so that both generations share one process.

use std::sync::Arc;
use std::time::Duration;

use aqueduct_protocol::jsonrpc::Kind as Envelope;
use aqueduct_protocol::meta;
use aqueduct_protocol::method::{self, Method};
use aqueduct_protocol::version::ProtocolVersion;

use super::batch::{self, Batch};
use super::drive::{Session, drive};
use super::live::{Asking, Live};
use super::outlet::Outlet;
use super::push::push;
use super::task::TaskTools;
use super::{Serves, control, downgrade, handshake};
use crate::context::{BoxFuture, Head, Request};
use crate::error::Error;

/// One conversation, and whether it has shaken hands.
pub(crate) struct Conversation {
    session: Option<Session>,
    told: bool,
    /// How long the client may take to answer a question.
    answer_time: Duration,
    tasks: TaskTools,
}

/// What is to be done about a message.
pub(crate) enum Heard {
    /// It is one of the stateless revision.
    Stateless(Box<Request>),
    /// Nothing.
    Nothing,
    /// This is the answer.
    Answer(Vec<u8>),
    /// It runs, and this is its answer at the end.
    Runs(BoxFuture<Vec<u8>>),
    /// Something else runs from now on, which is no request's and has no answer.
    Tells(BoxFuture<()>),
}

impl Conversation {
    pub(crate) fn new(answer_time: Duration, tasks: TaskTools) -> Self {
        Self { session: None, told: false, answer_time, tasks }
    }

    /// Takes a message without the metadata of the stateless revision.
    pub(crate) async fn hear<S: Serves, O: Outlet>(
        &mut self,
        service: &S,
        request: Request,
        outlet: O,
    ) -> Heard {
        let is_request = request.envelope().kind() == Envelope::Request;
        let mut service = service.clone();
        let Some(session) = &self.session else {
            return match Method::parse(&request.method()).filter(|_| is_request) {
                Some(Method::Initialize) => self.initialize(&mut service, &request).await,
                Some(Method::Ping) => Heard::Answer(pong(&request)),
                _ if is_request => Heard::Answer(unshaken(&request)),
                _ => Heard::Stateless(Box::new(request)),
            };
        };
        if is_request {
            return match control::serve(&mut service, session, &request).await {
                Some(controlled) => {
                    if controlled.sets {
                        session.live.heard().await;
                    }
                    Heard::Answer(controlled.answer)
                }
                None => Heard::Runs(Box::pin(drive(service, session.clone(), request, outlet))),
            };
        }
        if let Some(stray) = control::heed(session, &request) {
            // The process is the session: what nobody here has asked for, nobody has.
            drop(stray.pass(session).await);
        }
        if request.method() == method::NOTIFICATIONS_INITIALIZED && !self.told {
            self.told = true;
            session.live.watching();
            let head = request.into_head();
            return Heard::Tells(Box::pin(push(service, session.clone(), head, outlet)));
        }
        // A cancellation is acted on by whoever runs the calls.
        Heard::Stateless(Box::new(request))
    }

    /// Takes a text that may be a batch; `None` when it is none of this conversation's.
    pub(crate) fn batch<S: Serves, O: Outlet + Clone>(
        &self,
        service: &S,
        text: &str,
        head: &Head,
        outlet: O,
    ) -> Option<Heard> {
        let session = self.session.as_ref()?;
        if !handshake::has_batches(session.peer.version) || !batch::is_batch(text) {
            return None;
        }
        let mut batch = match Batch::read(text, head, session) {
            Ok(batch) => batch,
            Err(error) => {
                let answer = downgrade::error("", &error, session.peer.version);
                return Some(Heard::Answer(answer));
            }
        };
        if batch.is_quiet() {
            return Some(Heard::Nothing);
        }
        let (service, session) = (service.clone(), session.clone());
        Some(Heard::Runs(Box::pin(async move {
            drop(batch.pass(&session).await);
            // The process is the session: there is nothing to save.
            let save = Box::pin(std::future::ready(Ok(())));
            batch::array(&batch.serve(service, session, outlet, save).await)
        })))
    }

    /// The client is gone: no question to it has an answer any more.
    pub(crate) fn end(&self) {
        if let Some(session) = &self.session {
            session.live.hush();
        }
    }

    async fn initialize<S: Serves>(&mut self, service: &mut S, request: &Request) -> Heard {
        let id = request.id().unwrap_or_default();
        let shaken = handshake::shake(service, request, &self.tasks).await;
        let asking = Asking { time: self.answer_time, relay: None };
        let answer = shaken.and_then(|(peer, result)| {
            let answer = downgrade::result_of(id, &result)?;
            let (live, tasks) = (Live::new(asking), Arc::clone(&self.tasks));
            self.session = Some(Session { peer: Arc::new(peer), live, tasks });
            Ok(answer)
        });
        Heard::Answer(
            answer
                .unwrap_or_else(|error| downgrade::error(id, &error, ProtocolVersion::V2025_11_25)),
        )
    }
}

/// A request that belongs to no revision yet is told both ways to begin.
fn unshaken(request: &Request) -> Vec<u8> {
    let older: Vec<_> = ProtocolVersion::ALL
        .iter()
        .filter(|version| version.has_handshake())
        .map(|version| version.as_str())
        .collect();
    let message = format!(
        "params._meta[{:?}] is missing, and there was no handshake; send it with each request for \
         {}, or begin with {} for {}",
        meta::PROTOCOL_VERSION,
        ProtocolVersion::LATEST,
        method::INITIALIZE,
        older.join(", ")
    );
    let id = request.id().unwrap_or_default();
    downgrade::error(id, &Error::invalid_params(message), ProtocolVersion::LATEST)
}

/// Pinging needs no handshake.
fn pong(request: &Request) -> Vec<u8> {
    let id = request.id().unwrap_or_default();
    downgrade::result_of(id, &serde_json::Map::new()).unwrap_or_default()
}
