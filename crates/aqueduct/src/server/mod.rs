//! The builder that a user meets, and the service that it makes.

mod app;
mod build;
mod catalog;
mod check;
mod extension;
#[cfg(feature = "http")]
mod http;
mod mount;

#[cfg(all(feature = "http", feature = "stdio"))]
mod run;
mod service;
#[cfg(feature = "skills")]
mod skills;

#[cfg(feature = "stdio")]
mod stdio;
mod watch;

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use aqueduct_protocol::cache::CacheHint;
use aqueduct_protocol::icons::{Icon, Implementation};
use tower_layer::Layer;

use crate::context::StateMap;
use crate::dispatch::Options;
use crate::item::{ItemLayer, Rules, Visibility};
use crate::prompt::{self, Prompt, PromptProvider, PromptRepo};
use crate::resource::{self, AnyResource, ResourceProvider, ResourceRepo};
use crate::seal::KeyRing;
use crate::skill::Skills as SkillSet;
use crate::store::{Backend, Bus, Store};
use crate::subscription::{self, Notifier, SubscriptionHandler};
use crate::tool::{self, Tool, ToolProvider};

pub use crate::app::{App, Csp, Permissions};
#[cfg(feature = "skills")]
pub use crate::skill::{Skill, SkillError, SkillResource, SkillResources, Skills};

pub use self::build::BuildError;
pub use self::catalog::Catalog;
pub use self::extension::Extension;
#[cfg(all(feature = "http", feature = "stdio"))]
pub use self::run::{Run, RunError, USAGE};
pub use self::service::{CallService, Layered, Service, ServiceFuture, Serving};
pub use crate::quota::{Limits, Rate};
pub use crate::task::TaskOptions;

/// How many items a page of a list has.
const PAGE_SIZE: usize = 100;
/// How long a handler may take.
const TIMEOUT: Duration = Duration::from_secs(60);
/// How long a client may take to answer a question.
const ANSWER_TIME: Duration = Duration::from_secs(10 * 60);

/// A server in the making: what it is called, what it offers, what it lends to its handlers.
///
/// ```
/// use aqueduct::prelude::*;
///
/// /// Greet somebody.
/// #[tool(read_only)]
/// async fn greet(name: String) -> String {
///     format!("Hello, {name}!")
/// }
///
/// let service = Server::new("greeter", "1.0.0").tools(list![greet]).build()?;
/// # let _ = service;
/// # Ok::<(), aqueduct::server::BuildError>(())
/// ```
pub struct Server {
    options: Options,
    tools: Vec<Tool>,
    tool_providers: Vec<Arc<dyn tool::ErasedProvider>>,
    resources: Vec<AnyResource>,
    resource_providers: Vec<Arc<dyn resource::ErasedProvider>>,
    resource_repos: Vec<Arc<dyn resource::ErasedRepo>>,
    skills: Option<SkillSet>,
    prompts: Vec<Prompt>,
    prompt_providers: Vec<Arc<dyn prompt::ErasedProvider>>,
    prompt_repos: Vec<Arc<dyn prompt::ErasedRepo>>,
    rules: Rules,
    limits: Limits,
    state: StateMap,
    keys: Option<KeyRing>,
    handshake: Handshake,
    store: Option<Arc<dyn Store>>,
    bus: Option<Arc<dyn Bus>>,
    single_use: bool,
    tasks: Option<TaskOptions>,
    layers: Vec<LayerFn>,
    watchers: Vec<WatcherFn>,
    subscriptions: Option<Arc<dyn subscription::ErasedHandler>>,
    mounts: Vec<(String, Self)>,
    problems: Vec<String>,
}

/// Takes the notifier when the server is built.
type WatcherFn = Box<dyn FnOnce(Notifier) + Send>;
type LayerFn = Box<dyn FnOnce(CallService) -> CallService + Send>;

impl Server {
    /// A server of this name and version, which clients show and log.
    #[must_use]
    pub fn new(name: impl Into<String>, version: impl Into<String>) -> Self {
        Self {
            options: Options {
                info: Implementation::new(name, version),
                instructions: None,
                page_size: PAGE_SIZE,
                timeout: TIMEOUT,
                answer_time: ANSWER_TIME,
                list_cache: CacheHint::default(),
                logging: false,
                single_use: None,
                extensions: BTreeMap::new(),
            },
            tools: Vec::new(),
            tool_providers: Vec::new(),
            resources: Vec::new(),
            resource_providers: Vec::new(),
            resource_repos: Vec::new(),
            skills: None,
            prompts: Vec::new(),
            prompt_providers: Vec::new(),
            prompt_repos: Vec::new(),
            rules: Rules::default(),
            limits: Limits::new(),
            state: StateMap::default(),
            keys: None,
            handshake: Handshake::default(),
            store: None,
            bus: None,
            single_use: false,
            tasks: None,
            layers: Vec::new(),
            watchers: Vec::new(),
            subscriptions: None,
            mounts: Vec::new(),
            problems: Vec::new(),
        }
    }

