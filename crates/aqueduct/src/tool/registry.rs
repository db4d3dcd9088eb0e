//! The tools of a server: compiled once, found by name, called.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::time::Duration;

use aqueduct_protocol::capabilities::ClientCapabilities;
use aqueduct_protocol::content::ContentBlock;
use aqueduct_protocol::jsonrpc::RawJson;
use aqueduct_protocol::tools::{CallToolResult, Tool as ListedTool};

use super::handler::{ErasedTool, ToolFuture};
use super::input::Input;
use super::{ErasedProvider, Output, Tool};
use crate::context::{Context, StateMap};
use crate::error::{Error, Repr, ToolError};
use crate::extract::{Needs, Rejection};
use crate::item::{Item, ItemKind, Offer, Rules, Switches};
use crate::quota::Rate;
use crate::schema::x_mcp_header::HeaderParam;
use crate::schema::{Deferred, host, nearest, summary};

/// How long a tool's name may be (Tools › Tool Names).
const MAX_NAME: usize = 128;
/// Beyond this, or with a dot, some hosts refuse the name or the whole list.
const PORTABLE_NAME: usize = 64;

/// What a tool is once everything about it has been found to be in order.
pub(crate) struct Compiled {
    listed: ListedTool,
    item: Arc<Item>,
    input: Input,
    /// Holds results against a schema written by hand; a derived one cannot be broken.
    output: Option<Deferred>,
}

/// A call that has begun.
pub(crate) enum Started {
    /// It ended before the handler ran: the arguments do not fit.
    Refused(CallToolResult),
    Running(ToolFuture),
}

impl Tool {
    /// Compiles the definition at the first use and remembers the outcome.
    pub(crate) fn compiled(&self) -> Result<&Arc<Compiled>, &str> {
        let compiled = self.0.compiled.get_or_init(|| self.compile().map(Arc::new));
        compiled.as_ref().map_err(String::as_str)
    }

    fn compile(&self) -> Result<Compiled, String> {
        let tool = &*self.0;
        check_name(&tool.name)?;
        let refuse = |what: String| format!("tool {:?}: {what}", tool.name);
        if tool.handler.is_none() {
            return Err(refuse("it has no handler; give it one with .handler(…)".to_owned()));
        }
        for icon in &tool.icons {
            if let Some(problem) = crate::error::icon_problem(icon) {
                return Err(refuse(problem));
            }
        }
        if let Some(problem) = crate::error::meta_problem(tool.meta.as_ref()) {
            return Err(refuse(problem));
        }
        let extensions = tool.requires.iter().flat_map(|required| &required.extensions).flatten();
        if let Some(problem) =
            extensions.filter_map(|(id, _)| crate::error::extension_problem(id)).next()
        {
            return Err(refuse(format!("it requires the {problem}")));
        }
        let input = Input::of(&tool.name, tool.input.as_ref(), &tool.needs)
            .map_err(|error| refuse(error.to_string()))?;
        let (published, output) = match &tool.output {
            Output::Unsaid => (None, None),
            Output::Derived(schema) => {
                let schema = host::normalize_output(schema.clone(), &tool.name)
                    .map_err(|error| refuse(error.to_string()))?;
                let text = RawJson::new(&schema).map_err(|error| refuse(error.to_string()))?;
                (Some(text), None)
            }
            Output::Written(schema) => {
                let schema = Deferred::new(schema)
                    .map_err(|error| refuse(format!("output schema: {error}")))?;
                (Some(schema.published().clone()), Some(schema))
            }
        };
        let mut listed = ListedTool::new(tool.name.to_string(), input.published().clone());
        listed.title.clone_from(&tool.title);
        listed.description = tool.description.as_deref().map(ToOwned::to_owned);
        listed.icons = (!tool.icons.is_empty()).then(|| tool.icons.clone());
        listed.annotations.clone_from(&tool.annotations);
        listed.meta = self.listed_meta().map_err(refuse)?;
        listed.output_schema = published;
        let item = Arc::new(self.item());
        Ok(Compiled { listed, item, input, output })
    }

