//! From a [`Server`] to a [`Service`], or to the list of all that is wrong with it.

use std::fmt;
use std::sync::Arc;

use aqueduct_protocol::skills::{self, SkillsCapability};
use aqueduct_protocol::tasks::EXTENSION;
use serde_json::Value;

use super::service::{Background, Terms};
use super::watch::watch;
use super::{CallService, Catalog, Server, Service, app, check};
use crate::context::StateMap;
use crate::dispatch::{Core, Dispatcher, Options, Parts};
use crate::error::extension_problem;
use crate::extract::Keys;
use crate::quota::Quota;
use crate::seal::KeyRing;
use crate::skill::Skills;
use crate::store::{Bus, Memory, Store};
use crate::subscription::{Hub, Notifier, Relay, Sources};
use crate::task::{Runner, TaskOptions, Tasks};
use crate::{prompt, resource, tool};

/// The variable that holds the keys which seal cursors and state: `id:base64`, separated by commas.
const KEYS_VARIABLE: &str = "AQUEDUCT_KEYS";

/// All that is wrong with a server, each with the name of the thing and how to mend it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BuildError {
    problems: Vec<String>,
}

impl BuildError {
    /// What is wrong, one sentence each.
    #[must_use]
    pub fn problems(&self) -> &[String] {
        &self.problems
    }
}

impl fmt::Display for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.problems.as_slice() {
            [one] => write!(f, "the server cannot be built: {one}"),
            many => {
                write!(f, "the server cannot be built, for {} reasons:", many.len())?;
                many.iter().try_for_each(|problem| write!(f, "\n- {problem}"))
            }
        }
    }
}

impl std::error::Error for BuildError {}

impl Server {
    /// Checks everything that can be checked before the first call, and writes down everything
    /// that does not change between calls.
    ///
    /// # Errors
    /// Everything that is wrong, at once: duplicate names, schemas that no host takes, handlers
    /// that ask for state that is not there, templates that match nothing.
    pub fn build(mut self) -> Result<Service, BuildError> {
        let limits = self.limits;
        let hub = Arc::new(Hub::new(limits.listens_per_principal, limits.listen_age));
        let notifier = Notifier::new(Arc::clone(&hub));
        let catalog = self.bring(&notifier);
        let keys = self.ring();
        self.take_mounts();
        self.declare();
        let mut problems = std::mem::take(&mut self.problems);
        self.check_names(&mut problems);
        let layers = std::mem::take(&mut self.layers);
        let watchers = std::mem::take(&mut self.watchers);
        let (mut options, handshake) = (self.options.clone(), self.handshake);
        let (store, bus, single_use) = (self.store.take(), self.bus.take(), self.single_use);
        let answer_time = options.answer_time;
        let (task_options, skills) = (self.tasks.take(), self.skills.clone());
        bus.iter().for_each(|bus| hub.relay(Arc::new(Relay::new(Arc::clone(bus)))));
        let subscriptions = Sources { hub, handler: self.subscriptions.take() };
        let state = Arc::new(std::mem::take(&mut self.state));
        let (tools, resources, prompts) = self.registries(&catalog, &state, &mut problems);
        app::check(&tools, &resources, &mut problems);
        app::declare(&tools, &resources, &mut options);
        let Some(keys) = keys.filter(|_| problems.is_empty()) else {
            return Err(BuildError { problems });
        };
        watch(&tools, &resources, &prompts, &notifier);
        let sealing = Arc::clone(&keys);
        let store = store.unwrap_or_else(|| Arc::new(Memory::new()));
        options.single_use = single_use.then(|| Arc::clone(&store));
        let quota = Quota::new(limits, &store);
        let lent = (&store, bus.as_ref(), &notifier);
        let (tasks, background) = tasks(&tools, &mut options, task_options, lent);
        let parts = Parts {
            tools,
            resources,
            prompts,
            skills,
            state,
            quota,
            keys,
            subscriptions,
            tasks,
            options,
        };
        let core = Core::new(parts).ok_or_else(unwritable)?;
        watchers.into_iter().for_each(|watcher| watcher(notifier.clone()));
        let stamp = core.stamp.clone();
        let plain = CallService::plain(Dispatcher(running(core)));
        let inner = layers.into_iter().fold(plain, |inner, layer| layer(inner));
        let terms = Terms {
            stamp,
            notifier,
            catalog,
            keys: sealing,
            handshake,
            store,
            bus,
            answer_time,
            background,
        };
        Ok(Service::new(inner, terms))
    }