    /// A name for people.
    #[must_use]
    pub fn title(mut self, title: impl Into<String>) -> Self {
        self.options.info.title = Some(title.into());
        self
    }

    /// What the server is for, for people.
    #[must_use]
    pub fn description(mut self, description: impl Into<String>) -> Self {
        self.options.info.description = Some(description.into());
        self
    }

    /// Where people read more about the server.
    #[must_use]
    pub fn website(mut self, url: impl Into<String>) -> Self {
        self.options.info.website_url = Some(url.into());
        self
    }

    /// A picture of the server; its source is an `https:` or a `data:` URL.
    #[must_use]
    pub fn icon(mut self, icon: Icon) -> Self {
        self.options.info.icons.get_or_insert_default().push(icon);
        self
    }

    /// How a model should use the server; hosts put it into the model's context.
    #[must_use]
    pub fn instructions(mut self, instructions: impl Into<String>) -> Self {
        self.options.instructions = Some(instructions.into());
        self
    }

    /// Adds a tool.
    #[must_use]
    pub fn tool(mut self, tool: Tool) -> Self {
        self.tools.push(tool);
        self
    }

    /// Adds tools; they are listed in the order in which they were added.
    #[must_use]
    pub fn tools(mut self, tools: impl IntoIterator<Item = Tool>) -> Self {
        self.tools.extend(tools);
        self
    }

    /// Adds a source of tools that are only known at run time.
    #[must_use]
    pub fn tool_provider(mut self, provider: impl ToolProvider) -> Self {
        self.tool_providers.push(Arc::new(provider));
        self
    }

    /// Adds a resource or a resource template.
    #[must_use]
    pub fn resource(mut self, resource: impl Into<AnyResource>) -> Self {
        self.resources.push(resource.into());
        self
    }

    /// Adds resources and resource templates.
    #[must_use]
    pub fn resources<R: Into<AnyResource>>(self, resources: impl IntoIterator<Item = R>) -> Self {
        resources.into_iter().fold(self, Self::resource)
    }

    /// Adds a source of resources and templates that are only known at run time.
    #[must_use]
    pub fn resource_provider(mut self, provider: impl ResourceProvider) -> Self {
        self.resource_providers.push(Arc::new(provider));
        self
    }

    /// Adds a source of resources whose URIs begin with one prefix.
    #[must_use]
    pub fn resource_repo(mut self, repo: impl ResourceRepo) -> Self {
        self.resource_repos.push(Arc::new(repo));
        self
    }

    /// Adds a prompt.
    #[must_use]
    pub fn prompt(mut self, prompt: Prompt) -> Self {
        self.prompts.push(prompt);
        self
    }

    /// Adds prompts; they are listed in the order in which they were added.
    #[must_use]
    pub fn prompts(mut self, prompts: impl IntoIterator<Item = Prompt>) -> Self {
        self.prompts.extend(prompts);
        self
    }

    /// Adds a source of prompts that are only known at run time.
    #[must_use]
    pub fn prompt_provider(mut self, provider: impl PromptProvider) -> Self {
        self.prompt_providers.push(Arc::new(provider));
        self
    }

    /// Adds a source of prompts whose names begin with one prefix.
    #[must_use]
    pub fn prompt_repo(mut self, repo: impl PromptRepo) -> Self {
        self.prompt_repos.push(Arc::new(repo));
        self
    }

    /// Brings a source of one's own for those who listen, beside what the framework tells.
    #[must_use]
    pub fn subscription_handler(mut self, handler: impl SubscriptionHandler) -> Self {
        if self.subscriptions.replace(Arc::new(handler)).is_some() {
            self.problems.push("a subscription handler is given twice".to_owned());
        }
        self
    }