    /// The tool as rules and layers see it.
    fn item(&self) -> Item {
        let mut item = Item::new(ItemKind::Tool, self.name());
        item.tags.clone_from(&self.0.terms.tags);
        item.scopes.clone_from(&self.0.terms.scopes);
        item.hints.clone_from(&self.0.annotations);
        item.meta.clone_from(&self.0.meta);
        item.origin = self.0.terms.origin();
        item
    }

    /// The state that the handler finds, when that is not the server's own.
    pub(crate) fn state(&self) -> Option<&Arc<StateMap>> {
        self.0.terms.state()
    }

    pub(crate) fn needs(&self) -> &Needs {
        &self.0.needs
    }

    pub(crate) fn own_timeout(&self) -> Option<Duration> {
        self.0.timeout
    }

    pub(crate) fn own_rate(&self) -> Option<Rate> {
        self.0.rate
    }

    pub(crate) fn required(&self) -> Option<&ClientCapabilities> {
        self.0.requires.as_ref()
    }

    /// Checks the arguments and starts the handler.
    pub(crate) fn start(&self, compiled: &Compiled, ctx: &Context) -> Result<Started, Error> {
        let arguments = ctx.arguments();
        if !arguments.starts_with('{') {
            let kind = if arguments.starts_with('[') { "an array" } else { "not an object" };
            return Err(Error::invalid_params(format!(
                "arguments of tool {:?} must be an object, and are {kind}",
                self.name()
            )));
        }
        let Some(handler) = &self.0.handler else {
            return Err(Error::internal(format!("tool {:?} has no handler", self.name())));
        };
        match self.attempt(&**handler, compiled, ctx)? {
            Started::Refused(refused) if self.0.lenient => {
                let Some(read) = compiled.input.lenient(arguments) else {
                    return Ok(Started::Refused(refused));
                };
                ctx.put_arguments(read);
                self.attempt(&**handler, compiled, ctx)
            }
            started => Ok(started),
        }
    }

    /// Checks the arguments as they are and starts the handler.
    fn attempt(
        &self,
        handler: &dyn ErasedTool,
        compiled: &Compiled,
        ctx: &Context,
    ) -> Result<Started, Error> {
        let arguments = ctx.arguments();
        if let Err(problems) = compiled.input.check(self.name(), arguments) {
            return Ok(Started::Refused(failure(vec![ContentBlock::text(problems)])));
        }
        self.check_scopes(arguments, ctx)?;
        match handler.start(ctx) {
            Ok(running) => Ok(Started::Running(running)),
            Err(Rejection::Arguments(refusal)) => {
                let problems = compiled.input.explain(self.name(), arguments, &refusal);
                Ok(Started::Refused(failure(vec![ContentBlock::text(problems)])))
            }
            Err(Rejection::Error(error)) => Err(error),
        }
    }

    /// Holds the caller against what the arguments need.
    fn check_scopes(&self, arguments: &str, ctx: &Context) -> Result<(), Error> {
        let Some(scopes) = &self.0.scopes else { return Ok(()) };
        let needed = scopes(arguments).map_err(|error| {
            Error::invalid_params(format!("arguments of tool {:?}: {error}", self.name()))
        })?;
        if ctx.request().head().permits(&needed) {
            return Ok(());
        }
        let fixed = self.0.terms.scopes.iter().cloned();
        Err(Error::insufficient_scope(fixed.chain(needed)))
    }

    /// Turns what the handler returned into what goes out.
    pub(crate) fn finish(
        &self,
        compiled: &Compiled,
        returned: Result<CallToolResult, ToolError>,
    ) -> Result<CallToolResult, Error> {
        match returned.map_err(ToolError::into_repr) {
            Ok(result) => compiled.hold(self.name(), result).map(|result| self.told(result)),
            Err(Repr::Said(content)) => Ok(failure(content)),
            Err(Repr::Cause(cause)) => {
                tracing::debug!(tool = self.name(), error = ?cause, "tool failed");
                Ok(failure(vec![ContentBlock::text(cause.to_string())]))
            }
            Err(Repr::Protocol(error)) => Err(error),
        }
    }
}

