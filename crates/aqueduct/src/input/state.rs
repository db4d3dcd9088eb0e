//! `requestState`: what a call carries to its next round, sealed to whom and what it is for.

use std::collections::BTreeMap;
use std::time::{Duration, SystemTime};

use aqueduct_protocol::input::{InputRequest, InputRequiredResult};
use aqueduct_protocol::jsonrpc::{self, Param, RawJson};
use serde_json::Value;
use sha2::{Digest, Sha256};

use super::conversation;
use super::question::needed;
use super::required::InputRequired;
use crate::context::{Carried, Context, Replay};
use crate::error::Error;
use crate::seal::{Binding, KeyRing, Purpose};
use crate::store::{Expected, Put, Store};

/// Reads what a request of a later round brings along; a first round brings nothing.
///
/// # Errors
/// -32602 for a state that this server did not seal, for this caller and this very call, or that
/// has expired; nothing tells which.
pub(crate) fn open(ctx: &Context, target: &str, keys: &KeyRing) -> Result<(), Error> {
    let request = ctx.request();
    let responses = match request.param(Param::InputResponses) {
        None => BTreeMap::new(),
        // `null` answers nothing, and neither does what is no object: the questions are asked
        // again.
        Some(raw) => {
            let mut given: BTreeMap<String, RawJson> =
                serde_json::from_str(raw).unwrap_or_default();
            // serde would read an array as the members of an answer in their order.
            given.retain(|_, answer| answer.get().starts_with('{'));
            given
        }
    };
    let Some(raw) = request.param(Param::RequestState) else {
        if !responses.is_empty() {
            ctx.put_replay(Replay::new(Carried::default(), responses));
        }
        return Ok(());
    };
    let token = jsonrpc::string(raw).ok_or_else(refused)?;
    let binding = binding(ctx, target);
    let plain = keys
        .open(Purpose::REQUEST_STATE, &binding, &token)
        .map_err(|error| refused().source(error))?;
    let carried: Carried = serde_json::from_slice(&plain).map_err(|_| refused())?;
    ctx.put_replay(Replay::new(carried, responses));
    Ok(())
}

/// Uses the state of a later round up: whoever brings it a second time is refused.
///
/// # Errors
/// -32602 when it was used before; an internal error when the store does not answer, because what
/// cannot be marked could be used again.
pub(crate) async fn spend(
    ctx: &Context,
    store: &dyn Store,
    answer_time: Duration,
) -> Result<(), Error> {
    if ctx.request().param(Param::RequestState).is_none() {
        return Ok(());
    }
    let mark = ctx.replay().mark();
    if mark.is_empty() {
        return Err(refused());
    }
    let put = Put::new("").expected(Expected::Absent).ttl(answer_time);
    match store.put(&format!("request-state/{mark}"), put).await {
        Ok(_) => Ok(()),
        Err(error) if error.is_conflict() => Err(refused().source(error)),
        Err(error) => Err(Error::internal(error)),
    }
}

fn refused() -> Error {
    Error::invalid_params("requestState is not one of this call, or has expired")
}

/// Turns a handler's question into the result that ends the round.
///
/// # Errors
/// -32021 when the client did not declare that it can be asked this; internal errors when there
/// is nothing to ask, or the state cannot be carried.
pub(crate) fn seal(
    ctx: &Context,
    target: &str,
    keys: &KeyRing,
    answer_time: Duration,
    required: InputRequired,
) -> Result<InputRequiredResult, Error> {
    let required = checked(ctx, required)?;
    let mut carried = ctx.replay().carry(required.state);
    let mut mark = [0; 16];
    getrandom::fill(&mut mark).map_err(|error| Error::internal(error.to_string()))?;
    carried.mark = u128::from_ne_bytes(mark).to_string();
    let plain = serde_json::to_vec(&carried).map_err(Error::internal)?;
    let expires = SystemTime::now() + answer_time;
    let token = keys
        .seal_until(Purpose::REQUEST_STATE, &binding(ctx, target), &plain, expires)
        .map_err(Error::internal)?;
    let mut result = InputRequiredResult::retry(token);
    result.input_requests = (!required.requests.is_empty()).then_some(required.requests);
    Ok(result)
}

/// The questions of a handler that runs as a task, and what it wants to find again.
///
/// # Errors
/// See [`seal`]; and an internal error when it asks nothing, because a task that waits for nothing
/// would wait for ever.
pub(crate) fn park(
    ctx: &Context,
    required: InputRequired,
) -> Result<(BTreeMap<String, InputRequest>, Carried), Error> {
    let required = checked(ctx, required)?;
    if required.requests.is_empty() {
        return Err(Error::internal("a handler that runs as a task gave state without a question"));
    }
    Ok((required.requests, ctx.replay().carry(required.state)))
}

/// Questions that can be asked of this client.
fn checked(ctx: &Context, required: InputRequired) -> Result<InputRequired, Error> {
    if let Some(broken) = required.broken {
        return Err(Error::internal(format!("the state cannot be written as JSON: {broken}")));
    }
    if required.requests.is_empty() && required.state.is_none() {
        return Err(Error::internal(
            "a handler asked for input and named neither question nor state",
        ));
    }
    for request in required.requests.values() {
        ctx.require(&needed(request))?;
        if let InputRequest::CreateMessage(request) = request
            && let Some(problem) = conversation::problem(&request.params.messages)
        {
            return Err(Error::internal(problem));
        }
    }
    Ok(required)
}

/// What the state is good for: this caller, this revision, this method, this target, these
/// arguments.
fn binding(ctx: &Context, target: &str) -> Binding {
    let arguments: Value = serde_json::from_str(ctx.given_arguments()).unwrap_or_default();
    // A map of serde_json is sorted, so the order of the arguments makes no difference.
    let digest = Sha256::digest(arguments.to_string().as_bytes());
    let (issuer, subject) = match ctx.principal() {
        Some(principal) => (principal.issuer.as_str(), principal.subject.as_str()),
        None => ("", "anonymous"),
    };
    Binding::new()
        .field(issuer.as_bytes())
        .field(subject.as_bytes())
        .field(ctx.protocol_version().as_str().as_bytes())
        .field(ctx.request().method().as_bytes())
        .field(target.as_bytes())
        .field(digest)
}
