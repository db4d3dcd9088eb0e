//! One request of a session from its upgrade to its answer: as many rounds as it takes.
//!
//! The stateless revision ends a round with questions and gets a new request with the answers. In
//! a session the client is asked meanwhile and the rounds are made here, so that a handler cannot
//! tell the difference.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use aqueduct_protocol::input::InputRequiredResult;
use aqueduct_protocol::jsonrpc::RawJson;
use aqueduct_protocol::method;

use super::ask::{self, Unanswered};
use super::live::Live;
use super::outlet::Outlet;
use super::peer::Peer;
use super::task::{self, TaskTools};
use super::upgrade::Upgraded;
use super::{Serves, downgrade};
use crate::call::{Call, Outcome, Reply};
use crate::context::{Outbound, Request};
use crate::error::Error;

/// How often a call may ask before it is ended: an answer that never fits would be asked for for
/// ever.
const MAX_ROUNDS: usize = 32;

/// What a session's calls have in common.
#[derive(Clone)]
pub(super) struct Session {
    pub(super) peer: Arc<Peer>,
    pub(super) live: Arc<Live>,
    pub(super) tasks: TaskTools,
}

/// Serves a request and gives back its answer, a whole message.
pub(super) async fn drive<S: Serves, O: Outlet>(
    mut service: S,
    session: Session,
    request: Request,
    outlet: O,
) -> Vec<u8> {
    let id = request.id().unwrap_or_default().to_owned();
    let version = session.peer.version;
    if let Some(answer) = task::serve(&mut service, &session, &request, &outlet).await {
        return answer;
    }
    let level = session.live.level();
    let mut upgraded = match Upgraded::new(request, &session.peer, Some(level)) {
        Ok(upgraded) => upgraded,
        Err(error) => return downgrade::error(&id, &error, version),
    };
    match task::is_wanted(&upgraded, &session) {
        Ok(true) => upgraded.take_tasks(),
        Ok(false) => {}
        Err(error) => return downgrade::error(&id, &error, version),
    }
    let reply = rounds(&mut service, &session, &mut upgraded, &outlet).await;
    let is_list = upgraded.method == method::TOOLS_LIST;
    let reply = if is_list { task::listed(reply, &session) } else { reply };
    downgrade::reply(&upgraded.id, &upgraded.method, reply, version)
}

async fn rounds<S: Serves, O: Outlet>(
    service: &mut S,
    session: &Session,
    upgraded: &mut Upgraded,
    outlet: &O,
) -> Reply {
    let outbound = Arc::new(Outbound::resumable());
    for _ in 0..MAX_ROUNDS {
        let request = match upgraded.request() {
            Ok(request) => request,
            Err(error) => return Reply::Error(error),
        };
        let reply = round(service, request, &outbound, outlet).await;
        let Reply::Result(Outcome::InputRequired(required)) = reply else {
            outbound.close();
            while let Some(frame) = outbound.pop() {
                outlet.say(frame).await;
            }
            return reply;
        };
        match answers(session, required, outlet).await {
            Ok((answers, state)) => upgraded.answered(&answers, state.as_deref()),
            Err(unanswered) => return unanswered.into_reply(&upgraded.method),
        }
    }
    Reply::Error(Error::internal(format!("a call has asked its client {MAX_ROUNDS} times")))
}

/// Puts all questions of a round to the client at once.
pub(super) async fn answers<O: Outlet>(
    session: &Session,
    required: InputRequiredResult,
    outlet: &O,
) -> Result<(BTreeMap<String, RawJson>, Option<String>), Unanswered> {
    let version = session.peer.version;
    let mut asked = Vec::new();
    for (key, question) in required.input_requests.unwrap_or_default() {
        let method = question.method();
        let mut place = session.live.ask().ok_or(Unanswered::Full)?;
        place.everywhere().await;
        outlet.say(ask::request(&place.id, question, version)?).await;
        asked.push((key, method, place));
    }
    let mut answers = BTreeMap::new();
    for (key, method, place) in asked {
        answers.insert(key, ask::answer(place, method, session.live.asking.time, outlet).await?);
    }
    Ok((answers, required.request_state))
}

/// Runs the handler once; what it says goes out meanwhile.
async fn round<S: Serves, O: Outlet>(
    service: &mut S,
    request: Request,
    outbound: &Arc<Outbound>,
    outlet: &O,
) -> Reply {
    let Ok(()) = poll_fn(|cx| service.poll_ready(cx)).await;
    let call = Call::new(request, Some(Arc::clone(outbound)));
    let mut running = Running::new(service.call(call), Arc::clone(outbound));
    loop {
        match running.next().await {
            Next::Said(frame) => outlet.say(frame).await,
            Next::HungUp => outlet.hang_up(),
            Next::Reply(reply) => return reply,
        }
    }
}

/// A call that runs, and what it says.
pub(super) struct Running<F> {
    future: F,
    outbound: Arc<Outbound>,
    reply: Option<Reply>,
}

/// What a call does next.
pub(super) enum Next {
    Said(Vec<u8>),
    HungUp,
    Reply(Reply),
}

impl<F> Running<F>
where
    F: Future<Output = Result<Reply, Infallible>> + Unpin,
{
    pub(super) fn new(future: F, outbound: Arc<Outbound>) -> Self {
        Self { future, outbound, reply: None }
    }

    /// The next thing that the call does.
    pub(super) async fn next(&mut self) -> Next {
        poll_fn(|cx| self.poll_next(cx)).await
    }

    /// The same, if it does it now.
    pub(super) fn poll_next(&mut self, cx: &mut Context<'_>) -> Poll<Next> {
        if let Some(next) = self.said() {
            return Poll::Ready(next);
        }
        if let Some(reply) = self.reply.take() {
            return Poll::Ready(Next::Reply(reply));
        }
        if let Poll::Ready(Ok(reply)) = Pin::new(&mut self.future).poll(cx) {
            // What was said before the reply goes out before it.
            let Some(next) = self.said() else { return Poll::Ready(Next::Reply(reply)) };
            self.reply = Some(reply);
            return Poll::Ready(next);
        }
        ready!(self.outbound.poll_waiting(cx));
        self.said().map_or(Poll::Pending, Poll::Ready)
    }

    fn said(&self) -> Option<Next> {
        if self.outbound.take_hang_up() {
            return Some(Next::HungUp);
        }
        self.outbound.pop().map(Next::Said)
    }
}
