//! How a [`Resource`] and a [`ResourceTemplate`] are described by hand.

use std::borrow::Cow;
use std::sync::{Arc, OnceLock};

use aqueduct_protocol::cache::CacheHint;
use aqueduct_protocol::content::Annotations;
use aqueduct_protocol::icons::Icon;
use aqueduct_protocol::meta::Meta;

use super::handler::erase;
use super::output::IntoResourceOutput;
use super::{Definition, Resource, ResourceTemplate};
use crate::completion::{Completer, Completers, IntoCompletions};
use crate::context::Context;
use crate::extract::{Handler, Needs};
use crate::item::{ItemLayer, Terms, Visibility};

impl Definition {
    fn new(uri: Cow<'static, str>, name: Cow<'static, str>) -> Self {
        Self {
            uri,
            name,
            title: None,
            description: None,
            mime_type: None,
            icons: Vec::new(),
            annotations: None,
            meta: None,
            size: None,
            cache: None,
            completers: Completers::default(),
            terms: Terms::default(),
            handler: None,
            needs: Arc::new(Needs::default()),
            compiled: OnceLock::new(),
        }
    }
}

macro_rules! described {
    ($kind:ident, $uri:literal) => {
        impl $kind {
            #[doc = concat!("A resource of this ", $uri, " and name, without a handler yet.")]
            #[must_use]
            pub fn new(
                uri: impl Into<Cow<'static, str>>,
                name: impl Into<Cow<'static, str>>,
            ) -> Self {
                Self(Arc::new(Definition::new(uri.into(), name.into())))
            }

            #[doc = concat!("The ", $uri, ".")]
            #[must_use]
            pub fn uri(&self) -> &str {
                &self.0.uri
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
                self.change(|resource| resource.title = Some(title.into()))
            }

            /// What it holds.
            #[must_use]
            pub fn description(self, description: impl Into<Cow<'static, str>>) -> Self {
                self.change(|resource| resource.description = Some(description.into()))
            }

            /// The media type of its contents, unless the handler says another.
            #[must_use]
            pub fn mime_type(self, mime_type: impl Into<Cow<'static, str>>) -> Self {
                self.change(|resource| resource.mime_type = Some(mime_type.into()))
            }

            /// A picture for people; its source is an `https:` or a `data:` URL.
            #[must_use]
            pub fn icon(self, icon: Icon) -> Self {
                self.change(|resource| resource.icons.push(icon))
            }

            /// For whom it is and how important.
            #[must_use]
            pub fn annotations(self, annotations: Annotations) -> Self {
                self.change(|resource| resource.annotations = Some(annotations))
            }

            /// Its `_meta` in the list.
            #[must_use]
            pub fn meta(self, meta: Meta) -> Self {
                self.change(|resource| resource.meta = Some(meta))
            }

            /// A word by which visibility and layers pick resources; clients never see it.
            #[must_use]
            pub fn tag(self, tag: impl Into<String>) -> Self {
                self.change(|resource| resource.terms.tags.push(tag.into()))
            }

            /// What a caller must be permitted to read it; given twice, all of them.
            ///
            /// Over HTTP whoever lacks one is answered with 403 and the names of all, and a client that can
            /// gets a better token and calls again (Authorization › Scope Challenge Handling).
            #[must_use]
            pub fn scopes<S: Into<String>>(self, scopes: impl IntoIterator<Item = S>) -> Self {
                let scopes: Vec<String> = scopes.into_iter().map(Into::into).collect();
                self.change(|resource| resource.terms.scopes.extend(scopes))
            }

            /// Who sees it; for anybody else there is nothing here.
            ///
            /// Given twice, both must say so. [`Server::visibility`](crate::Server::visibility)
            /// has rules for many.
            #[must_use]
            pub fn visible_to(
                self,
                sees: impl Fn(&Context) -> bool + Send + Sync + 'static,
            ) -> Self {
                let rule = Visibility::by(move |_, ctx| sees(ctx));
                self.change(|resource| resource.terms.rules.visibility.push(rule))
            }

            /// Puts a layer around its reads; the one added last is the outermost.
            #[must_use]
            pub fn layer(self, layer: impl ItemLayer) -> Self {
                self.change(|resource| resource.terms.rules.layers.add(layer))
            }

            /// The same as another server offers it, on more terms.
            pub(crate) fn mounted(self, change: impl FnOnce(&mut Terms)) -> Self {
                self.change(|resource| change(&mut resource.terms))
            }

            /// For how long and for whom what was read may be kept; the default is not at all.
            #[must_use]
            pub fn cache(self, cache: CacheHint) -> Self {
                self.change(|resource| resource.cache = Some(cache))
            }

            /// What reads it: an async function of extractors.
            #[must_use]
            pub fn handler<H, M>(self, handler: H) -> Self
            where
                H: Handler<M>,
                H::Output: IntoResourceOutput,
                M: 'static,
            {
                let mut needs = Needs::default();
                H::describe(&mut needs);
                self.change(|resource| {
                    resource.needs = Arc::new(needs);
                    resource.handler = Some(erase(handler));
                })
            }
        }
    };
}

described!(Resource, "URI");
described!(ResourceTemplate, "URI template");

impl Resource {
    /// How many bytes it has, when that is known beforehand.
    #[must_use]
    pub fn size(self, size: u64) -> Self {
        self.change(|resource| resource.size = Some(size))
    }
}

impl ResourceTemplate {
    /// Completes a variable while it is being typed.
    #[must_use]
    pub fn complete<H, M>(self, variable: impl Into<String>, handler: H) -> Self
    where
        H: Handler<M>,
        H::Output: IntoCompletions,
        M: 'static,
    {
        self.complete_by(variable, Completer::new(handler))
    }

    /// Completes a variable by a [`Completer`] made elsewhere.
    #[must_use]
    pub fn complete_by(self, variable: impl Into<String>, completer: Completer) -> Self {
        self.change(|resource| resource.completers.insert(variable.into(), completer))
    }
}
