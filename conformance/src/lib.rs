//! The server that the official suite, and our own cases, are run against.
//!
//! Each file holds the fixtures of one kind, in the order in which they are listed.

mod asking;
pub mod cli;
mod faults;
mod ledger;
mod prompts;
mod resources;
mod session;
mod skills;
mod tasks;
mod tools;

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

use aqueduct::Server;
use aqueduct::server::Handshake;
use aqueduct::server::TaskOptions;

pub use self::faults::Marks;
use self::ledger::Ledger;

/// What a run of the fixture server may be told.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Options {
    /// How many items a page of a list has; the framework's default otherwise.
    pub page_size: Option<NonZeroUsize>,
    /// How clients that shake hands are served.
    pub handshake: Handshake,
    /// Where some tools write down what they do; without it there are no such tools.
    pub ledger: Option<PathBuf>,
    /// How soon another process takes over the tasks of one that is silent.
    pub lease: Option<Duration>,
}

/// The name that the server gives itself.
pub const NAME: &str = "conformance";
/// Its version: fixed, because transcripts spell it.
pub const VERSION: &str = "1.0.0";

/// The fixture server.
///
/// The first tool succeeds without arguments, because the suite calls whichever is listed first.
#[must_use]
pub fn server(options: &Options) -> Server {
    let server = Server::new(NAME, VERSION)
        .logging()
        .handshake(options.handshake)
        .state(Marks::default())
        .tools(tools::all())
        .tools(asking::tools())
        .tools(session::tools())
        .tools(tasks::tools())
        .tools(faults::all())
        .resources(resources::fixed())
        .resources(resources::templates())
        .prompts(prompts::all())
        .prompts(asking::prompts());
    let server = match &options.ledger {
        Some(path) => server.state(Ledger(path.clone())).tools(ledger::tools()),
        None => server,
    };
    let server = match skills::all() {
        Ok(skills) => server.skills(skills),
        // The suite then says that there are no skills, and the log why.
        Err(error) => {
            tracing::error!(%error, "the fixture's skills are out of order");
            server
        }
    };
    let server = match options.lease {
        Some(lease) => server.tasks(TaskOptions::new().lease(lease).total(100_000)),
        None => server,
    };
    match options.page_size {
        Some(items) => server.page_size(items.get()),
        None => server,
    }
}

/// An object of extra members, as the fixtures spell it.
fn meta(members: serde_json::Value) -> aqueduct::protocol::meta::Meta {
    match members {
        serde_json::Value::Object(members) => members.try_into().unwrap_or_default(),
        _ => aqueduct::protocol::meta::Meta::new(),
    }
}
