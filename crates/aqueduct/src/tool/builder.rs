//! How a [`Tool`] is described by hand.

use std::borrow::Cow;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use aqueduct_protocol::capabilities::ClientCapabilities;
use aqueduct_protocol::icons::Icon;
use aqueduct_protocol::meta::Meta;
use aqueduct_protocol::tools::ToolAnnotations;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::handler::erase;
use super::output::IntoToolOutput;
use super::{Definition, Output, Tool};
use crate::context::Context;
use crate::extract::{Handler, Needs};
use crate::item::{ItemLayer, Terms, Visibility};
use crate::quota::Rate;

impl Tool {
    /// A tool of this name, without a handler yet.
    ///
    /// Names are 1 to 128 of `A-Z a-z 0-9 _ . -`, told apart by case and unique in a server; a
    /// server with another name in it is refused when it is built.
    #[must_use]
    pub fn new(name: impl Into<Cow<'static, str>>) -> Self {
        Self(Arc::new(Definition {
            name: name.into(),
            title: None,
            description: None,
            icons: Vec::new(),
            annotations: None,
            meta: None,
            ui: None,
            input: None,
            output: Output::Unsaid,
            timeout: None,
            rate: None,
            requires: None,
            lenient: false,
            tasking: None,
            terms: Terms::default(),
            scopes: None,
            handler: None,
            needs: Arc::new(Needs::default()),
            compiled: OnceLock::new(),
        }))
    }