    /// Lends a value to all handlers, which ask for it as `State<T>`; one of each type.
    #[must_use]
    pub fn state<T: Send + Sync + 'static>(mut self, value: T) -> Self {
        if let Err(name) = self.state.insert(value) {
            self.problems.push(format!("state of type {name} is given twice"));
        }
        self
    }

    /// How many items a page of a list has; 100 otherwise.
    #[must_use]
    pub fn page_size(mut self, items: usize) -> Self {
        if items == 0 {
            self.problems.push("the page size is 0; give at least 1".to_owned());
        }
        self.options.page_size = items.max(1);
        self
    }

    /// How long a handler may take, unless its tool says otherwise; 60 seconds otherwise.
    #[must_use]
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.options.timeout = timeout;
        self
    }

    /// What each caller may take: how often it calls, and how much it has open at once.
    ///
    /// Those of a mounted server are not asked: what it brings is called under the limits of the
    /// server that it is mounted in.
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// How long a client may take to answer what a handler asks in mid-call; 10 minutes otherwise.
    ///
    /// After that the state of the call does not open any more and the client begins anew.
    #[must_use]
    pub fn answer_time(mut self, time: Duration) -> Self {
        self.options.answer_time = time;
        self
    }

    /// For how long and for whom the lists may be kept; the default is not at all.
    ///
    /// Never say `public` of a list that depends on who asks.
    #[must_use]
    pub fn list_cache(mut self, cache: CacheHint) -> Self {
        self.options.list_cache = cache;
        self
    }

    /// Says that the server supports an extension of the protocol, with its settings.
    ///
    /// The identifier is a vendor's prefix, a slash and a name, such as `com.example/audit`
    /// (Versioning › Extensions); any other is refused when the server is built.
    #[must_use]
    pub fn supports(
        mut self,
        extension: impl Into<String>,
        settings: serde_json::Map<String, serde_json::Value>,
    ) -> Self {
        self.options.extensions.insert(extension.into(), settings);
        self
    }

    /// Says that handlers send log messages to clients that ask for them.
    ///
    /// The specification has deprecated them, so a server must ask for them by name.
    #[must_use]
    pub fn logging(mut self) -> Self {
        self.options.logging = true;
        self
    }

    /// The keys that seal cursors and state, instead of one made at the start.
    ///
    /// Several processes that share their keys can serve each other's clients.
    #[must_use]
    pub fn keys(mut self, keys: KeyRing) -> Self {
        self.keys = Some(keys);
        self
    }

    /// Adds a rule that says who sees what: tools, prompts, resources and templates.
    ///
    /// What a caller does not see is not there for him.
    #[must_use]
    pub fn visibility(mut self, rule: Visibility) -> Self {
        self.rules.visibility.push(rule);
        self
    }

    /// Puts a layer around every call of a tool, a prompt or a resource, with its description at
    /// hand; it stands outside of their own layers, and the one added last is the outermost.
    #[must_use]
    pub fn item_layer(mut self, layer: impl ItemLayer) -> Self {
        self.rules.layers.add(layer);
        self
    }

    /// Makes the state between two rounds of questions good for one use, marked in the
    /// [`store`](Self::store).
    ///
    /// Without it a client can go on from one state as often as it likes while it is valid, which
    /// repeats what comes after the question. With it a client whose connection broke while its
    /// answer was on the way has to begin anew. Processes that share their keys share the store
    /// too.
    ///
    /// ```
    /// use aqueduct::prelude::*;
    /// use aqueduct::store::Memory;
    /// use std::sync::Arc;
    ///
    /// let store = Arc::new(Memory::new());
    /// let server = Server::new("shop", "1.0.0").store(store).single_use_state();
    /// # let _ = server;
    /// ```
    #[must_use]
    pub fn single_use_state(mut self) -> Self {
        self.single_use = true;
        self
    }

    /// Where lies what must outlive a request; in the memory of the process otherwise.
    ///
    /// Several processes that share a store, and their keys, can serve each other's sessions.
    #[must_use]
    pub fn store(mut self, store: Arc<dyn Store>) -> Self {
        self.store = Some(store);
        self
    }

    /// A [`store`](Self::store) and the bus beside it, as [`store::open`](crate::store::open) gives
    /// them.
    ///
    /// With a bus a client of a session may answer a question at another process than the one that
    /// asked it.
    ///
    /// ```
    /// use aqueduct::prelude::*;
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), aqueduct::store::StoreError> {
    /// let backend = aqueduct::store::open("memory:").await?;
    /// let server = Server::new("shop", "1.0.0").backend(backend);
    /// # let _ = server;
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn backend(mut self, backend: Backend) -> Self {
        (self.store, self.bus) = (Some(backend.store), Some(backend.bus));
        self
    }

    /// How tasks are kept; needed where only providers bring tools that make tasks.
    ///
    /// They lie in the [`store`](Self::store), and are as durable as it is.
    #[must_use]
    pub fn tasks(mut self, options: TaskOptions) -> Self {
        self.tasks = Some(options);
        self
    }

    /// How clients are served that begin with a handshake; with sessions otherwise.
    #[must_use]
    pub fn handshake(mut self, handshake: Handshake) -> Self {
        self.handshake = handshake;
        self
    }

    /// Puts a tower layer around every call; the one added last is the outermost.
    #[must_use]
    pub fn layer<L>(mut self, layer: L) -> Self
    where
        L: Layer<CallService> + Send + 'static,
        L::Service: Layered,
    {
        self.layers.push(Box::new(move |inner| CallService::layered(layer.layer(inner))));
        self
    }
}

impl fmt::Debug for Server {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Server").field("info", &self.options.info).finish_non_exhaustive()
    }
}

/// How a server serves clients of the revisions that begin with `initialize`: 2025-03-26,
/// 2025-06-18 and 2025-11-25.
///
/// Clients of 2026-07-28 are served beside them in every case.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Handshake {
    /// With sessions: over HTTP a client gets a session id, and with it questions, log levels,
    /// watched resources and the rest of a broken stream.
    #[default]
    Sessions,
    /// Over HTTP without session ids: each request stands for itself, and what needs a second one
    /// is not offered. Over standard input and output the process is the session all the same.
    Stateless,
    /// Not at all.
    Off,
}