    /// Puts beside the author's state what the framework lends to handlers.
    fn bring(&mut self, notifier: &Notifier) -> Catalog {
        let catalog = Catalog::new(notifier.clone());
        if self.state.insert(notifier.clone()).is_err()
            || self.state.insert(catalog.clone()).is_err()
        {
            let problem = "a Notifier or a Catalog is given as state; the framework brings its own";
            self.problems.push(problem.to_owned());
        }
        catalog
    }

    /// The keys that all is sealed with, which handlers find too.
    fn ring(&mut self) -> Option<Arc<KeyRing>> {
        let keys = self.keys.take().map_or_else(keys, Ok).map(Arc::new);
        let keys = keys.map_err(|problem| self.problems.push(problem)).ok()?;
        // Nobody else can name the type, so there is no other.
        self.state.insert(Keys(Arc::clone(&keys))).ok();
        Some(keys)
    }

    fn check_names(&self, problems: &mut Vec<String>) {
        check::info(&self.options.info, problems);
        for id in self.options.extensions.keys() {
            problems.extend(extension_problem(id).map(|problem| format!("the server's {problem}")));
        }
    }

    /// Says which extensions of the protocol follow from what is registered.
    fn declare(&mut self) {
        if self.skills.is_some() {
            let settings = SkillsCapability::default().directory_read(true);
            if let Ok(Value::Object(settings)) = serde_json::to_value(settings) {
                self.options.extensions.insert(skills::EXTENSION.to_owned(), settings);
            }
        }
    }

    /// Checks all that was registered.
    fn registries(
        self,
        catalog: &Catalog,
        state: &StateMap,
        problems: &mut Vec<String>,
    ) -> (tool::Registry, resource::Registry, prompt::Registry) {
        let skill_files = self.skills.as_ref().map(Skills::repo);
        let tools = tool::Sources {
            tools: self.tools,
            providers: self.tool_providers,
            rules: self.rules.clone(),
            switches: Arc::clone(&catalog.tools),
        };
        let resources = resource::Sources {
            resources: self.resources,
            providers: self.resource_providers,
            repos: self.resource_repos.into_iter().chain(skill_files).collect(),
            rules: self.rules.clone(),
            switches: Arc::clone(&catalog.resources),
        };
        let prompts = prompt::Sources {
            prompts: self.prompts,
            providers: self.prompt_providers,
            repos: self.prompt_repos,
            rules: self.rules,
            switches: Arc::clone(&catalog.prompts),
        };
        let tools = tool::Registry::build(tools, problems);
        let resources = resource::Registry::build(resources, problems);
        let prompts = prompt::Registry::build(prompts, problems);
        check::needs(&tools, &resources, &prompts, state, problems);
        (tools, resources, prompts)
    }
}

/// The tasks of a server that makes any: they lie in its store, and their changes are told to those
/// who listen.
fn tasks(
    tools: &tool::Registry,
    options: &mut Options,
    wanted: Option<TaskOptions>,
    (store, bus, notifier): (&Arc<dyn Store>, Option<&Arc<dyn Bus>>, &Notifier),
) -> (Option<Arc<Tasks>>, Background) {
    let has_any = tools.entries().iter().any(|entry| entry.tool.tasking().is_some());
    // Providers may bring tools that nobody knows of yet, where tasks were asked for.
    if !has_any && wanted.is_none() {
        return (None, Background::of(None, tools));
    }
    options.extensions.entry(EXTENSION.to_owned()).or_default();
    let notifier = notifier.clone();
    let tell = Box::new(move |id: Option<&str>| notifier.task_changed(id));
    let (store, bus) = (Arc::clone(store), bus.cloned());
    let tasks = Arc::new(Tasks::new(store, bus, wanted.unwrap_or_default(), tell));
    let background = Background::of(Some(&tasks), tools);
    (Some(tasks), background)
}

/// The core, which runs the handlers of its tasks.
fn running(core: Core) -> Arc<Core> {
    let core = Arc::new(core);
    if let Some(tasks) = &core.tasks {
        let runner: Arc<dyn Runner> = Arc::clone(&core) as _;
        tasks.run_with(Arc::downgrade(&runner));
    }
    core
}

fn unwritable() -> BuildError {
    BuildError { problems: vec!["a part of it cannot be written as JSON".to_owned()] }
}

/// The keys that the environment holds, or one that is good until the process ends.
fn keys() -> Result<KeyRing, String> {
    match std::env::var(KEYS_VARIABLE) {
        Ok(keys) => KeyRing::parse(&keys).map_err(|error| format!("{KEYS_VARIABLE}: {error}")),
        Err(_) => KeyRing::random().map_err(|error| error.to_string()),
    }
}
