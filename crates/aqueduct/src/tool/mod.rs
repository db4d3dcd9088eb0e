//! Tools: what a model may call, from a function to the answer on the wire.

mod builder;
mod handler;
mod input;
mod lenient;
mod output;
mod provider;
mod registry;
mod tasking;
mod ui;

use std::borrow::Cow;
use std::fmt;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use aqueduct_protocol::apps::ToolUi;
use aqueduct_protocol::capabilities::ClientCapabilities;
use aqueduct_protocol::icons::Icon;
use aqueduct_protocol::meta::Meta;
use aqueduct_protocol::tools::ToolAnnotations;
use serde_json::Value;

use self::handler::ErasedTool;
use self::registry::Compiled;
use crate::extract::Needs;
use crate::item::{Named, Terms};
use crate::quota::Rate;

pub use self::output::{IntoToolOutput, Json, Structured};
pub(crate) use self::provider::ErasedProvider;
pub use self::provider::ToolProvider;
pub(crate) use self::registry::{Entry, Registry, Sources, Started};
pub(crate) use self::tasking::Tasking;
pub use self::tasking::{Recover, TaskSupport};

/// A tool: a name, a description that a model reads, and a handler.
///
/// Cheap to clone. Made by `#[tool]`, by hand as here, or by a [`ToolProvider`] at run time.
///
/// ```
/// use aqueduct::prelude::*;
///
/// #[args]
/// struct Add { a: i64, b: i64 }
///
/// let add = Tool::new("add")
///     .description("Add two numbers")
///     .read_only()
///     .handler(|Args(add): Args<Add>| async move { (add.a + add.b).to_string() });
/// # let _ = add;
/// ```
#[derive(Clone)]
pub struct Tool(Arc<Definition>);

#[derive(Clone)]
struct Definition {
    name: Cow<'static, str>,
    title: Option<String>,
    description: Option<Cow<'static, str>>,
    icons: Vec<Icon>,
    annotations: Option<ToolAnnotations>,
    meta: Option<Meta>,
    ui: Option<ToolUi>,
    input: Option<Value>,
    output: Output,
    timeout: Option<Duration>,
    rate: Option<Rate>,
    requires: Option<ClientCapabilities>,
    /// Are texts read as what the schema asks for?
    lenient: bool,
    tasking: Option<Tasking>,
    terms: Terms,
    /// What the arguments ask of the caller.
    scopes: Option<ScopesFor>,
    handler: Option<Arc<dyn ErasedTool>>,
    needs: Arc<Needs>,
    /// Filled at the first use; a change of the definition starts anew.
    compiled: OnceLock<Result<Arc<Compiled>, String>>,
}

/// From the arguments to the scopes that they need.
type ScopesFor = Arc<dyn Fn(&str) -> Result<Vec<String>, serde_json::Error> + Send + Sync>;

/// What a tool says about its structured results.
#[derive(Clone, Default)]
enum Output {
    /// Nothing: whatever structured content there is goes out as it is.
    #[default]
    Unsaid,
    /// A schema derived from the type that the handler returns.
    Derived(Value),
    /// A schema written by hand, which results are held against.
    Written(Value),
}

impl Named for Tool {
    fn name(&self) -> &str {
        self.name()
    }
}

impl fmt::Debug for Tool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tool").field("name", &self.0.name).finish_non_exhaustive()
    }
}
