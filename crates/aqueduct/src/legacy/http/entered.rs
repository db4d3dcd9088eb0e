//! A message that was let in: whose it is, and what it may take of the server.

use std::sync::Arc;

use super::super::Serves;
use super::super::drive::Session;
use super::super::push::push;
use super::Told;
use super::calls::{Calls, MAX_RUNNING, Place};
use super::refuse::full;
use super::stream::{Stream, Terms};
use super::token::Key;
use crate::context::Head;

/// What a message is served by.
#[derive(Clone)]
pub(super) struct Entered {
    pub(super) session: Session,
    pub(super) calls: Arc<Calls>,
    /// Tells the session from the others; nothing when there is none.
    pub(super) key: Option<Key>,
    pub(super) terms: Terms,
}

impl Entered {
    /// A place for a call: among those of its session, and among those of all sessions.
    pub(super) fn admit<P>(
        &self,
        id: Option<&str>,
        place: impl FnOnce() -> Option<P>,
    ) -> Result<(Place, P), Told> {
        let Some(of_session) = self.calls.admit() else {
            let message = format!("a session runs at most {MAX_RUNNING} calls at once");
            return Err(full(429, id, &message));
        };
        let busy = "the server is busy with calls of sessions; try again soon";
        let place = place().ok_or_else(|| full(503, id, busy))?;
        Ok((of_session, place))
    }

    /// The stream of what belongs to no request of the session, filled from here on.
    pub(super) fn watch<S: Serves>(&self, service: S, head: Head) -> Option<Arc<Stream>> {
        let session = self.session.clone();
        self.calls.pushes(|stream| {
            session.live.watching();
            let task = tokio::spawn(async move {
                push(service, session, head, Arc::clone(&stream)).await;
                stream.end(None);
            });
            task.abort_handle()
        })
    }

    /// The same where a resource is watched, so that no change of it is missed.
    pub(super) fn tell<S: Serves>(&self, service: S, head: Head) {
        let (watched, _) = self.session.live.watched();
        if !watched.is_empty() {
            self.watch(service, head);
        }
    }
}