impl Compiled {
    pub(crate) fn listed(&self) -> &ListedTool {
        &self.listed
    }

    pub(crate) fn header_params(&self) -> &[HeaderParam] {
        &self.input.header_params
    }

    /// Holds a result against the output schema (Tools › Output Schema: results must conform).
    ///
    /// Error results are exempt: the model needs their text. Structured content of theirs that
    /// does not conform is dropped, because clients refuse the whole result over it.
    fn hold(&self, tool: &str, mut result: CallToolResult) -> Result<CallToolResult, Error> {
        let Some(validator) = &self.output else { return Ok(result) };
        let structured = result.structured_content.as_ref();
        let value = structured.and_then(|json| serde_json::from_str(json.get()).ok());
        let failed = result.is_error == Some(true);
        let broken = match &value {
            Some(value) => {
                let problems = validator.problems(value);
                (!problems.is_empty()).then(|| summary(tool, &problems))
            }
            None if failed => None,
            None => Some(format!("{tool}: its output schema promises a structured result")),
        };
        match broken {
            None => Ok(result),
            Some(_) if failed => {
                result.structured_content = None;
                Ok(result)
            }
            Some(problems) => {
                tracing::error!(tool, %problems, "the result breaks the tool's own output schema");
                Err(Error::internal(problems))
            }
        }
    }
}

/// A result that tells the model what went wrong.
fn failure(content: Vec<ContentBlock>) -> CallToolResult {
    let mut result = CallToolResult::new(content);
    result.is_error = Some(true);
    result
}

fn check_name(name: &str) -> Result<(), String> {
    let allowed = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '-');
    if name.is_empty() {
        return Err("a tool has an empty name; give it 1 to 128 of A-Z a-z 0-9 _ . -".to_owned());
    }
    if let Some(odd) = name.chars().find(|c| !allowed(*c)) {
        let better: String = name.chars().map(|c| if allowed(c) { c } else { '_' }).collect();
        return Err(format!(
            "tool {name:?}: the name has {odd:?}, and hosts take only A-Z a-z 0-9 _ . -; call it \
             {better:?}"
        ));
    }
    if name.len() > MAX_NAME {
        return Err(format!(
            "tool {name:?}: the name has {} characters, and {MAX_NAME} are allowed",
            name.len()
        ));
    }
    if name.len() > PORTABLE_NAME || name.contains('.') {
        tracing::warn!(
            tool = name,
            "some hosts take only names of up to 64 characters without a dot"
        );
    }
    Ok(())
}

/// All tools of a server.
#[derive(Default)]
pub(crate) struct Registry {
    tools: Vec<Entry>,
    index: HashMap<String, usize>,
    providers: Vec<Arc<dyn ErasedProvider>>,
    rules: Rules,
    switches: Arc<Switches>,
    /// Does it depend on the caller which of the registered tools he sees?
    ruled: bool,
}

/// What a registry of tools is made of.
pub(crate) struct Sources {
    pub(crate) tools: Vec<Tool>,
    pub(crate) providers: Vec<Arc<dyn ErasedProvider>>,
    pub(crate) rules: Rules,
    pub(crate) switches: Arc<Switches>,
}

/// A tool with its compiled form at hand, on the terms on which it is offered.
#[derive(Clone)]
pub(crate) struct Entry {
    pub(crate) tool: Tool,
    pub(crate) compiled: Arc<Compiled>,
    pub(crate) offer: Offer,
}