    /// The name that clients call.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.0.name
    }

    /// The words by which visibility and layers pick tools.
    #[must_use]
    pub fn tag_list(&self) -> &[String] {
        &self.0.terms.tags
    }

    pub(super) fn change(mut self, change: impl FnOnce(&mut Definition)) -> Self {
        let definition = Arc::make_mut(&mut self.0);
        definition.compiled = OnceLock::new();
        change(definition);
        self
    }

    fn annotate(self, change: impl FnOnce(&mut ToolAnnotations)) -> Self {
        self.change(|tool| change(tool.annotations.get_or_insert_default()))
    }

    /// Renames the tool.
    #[must_use]
    pub fn named(self, name: impl Into<Cow<'static, str>>) -> Self {
        self.change(|tool| tool.name = name.into())
    }

    /// Reads texts as what the schema asks for, `"5"` as 5 and `"true"` as true, before it
    /// refuses a call; a call that is right is never touched.
    ///
    /// JSON Schema says otherwise, so this is for callers that cannot be taught.
    #[must_use]
    pub fn lenient(self) -> Self {
        self.change(|tool| tool.lenient = true)
    }

    /// A name for people.
    #[must_use]
    pub fn title(self, title: impl Into<String>) -> Self {
        self.change(|tool| tool.title = Some(title.into()))
    }

    /// What the tool does, for the model that chooses among tools.
    #[must_use]
    pub fn description(self, description: impl Into<Cow<'static, str>>) -> Self {
        self.change(|tool| tool.description = Some(description.into()))
    }

    /// A picture for people; its source is an `https:` or a `data:` URL.
    #[must_use]
    pub fn icon(self, icon: Icon) -> Self {
        self.change(|tool| tool.icons.push(icon))
    }

    /// The tool changes nothing (`readOnlyHint`).
    #[must_use]
    pub fn read_only(self) -> Self {
        self.annotate(|hints| hints.read_only_hint = Some(true))
    }

    /// Whether the tool may destroy something (`destructiveHint`).
    #[must_use]
    pub fn destructive(self, destructive: bool) -> Self {
        self.annotate(|hints| hints.destructive_hint = Some(destructive))
    }

    /// Calling it twice with the same arguments changes nothing more (`idempotentHint`).
    #[must_use]
    pub fn idempotent(self) -> Self {
        self.annotate(|hints| hints.idempotent_hint = Some(true))
    }

    /// Whether the tool reaches things outside of this server (`openWorldHint`).
    #[must_use]
    pub fn open_world(self, open: bool) -> Self {
        self.annotate(|hints| hints.open_world_hint = Some(open))
    }

    /// Sets all hints at once.
    #[must_use]
    pub fn annotations(self, annotations: ToolAnnotations) -> Self {
        self.change(|tool| tool.annotations = Some(annotations))
    }

    /// The `_meta` of the tool in `tools/list`.
    #[must_use]
    pub fn meta(self, meta: Meta) -> Self {
        self.change(|tool| tool.meta = Some(meta))
    }

    /// The `inputSchema`, instead of the one derived from the handler's [`Args`].
    ///
    /// Arguments are held against it before the handler runs.
    ///
    /// [`Args`]: crate::extract::Args
    #[must_use]
    pub fn input_schema(self, schema: Value) -> Self {
        self.change(|tool| tool.input = Some(schema))
    }

    /// The `outputSchema`, instead of the one derived from what the handler returns.
    ///
    /// A result that breaks it is an internal error.
    #[must_use]
    pub fn output_schema(self, schema: Value) -> Self {
        self.change(|tool| tool.output = Output::Written(schema))
    }

    /// How long a call may take; the server's default otherwise.
    #[must_use]
    pub fn timeout(self, timeout: Duration) -> Self {
        self.change(|tool| tool.timeout = Some(timeout))
    }

    /// How often each caller may call it; without one the rate of the server holds alone.
    ///
    /// Beyond it the answer is an error that says how long to wait, and 429 with `Retry-After` over
    /// HTTP (Tools › Security Considerations: servers must rate limit). Where callers are not told
    /// apart all of them share the rate.
    ///
    /// ```
    /// use aqueduct::prelude::*;
    /// use aqueduct::server::Rate;
    ///
    /// let send = Tool::new("send").rate(Rate::per_minute(6)).handler(|| async { "sent" });
    /// # let _ = send;
    /// ```
    #[must_use]
    pub fn rate(self, rate: Rate) -> Self {
        self.change(|tool| tool.rate = Some(rate))
    }

    /// What the client must be able to do; other clients get -32021 (SEP-2575).
    #[must_use]
    pub fn requires(self, capabilities: ClientCapabilities) -> Self {
        self.change(|tool| tool.requires = Some(capabilities))
    }

    /// A word by which visibility and layers pick tools; clients never see it.
    #[must_use]
    pub fn tag(self, tag: impl Into<String>) -> Self {
        self.change(|tool| tool.terms.tags.push(tag.into()))
    }

    /// What a caller must be permitted to call it; given twice, all of them.
    ///
    /// Over HTTP whoever lacks one is answered with 403 and the names of all, and a client that can
    /// gets a better token and calls again (Authorization › Scope Challenge Handling).
    #[must_use]
    pub fn scopes<S: Into<String>>(self, scopes: impl IntoIterator<Item = S>) -> Self {
        let scopes: Vec<String> = scopes.into_iter().map(Into::into).collect();
        self.change(|tool| tool.terms.scopes.extend(scopes))
    }

    /// What a caller must be permitted depends on the arguments, which `T` reads.
    ///
    /// It is asked after the arguments were held against the schema and before the handler runs;
    /// arguments that are no `T` are refused.
    ///
    /// ```
    /// use aqueduct::prelude::*;
    ///
    /// #[derive(serde::Deserialize)]
    /// struct Query {
    ///     sql: String,
    /// }
    ///
    /// let tool = Tool::new("sql").scopes_for(|query: Query| match query.sql.starts_with("SELECT ") {
    ///     true => vec!["db:read"],
    ///     false => vec!["db:read", "db:write"],
    /// });
    /// # let _ = tool;
    /// ```
    #[must_use]
    pub fn scopes_for<T, S>(self, scopes: impl Fn(T) -> Vec<S> + Send + Sync + 'static) -> Self
    where
        T: DeserializeOwned,
        S: Into<String>,
    {
        let needed = move |arguments: &str| {
            let arguments = serde_json::from_str::<T>(arguments)?;
            Ok(scopes(arguments).into_iter().map(Into::into).collect())
        };
        self.change(|tool| tool.scopes = Some(Arc::new(needed)))
    }

    /// Who sees the tool; for anybody else there is no tool of this name.
    ///
    /// Given twice, both must say so. [`Server::visibility`](crate::Server::visibility) has rules
    /// for many.
    #[must_use]
    pub fn visible_to(self, sees: impl Fn(&Context) -> bool + Send + Sync + 'static) -> Self {
        let rule = Visibility::by(move |_, ctx| sees(ctx));
        self.change(|tool| tool.terms.rules.visibility.push(rule))
    }

    /// Puts a layer around the tool's calls; the one added last is the outermost.
    #[must_use]
    pub fn layer(self, layer: impl ItemLayer) -> Self {
        self.change(|tool| tool.terms.rules.layers.add(layer))
    }

    /// The tool as another server offers it: under another name, on more terms.
    pub(crate) fn mounted(self, prefix: &str, change: impl FnOnce(&mut Terms)) -> Self {
        self.change(|tool| {
            tool.name = format!("{prefix}{}", tool.name).into();
            change(&mut tool.terms);
        })
    }

    /// What runs when the tool is called: an async function of extractors.
    #[must_use]
    pub fn handler<H, M>(self, handler: H) -> Self
    where
        H: Handler<M>,
        H::Output: IntoToolOutput,
        M: 'static,
    {
        let mut needs = Needs::default();
        H::describe(&mut needs);
        self.change(|tool| {
            tool.needs = Arc::new(needs);
            if let Some(schema) = H::Output::output_schema()
                && matches!(tool.output, Output::Unsaid)
            {
                tool.output = Output::Derived(schema);
            }
            tool.handler = Some(erase(handler));
        })
    }
}
