//! Several messages in one text, which 2025-03-26 alone has.

use aqueduct_protocol::jsonrpc::{self, Kind as Envelope, Limits, RawJson};

use super::control::Stray;
use super::drive::{Session, drive};
use super::outlet::Outlet;
use super::{Serves, control, downgrade};
use crate::context::{BoxFuture, Head, Request};
use crate::error::{Error, Kind};
use crate::store::StoreError;

/// How many messages a batch may have.
const MAX_MESSAGES: usize = 64;

/// The messages of a batch.
pub(super) struct Batch {
    requests: Vec<Request>,
    /// The answers to what was no message.
    refused: Vec<Vec<u8>>,
    /// The client's answers to what was not asked here.
    strays: Vec<Stray>,
}

/// Is this text a batch? One byte tells.
pub(super) fn is_batch(text: &str) -> bool {
    text.trim_ascii_start().starts_with('[')
}

impl Batch {
    /// Reads a batch; what asks for no answer is heeded at once.
    ///
    /// # Errors
    /// When it is not JSON, is empty, or has too many messages.
    pub(super) fn read(text: &str, head: &Head, session: &Session) -> Result<Self, Error> {
        let messages: Vec<RawJson> = serde_json::from_str(text)
            .map_err(|error| Error::of(Kind::Parse, format!("not JSON: {error}")))?;
        if messages.is_empty() || messages.len() > MAX_MESSAGES {
            let message = format!("a batch has 1 to {MAX_MESSAGES} messages");
            return Err(Error::of(Kind::InvalidRequest, message));
        }
        let mut batch = Self { requests: Vec::new(), refused: Vec::new(), strays: Vec::new() };
        for message in messages {
            let text = message.get().to_owned();
            match jsonrpc::decode(&text, &Limits::default()) {
                Ok(envelope) => {
                    let kind = envelope.kind();
                    let message = Request::new(text, envelope, head.clone());
                    match kind {
                        Envelope::Request => batch.requests.push(message),
                        Envelope::Notification | Envelope::Response => {
                            batch.strays.extend(control::heed(session, &message));
                        }
                    }
                }
                Err(malformed) => {
                    let error = Error::of(Kind::InvalidRequest, malformed.message().to_owned());
                    let id = malformed.id(&text).unwrap_or_default();
                    batch.refused.push(downgrade::error(id, &error, session.peer.version));
                }
            }
        }
        Ok(batch)
    }

    /// Hands on the client's answers to what was not asked here.
    pub(super) async fn pass(&mut self, session: &Session) -> Result<(), StoreError> {
        for stray in std::mem::take(&mut self.strays) {
            stray.pass(session).await?;
        }
        Ok(())
    }

    /// Does nothing in it ask for an answer?
    pub(super) fn is_quiet(&self) -> bool {
        self.requests.is_empty() && self.refused.is_empty()
    }

    /// Serves the requests one after the other, and gives back all answers; what they have set is
    /// saved once, at the end.
    pub(super) async fn serve<S: Serves, O: Outlet + Clone>(
        self,
        mut service: S,
        session: Session,
        outlet: O,
        save: BoxFuture<Result<(), Error>>,
    ) -> Vec<Vec<u8>> {
        let mut answers = self.refused;
        let mut sets = Vec::new();
        for request in self.requests {
            let answer = match control::serve(&mut service, &session, &request).await {
                Some(controlled) => {
                    if controlled.sets {
                        sets.push((answers.len(), request.id().unwrap_or_default().to_owned()));
                    }
                    controlled.answer
                }
                None => drive(service.clone(), session.clone(), request, outlet.clone()).await,
            };
            answers.push(answer);
        }
        if sets.is_empty() {
            return answers;
        }
        if let Err(error) = save.await {
            for (at, id) in sets {
                if let Some(answer) = answers.get_mut(at) {
                    *answer = downgrade::error(&id, &error, session.peer.version);
                }
            }
        }
        answers
    }
}

/// The answers as one text.
pub(super) fn array(answers: &[Vec<u8>]) -> Vec<u8> {
    let mut text = answers.join(&b',');
    text.insert(0, b'[');
    text.push(b']');
    text
}
