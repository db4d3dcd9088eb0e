//! What a session is told without asking: changes of lists, and of the resources that it watches.
//!
//! It listens as a client of the stateless revision would, and what it hears goes out as the
//! handshake revisions write it: without the mark of a subscription.

use std::convert::Infallible;
use std::future::{Future, poll_fn};
use std::sync::Arc;
use std::task::Poll;
use std::time::{Duration, Instant};

use aqueduct_protocol::jsonrpc::{JsonRpcNotification, Param, RawJson};
use aqueduct_protocol::meta;
use aqueduct_protocol::method::{self, Method};
use aqueduct_protocol::subscriptions::SubscriptionFilter;
use serde_json::Value;

use super::Serves;
use super::drive::{Next, Running, Session};
use super::outlet::Outlet;
use super::upgrade::Upgraded;
use crate::call::{Call, Reply};
use crate::context::{Head, Outbound};

/// A listener that ends sooner is not wanted: the server ends, or has no room.
const SHORT: Duration = Duration::from_secs(60);
/// How often it is asked whether anybody still hears.
const CHECK: Duration = Duration::from_secs(60);

/// Tells the session what changes, until the server ends or nobody hears it any more.
pub(super) async fn push<S: Serves, O: Outlet>(
    service: S,
    session: Session,
    head: Head,
    outlet: O,
) {
    let live = Arc::clone(&session.live);
    told(service, session, head, outlet).await;
    live.deaf();
}

async fn told<S: Serves, O: Outlet>(mut service: S, session: Session, head: Head, outlet: O) {
    let mut began = Instant::now();
    let Some(mut listener) = listen(&mut service, &session, &head).await else { return };
    loop {
        tokio::select! {
            biased;
            next = listener.next() => match next {
                Next::Said(frame) => tell(&outlet, &frame).await,
                Next::HungUp => {}
                Next::Reply(_) if began.elapsed() < SHORT => return,
                // It was an old one, and a client of the stateless revision would listen anew.
                Next::Reply(_) => {
                    began = Instant::now();
                    let Some(next) = listen(&mut service, &session, &head).await else { return };
                    listener = next;
                }
            },
            () = session.live.rewatch.notified() => {
                began = Instant::now();
                let Some(next) = listen(&mut service, &session, &head).await else { return };
                let mut before = std::mem::replace(&mut listener, next);
                // What changed before the new one listened was told to the old one.
                while let Some(frame) = heard(&mut before).await {
                    tell(&outlet, &frame).await;
                }
            }
            () = tokio::time::sleep(CHECK) => {
                if outlet.is_abandoned() {
                    return;
                }
            }
        }
    }
}

/// A listener for all that the session is to be told; it listens when this returns.
async fn listen<S: Serves>(
    service: &mut S,
    session: &Session,
    head: &Head,
) -> Option<Running<S::Future>> {
    let mut filter = SubscriptionFilter::default();
    filter.tools_list_changed = Some(true);
    filter.prompts_list_changed = Some(true);
    filter.resources_list_changed = Some(true);
    let (watched, change) = session.live.watched();
    filter.resource_subscriptions = Some(watched.into_iter().collect());
    let params = [(Param::Notifications, RawJson::new(&filter).ok()?)];
    let own = Upgraded::own(Method::SubscriptionsListen, params, &session.peer, head.clone());
    let request = own.request().ok()?;
    let outbound = Arc::new(Outbound::new());
    let Ok(()) = poll_fn(|cx| service.poll_ready(cx)).await;
    let future = service.call(Call::new(request, Some(Arc::clone(&outbound))));
    let mut listener = Running::new(future, outbound);
    match listener.next().await {
        // The acknowledgement, which the session has no word for.
        Next::Said(_) => {
            session.live.hears(change);
            Some(listener)
        }
        Next::Reply(Reply::Error(error)) => {
            tracing::warn!("a session cannot be told what changes: {error}");
            None
        }
        Next::Reply(_) | Next::HungUp => None,
    }
}

/// What a listener has heard already.
async fn heard<F>(listener: &mut Running<F>) -> Option<Vec<u8>>
where
    F: Future<Output = Result<Reply, Infallible>> + Unpin,
{
    poll_fn(|cx| match listener.poll_next(cx) {
        Poll::Ready(Next::Said(frame)) => Poll::Ready(Some(frame)),
        _ => Poll::Ready(None),
    })
    .await
}

async fn tell<O: Outlet>(outlet: &O, frame: &[u8]) {
    if let Some(plain) = untagged(frame) {
        outlet.say(plain).await;
    }
}

/// The notification without the id of the listen request that it answers.
fn untagged(frame: &[u8]) -> Option<Vec<u8>> {
    let mut message: JsonRpcNotification = serde_json::from_slice(frame).ok()?;
    if message.method == method::NOTIFICATIONS_SUBSCRIPTIONS_ACKNOWLEDGED {
        return None;
    }
    if let Some(params) = &mut message.params {
        if let Some(Value::Object(rides)) = params.get_mut(meta::MEMBER) {
            rides.remove(meta::SUBSCRIPTION_ID);
        }
        params.retain(|name, value| {
            name != meta::MEMBER || value != &Value::Object(Default::default())
        });
    }
    message.params = message.params.filter(|params| !params.is_empty());
    serde_json::to_vec(&message).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_notification_loses_the_mark_of_its_subscription_and_nothing_else() {
        let check = |frame: &str, plain: Option<&str>| {
            let untagged = untagged(frame.as_bytes());
            assert_eq!(untagged.map(|text| String::from_utf8(text).unwrap()).as_deref(), plain);
        };
        check(
            r#"{"jsonrpc":"2.0","method":"notifications/tools/list_changed","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":0}}}"#,
            Some(r#"{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}"#),
        );
        check(
            r#"{"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"uri":"a:b","_meta":{"io.modelcontextprotocol/subscriptionId":0,"k/v":1}}}"#,
            Some(
                r#"{"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"_meta":{"k/v":1},"uri":"a:b"}}"#,
            ),
        );
        check(
            r#"{"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{}}"#,
            None,
        );
    }
}
