//! Prompts: messages that a person picks from a list, perhaps with arguments.

mod compile;
mod handler;
mod output;
mod provider;
mod registry;
mod repo;

use std::borrow::Cow;
use std::fmt;
use std::sync::{Arc, OnceLock};

use aqueduct_protocol::icons::Icon;
use aqueduct_protocol::meta::Meta;
use aqueduct_protocol::prompts::PromptArgument;

use self::compile::Compiled;
use self::handler::{ErasedPrompt, erase};
use crate::completion::{Completer, Completers, IntoCompletions};
use crate::context::Context;
use crate::extract::{Handler, Needs};
use crate::item::{ItemLayer, Named, Terms, Visibility};

pub(crate) use self::compile::MAX_NAME;
pub use self::output::IntoPromptOutput;
pub(crate) use self::provider::ErasedProvider;
pub use self::provider::PromptProvider;
pub(crate) use self::registry::{Entry, Found, Registry, Sources, arguments};
pub(crate) use self::repo::ErasedRepo;
pub use self::repo::{PromptRepo, SharedRepo};
pub use aqueduct_protocol::prompts::Prompt as PromptItem;

/// A prompt: a name, arguments that a person fills in, and a handler that writes the messages.
///
/// ```
/// use aqueduct::prelude::*;
///
/// #[args]
/// struct Review {
///     /// The code to look at
///     code: String,
/// }
///
/// let review = Prompt::new("review")
///     .description("Review a piece of code")
///     .handler(|Args(review): Args<Review>| async move {
///         format!("Please review this:\n{}", review.code)
///     });
/// # let _ = review;
/// ```
#[derive(Clone)]
pub struct Prompt(Arc<Definition>);

#[derive(Clone)]
struct Definition {
    name: Cow<'static, str>,
    title: Option<String>,
    description: Option<Cow<'static, str>>,
    icons: Vec<Icon>,
    meta: Option<Meta>,
    arguments: Vec<PromptArgument>,
    completers: Completers,
    terms: Terms,
    handler: Option<Arc<dyn ErasedPrompt>>,
    needs: Arc<Needs>,
    /// Filled at the first use; a change of the definition starts anew.
    compiled: OnceLock<Result<Arc<Compiled>, String>>,
}

impl Prompt {
    /// A prompt of this name, without a handler yet.
    #[must_use]
    pub fn new(name: impl Into<Cow<'static, str>>) -> Self {
        Self(Arc::new(Definition {
            name: name.into(),
            title: None,
            description: None,
            icons: Vec::new(),
            meta: None,
            arguments: Vec::new(),
            completers: Completers::default(),
            terms: Terms::default(),
            handler: None,
            needs: Arc::new(Needs::default()),
            compiled: OnceLock::new(),
        }))
    }

    /// The name that clients ask for.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.0.name
    }

    fn change(mut self, change: impl FnOnce(&mut Definition)) -> Self {
        let definition = Arc::make_mut(&mut self.0);
        definition.compiled = OnceLock::new();
        change(definition);
        self
    }

    /// A name for people.
    #[must_use]
    pub fn title(self, title: impl Into<String>) -> Self {
        self.change(|prompt| prompt.title = Some(title.into()))
    }

    /// What the prompt is for.
    #[must_use]
    pub fn description(self, description: impl Into<Cow<'static, str>>) -> Self {
        self.change(|prompt| prompt.description = Some(description.into()))
    }

    /// A picture for people; its source is an `https:` or a `data:` URL.
    #[must_use]
    pub fn icon(self, icon: Icon) -> Self {
        self.change(|prompt| prompt.icons.push(icon))
    }

    /// The `_meta` of the prompt in `prompts/list`.
    #[must_use]
    pub fn meta(self, meta: Meta) -> Self {
        self.change(|prompt| prompt.meta = Some(meta))
    }

    /// A word by which visibility and layers pick prompts; clients never see it.
    #[must_use]
    pub fn tag(self, tag: impl Into<String>) -> Self {
        self.change(|prompt| prompt.terms.tags.push(tag.into()))
    }

    /// What a caller must be permitted to get it; given twice, all of them.
    ///
    /// Over HTTP whoever lacks one is answered with 403 and the names of all, and a client that can
    /// gets a better token and calls again (Authorization › Scope Challenge Handling).
    #[must_use]
    pub fn scopes<S: Into<String>>(self, scopes: impl IntoIterator<Item = S>) -> Self {
        let scopes: Vec<String> = scopes.into_iter().map(Into::into).collect();
        self.change(|prompt| prompt.terms.scopes.extend(scopes))
    }

    /// Who sees the prompt; for anybody else there is no prompt of this name.
    ///
    /// Given twice, both must say so. [`Server::visibility`](crate::Server::visibility) has rules
    /// for many.
    #[must_use]
    pub fn visible_to(self, sees: impl Fn(&Context) -> bool + Send + Sync + 'static) -> Self {
        let rule = Visibility::by(move |_, ctx| sees(ctx));
        self.change(|prompt| prompt.terms.rules.visibility.push(rule))
    }

    /// Puts a layer around the prompt's calls; the one added last is the outermost.
    #[must_use]
    pub fn layer(self, layer: impl ItemLayer) -> Self {
        self.change(|prompt| prompt.terms.rules.layers.add(layer))
    }

    /// The prompt as another server offers it: under another name, on more terms.
    pub(crate) fn mounted(self, prefix: &str, change: impl FnOnce(&mut Terms)) -> Self {
        self.change(|prompt| {
            prompt.name = format!("{prefix}{}", prompt.name).into();
            change(&mut prompt.terms);
        })
    }

    /// Adds an argument, or says more about one that the handler's [`Args`] already has.
    ///
    /// [`Args`]: crate::extract::Args
    #[must_use]
    pub fn argument(self, argument: PromptArgument) -> Self {
        self.change(|prompt| prompt.arguments.push(argument))
    }

    /// Completes an argument while it is being typed.
    #[must_use]
    pub fn complete<H, M>(self, argument: impl Into<String>, handler: H) -> Self
    where
        H: Handler<M>,
        H::Output: IntoCompletions,
        M: 'static,
    {
        self.complete_by(argument, Completer::new(handler))
    }

    /// Completes an argument by a [`Completer`] made elsewhere.
    #[must_use]
    pub fn complete_by(self, argument: impl Into<String>, completer: Completer) -> Self {
        self.change(|prompt| prompt.completers.insert(argument.into(), completer))
    }

    /// What writes the messages: an async function of extractors.
    #[must_use]
    pub fn handler<H, M>(self, handler: H) -> Self
    where
        H: Handler<M>,
        H::Output: IntoPromptOutput,
        M: 'static,
    {
        let mut needs = Needs::default();
        H::describe(&mut needs);
        self.change(|prompt| {
            prompt.needs = Arc::new(needs);
            prompt.handler = Some(erase(handler));
        })
    }
}

impl Named for Prompt {
    fn name(&self) -> &str {
        self.name()
    }
}

impl fmt::Debug for Prompt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Prompt").field("name", &self.0.name).finish_non_exhaustive()
    }
}
