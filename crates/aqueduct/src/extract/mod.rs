//! Arguments of a handler that come from the call: what its signature asks for, it gets.

mod args;
mod extension;
mod handler;
mod handles;
mod headers;
mod state;

use std::any::{TypeId, type_name};

use crate::context::{Context, Principal};
use crate::error::Error;

pub(crate) use self::args::CHECKED;
pub use self::args::{Args, Parameters};
pub use self::extension::Extension;
pub use self::handler::Handler;
pub use self::handles::Handles;
pub(crate) use self::handles::Keys;
pub use self::headers::Headers;
pub use self::state::State;

/// A type that a handler may ask for.
///
/// ```
/// use aqueduct::extract::{Extract, Rejection};
/// use aqueduct::{Context, Error};
///
/// /// The language that the caller prefers.
/// struct Language(String);
///
/// impl Extract for Language {
///     fn extract(ctx: &Context) -> Result<Self, Rejection> {
///         let header = ctx.request().head().headers().get("accept-language");
///         let language = header.and_then(|value| value.to_str().ok()).unwrap_or("en");
///         Ok(Self(language.to_owned()))
///     }
/// }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be an argument of a handler",
    label = "not something that a call holds",
    note = "a closure takes `Args<T>` for the arguments, `State<T>`, `Context`, `Headers`, \
            `Extension<T>` or `Principal`; implement `Extract` for types of your own"
)]
pub trait Extract: Sized {
    /// Says what this needs of the server, so that a lack is found when the server is built.
    fn describe(needs: &mut Needs) {
        let _ = needs;
    }

    /// Takes the value from the call.
    ///
    /// # Errors
    /// A [`Rejection`] when the call does not hold what is asked for.
    fn extract(ctx: &Context) -> Result<Self, Rejection>;
}

/// Why an extractor found nothing.
#[derive(Debug)]
#[non_exhaustive]
pub enum Rejection {
    /// The call's arguments do not fit; the message is serde's.
    Arguments(String),
    /// Anything else, as the error that answers the call.
    Error(Error),
}

impl From<Error> for Rejection {
    fn from(error: Error) -> Self {
        Self::Error(error)
    }
}

/// What a handler's arguments need of the server and of its schema.
#[derive(Debug, Default)]
pub struct Needs {
    pub(crate) states: Vec<(TypeId, &'static str)>,
    pub(crate) parameters: Vec<Parameters>,
}

impl Needs {
    /// The server must hold a value of this type.
    pub fn state<T: 'static>(&mut self) {
        self.states.push((TypeId::of::<T>(), type_name::<T>()));
    }

    /// The handler decodes the call's arguments into this type.
    pub fn arguments(&mut self, parameters: Parameters) {
        self.parameters.push(parameters);
    }
}

impl Extract for Context {
    fn extract(ctx: &Context) -> Result<Self, Rejection> {
        Ok(ctx.clone())
    }
}

impl Extract for Principal {
    fn extract(ctx: &Context) -> Result<Self, Rejection> {
        ctx.principal().cloned().ok_or_else(|| {
            Error::internal("the handler asks for a Principal, but nothing authenticates callers")
                .into()
        })
    }
}

impl Extract for Option<Principal> {
    fn extract(ctx: &Context) -> Result<Self, Rejection> {
        Ok(ctx.principal().cloned())
    }
}
