//! Faults that were reported of other servers, and duties of the specification, case by case.

#![expect(
    clippy::indexing_slicing,
    clippy::panic,
    clippy::print_stderr,
    clippy::unwrap_used,
    reason = "the exemption for tests does not reach their helpers"
)]

mod advisory;
mod app;
mod ask;
mod bound;
mod call;
mod change;
mod compose;
mod envelope;
mod input;
mod layer;
mod list;
mod listen;
mod meta;
mod notification;
mod official;
pub(crate) mod peer;
mod quota;
mod resource;
mod schema;
mod single_use;
#[cfg(unix)]
mod skill;
mod source;
mod task;
mod task_run;
mod task_session;
mod trace;
mod trust;
mod visibility;
