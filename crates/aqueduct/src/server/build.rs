//! From a [`Server`] to a [`Service`], or to the list of all that is wrong with it.

use std::fmt;
use std::sync::Arc;

use aqueduct_protocol::icons::Implementation;

use super::{CallService, Server, Service};
use crate::dispatch::{Core, Dispatcher, Parts};
use crate::extract::{Keys, Needs};
use crate::seal::KeyRing;
use crate::subscription::{Hub, Notifier};
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
    pub fn build(self) -> Result<Service, BuildError> {
        let mut problems = self.problems;
        check_info(&self.options.info, &mut problems);
        for tool in &self.tools {
            check_needs(
                &format!("tool {:?}", tool.name()),
                tool.needs(),
                &self.state,
                &mut problems,
            );
        }
        let tools = tool::Registry::build(self.tools, self.providers, &mut problems);
        let resources = resource::Registry::build(
            &self.resources,
            &self.templates,
            self.resource_repos,
            &mut problems,
        );
        for (name, needs) in resources.needs() {
            check_needs(&name, needs, &self.state, &mut problems);
        }
        let prompts = prompt::Registry::build(&self.prompts, self.prompt_repos, &mut problems);
        for entry in prompts.entries() {
            let name = format!("prompt {:?}", entry.listed().name);
            for needs in entry.needs() {
                check_needs(&name, needs, &self.state, &mut problems);
            }
        }
        let keys = match self.keys.map_or_else(keys, Ok) {
            Ok(keys) => Arc::new(keys),
            Err(problem) => {
                problems.push(problem);
                return Err(BuildError { problems });
            }
        };
        if !problems.is_empty() {
            return Err(BuildError { problems });
        }
        let hub = Arc::new(Hub::default());
        let notifier = Notifier::new(Arc::clone(&hub));
        let mut state = self.state;
        if state.insert(notifier.clone()).is_err() {
            let problem = "a Notifier is given as state; the framework brings its own";
            return Err(BuildError { problems: vec![problem.to_owned()] });
        }
        // Nobody else can name the type, so there is no other.
        state.insert(Keys(Arc::clone(&keys))).ok();
        let state = Arc::new(state);
        let parts = Parts { tools, resources, prompts, state, keys, hub, options: self.options };
        let core = Core::new(parts).ok_or_else(|| BuildError {
            problems: vec!["a part of it cannot be written as JSON".to_owned()],
        })?;
        let stamp = core.stamp.clone();
        let inner = CallService::plain(Dispatcher(Arc::new(core)));
        let inner = self.layers.into_iter().fold(inner, |inner, layer| layer(inner));
        Ok(Service::new(inner, stamp, notifier))
    }
}

fn check_info(info: &Implementation, problems: &mut Vec<String>) {
    for icon in info.icons.iter().flatten() {
        if let Some(problem) = crate::error::icon_problem(icon) {
            problems.push(format!("the server's {problem}"));
        }
    }
    for (what, value) in [("name", &info.name), ("version", &info.version)] {
        if value.is_empty() {
            problems.push(format!("the server's {what} is empty"));
        }
    }
}

/// The keys that the environment holds, or one that is good until the process ends.
fn keys() -> Result<KeyRing, String> {
    match std::env::var(KEYS_VARIABLE) {
        Ok(keys) => KeyRing::parse(&keys).map_err(|error| format!("{KEYS_VARIABLE}: {error}")),
        Err(_) => KeyRing::random().map_err(|error| error.to_string()),
    }
}

fn check_needs(
    name: &str,
    needs: &Needs,
    state: &crate::context::StateMap,
    problems: &mut Vec<String>,
) {
    for (id, type_name) in &needs.states {
        if !state.has(*id) {
            problems.push(format!(
                "{name} asks for State<{type_name}>, and the server has none; add .state(…) with \
                 a value of that type"
            ));
        }
    }
}