impl Registry {
    /// Compiles all tools; every problem is told, not only the first.
    pub(crate) fn build(sources: Sources, problems: &mut Vec<String>) -> Self {
        let Sources { tools, providers, rules, switches } = sources;
        let mut registry = Self { providers, rules, switches, ..Self::default() };
        for tool in tools {
            let compiled = match tool.compiled() {
                Ok(compiled) => Arc::clone(compiled),
                Err(problem) => {
                    problems.push(problem.to_owned());
                    continue;
                }
            };
            let place = registry.tools.len();
            if let Some(other) = registry.get(tool.name()) {
                let clash = compiled.item.clash(&other.offer.item);
                problems.push(format!("{clash}; rename one with .named(…)"));
                continue;
            }
            registry.index.insert(tool.name().to_owned(), place);
            let offer = Offer::new(Arc::clone(&compiled.item), &tool.0.terms, &registry.rules);
            let offer = offer.switched(&registry.switches);
            registry.ruled |= offer.is_ruled();
            registry.tools.push(Entry { tool, compiled, offer });
        }
        registry
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.tools.is_empty() && self.providers.is_empty()
    }

    /// Does the list depend on who asks?
    pub(crate) fn depends_on_caller(&self) -> bool {
        self.ruled || !self.providers.is_empty()
    }

    /// May the list be another one than that of all registered tools?
    pub(crate) fn is_dynamic(&self) -> bool {
        self.depends_on_caller() || !self.switches.are_all_on()
    }

    /// Who is to be told of changes.
    pub(crate) fn providers(&self) -> &[Arc<dyn ErasedProvider>] {
        &self.providers
    }

    pub(crate) fn entries(&self) -> &[Entry] {
        &self.tools
    }

    /// The tool of this name, without asking providers.
    pub(crate) fn get(&self, name: &str) -> Option<&Entry> {
        self.tools.get(*self.index.get(name)?)
    }

    /// The error that there is no tool of this name, with the one that was probably meant among
    /// those that this caller sees.
    pub(crate) fn unknown(&self, name: &str, ctx: &Context) -> Error {
        let open = self.tools.iter().filter(|entry| entry.offer.is_open(ctx));
        let near = nearest(name, open.map(|entry| entry.tool.name()));
        let hint = near.map(|near| format!("; did you mean {near:?}?")).unwrap_or_default();
        Error::not_found(format!("no tool {name:?}{hint}"))
    }

    /// The tool of this name among those of the providers.
    pub(crate) async fn find(&self, name: &str, ctx: &Context) -> Result<Option<Entry>, Error> {
        for provider in &self.providers {
            let Some(tool) = provider.tool(name, ctx).await? else { continue };
            match self.entry(tool) {
                Some(entry) if !entry.offer.is_open(ctx) => {}
                found => return Ok(found),
            }
        }
        Ok(None)
    }

    /// The tools of the providers that this caller may see, the first of each name.
    pub(crate) async fn provided(&self, ctx: &Context) -> Result<Vec<Entry>, Error> {
        let mut all: Vec<Entry> = Vec::new();
        let mut seen = HashSet::new();
        for provider in &self.providers {
            for tool in provider.tools(ctx).await? {
                let shadowed = self.get(tool.name()).is_some_and(|entry| entry.offer.is_open(ctx));
                if shadowed || seen.contains(tool.name()) {
                    continue;
                }
                let Some(entry) = self.entry(tool) else { continue };
                if entry.offer.is_open(ctx) {
                    seen.insert(entry.tool.name().to_owned());
                    all.push(entry);
                }
            }
        }
        Ok(all)
    }

    /// A provider's tool, if it can be served.
    ///
    /// One that cannot is left out and told to the log: nobody may lose all other tools over it,
    /// and hosts would refuse the whole list.
    fn entry(&self, tool: Tool) -> Option<Entry> {
        match tool.compiled() {
            Ok(compiled) => {
                let compiled = Arc::clone(compiled);
                let offer = Offer::new(Arc::clone(&compiled.item), &tool.0.terms, &self.rules);
                Some(Entry { tool, compiled, offer })
            }
            Err(problem) => {
                tracing::error!(problem, "a provider's tool is left out");
                None
            }
        }
    }
}
