//! One `subscriptions/listen` from its acknowledgement to its result.

use std::collections::BTreeSet;
use std::future::{Future, pending};
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use aqueduct_protocol::jsonrpc::RequestId;
use aqueduct_protocol::meta;
use aqueduct_protocol::method;
use aqueduct_protocol::subscriptions::SubscriptionsListenResult;
use aqueduct_protocol::tasks::DetailedTask;
use serde_json::{Map, Value, json};

use super::filter::{self, Offered};
use super::handler::{Events, Sources};
use super::hub::{Change, Full, Marks, Seat};
use crate::context::{Admission, Context};
use crate::error::{Error, Kind};

/// What a caller is told to wait that listens too often already.
const SOON: Duration = Duration::from_secs(1);

/// What of all that changes a listener gets to know, and in which state it is.
pub(crate) trait Seen: Sync {
    /// Those of the updated resources that he sees.
    fn resources(&self, uris: BTreeSet<String>) -> impl Future<Output = BTreeSet<String>> + Send;

    /// Those of the tasks that are his, as they are now.
    ///
    /// # Errors
    /// When he may not ask for tasks, or it cannot be found out.
    fn tasks(
        &self,
        ids: BTreeSet<String>,
    ) -> impl Future<Output = Result<Vec<DetailedTask>, Error>> + Send;
}

/// Serves a listener, which is told of what is `seen` by it, until the server or its handler ends
/// it; a client that goes away drops it.
///
/// # Errors
/// When the filter cannot be read, too many listen already, or the handler fails.
pub(crate) async fn listen(
    ctx: &Context,
    sources: &Sources,
    offered: Offered,
    seen: impl Seen,
) -> Result<SubscriptionsListenResult, Error> {
    sources.hub.start();
    let mut honoured = filter::read(ctx, offered)?;
    if let Some(handler) = &sources.handler {
        honoured.narrow(&handler.subscribe(honoured.told(), ctx).await?);
    }
    if !honoured.tasks.is_empty() {
        let found = seen.tasks(honoured.tasks).await?;
        honoured.tasks = found.into_iter().map(|task| task.task_id).collect();
    }
    let told = honoured.told();
    let owner = ctx.principal().map(|caller| format!("{}\u{0}{}", caller.issuer, caller.subject));
    let seat = sources.hub.join(honoured, owner).map_err(|full| match full {
        Full::Server => Error::of(Kind::Busy, "too many listeners on this server"),
        Full::Principal => Error::rate_limited("too many listeners of this caller", SOON),
    })?;
    let id = ctx.request().id().and_then(RequestId::from_raw).unwrap_or(RequestId::Number(0));
    let acknowledged = method::NOTIFICATIONS_SUBSCRIPTIONS_ACKNOWLEDGED;
    say(ctx, &id, acknowledged, json!({ "notifications": told }));
    // A task may have changed before anybody listened.
    seat.listener().mark(Change::Tasks);
    let changes = async {
        let mut source = pin!(run(ctx, sources, &seat));
        loop {
            let (mut marks, ended) = tokio::select! {
                biased;
                marks = seat.next() => (marks, None),
                // What it has said before its end is told before it.
                ended = &mut source => (Some(seat.take()), Some(ended)),
            };
            let Some(marks) = &mut marks else { return Ok(()) };
            let uris = seen.resources(std::mem::take(&mut marks.uris)).await;
            tell(ctx, &id, marks, uris);
            tell_tasks(ctx, &id, &seen, std::mem::take(&mut marks.tasks)).await;
            if let Some(ended) = ended {
                return ended;
            }
        }
    };
    // An old listener ends like one of a server that ends: nothing of it is lost by that.
    // So does one whose caller's credential has run out.
    let admission = ctx.request().head().extensions().get::<Admission>();
    let age = sources.hub.age();
    let age = admission.map_or(age, |admission| admission.left(age));
    tokio::time::timeout(age, changes).await.unwrap_or(Ok(()))?;
    Ok(SubscriptionsListenResult::of(&id))
}

/// The handler's part of a listener; without a handler it never ends.
async fn run(ctx: &Context, sources: &Sources, seat: &Seat) -> Result<(), Error> {
    let Some(handler) = &sources.handler else { return pending().await };
    handler.run(Events(Arc::clone(seat.listener())), ctx.clone()).await
}

fn tell(ctx: &Context, id: &RequestId, marks: &Marks, updated: BTreeSet<String>) {
    let plain = [
        (marks.tools, method::NOTIFICATIONS_TOOLS_LIST_CHANGED),
        (marks.prompts, method::NOTIFICATIONS_PROMPTS_LIST_CHANGED),
        (marks.resources, method::NOTIFICATIONS_RESOURCES_LIST_CHANGED),
    ];
    for (_, name) in plain.into_iter().filter(|(changed, _)| *changed) {
        say(ctx, id, name, json!({}));
    }
    for uri in updated {
        say(ctx, id, method::NOTIFICATIONS_RESOURCES_UPDATED, json!({ "uri": uri }));
    }
}

/// Each task as it is now, which may be later than when it was marked.
async fn tell_tasks(ctx: &Context, id: &RequestId, seen: &impl Seen, ids: BTreeSet<String>) {
    if ids.is_empty() {
        return;
    }
    match seen.tasks(ids).await {
        Ok(tasks) => {
            for task in tasks {
                say(ctx, id, method::NOTIFICATIONS_TASKS, json!(task));
            }
        }
        // The client asks for itself when it hears nothing.
        Err(error) => tracing::debug!(%error, "a listener was not told of tasks"),
    }
}

/// Every frame of a listener carries the id of its request.
fn say(ctx: &Context, id: &RequestId, method: &str, params: Value) {
    let Value::Object(mut params) = params else { return };
    let mut meta = Map::new();
    meta.insert(meta::SUBSCRIPTION_ID.to_owned(), json!(id));
    params.insert(meta::MEMBER.to_owned(), Value::Object(meta));
    let message = json!({ "jsonrpc": "2.0", "method": method, "params": params });
    ctx.say(message.to_string().into_bytes());
}
