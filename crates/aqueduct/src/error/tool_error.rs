//! The error that handlers fail with: made from any other by `?`, read by the model.

use std::fmt;

use aqueduct_protocol::content::ContentBlock;

use super::{BoxError, Error};

/// Why a handler failed.
///
/// From a tool it becomes a result with `isError: true`, so that the model reads the message and
/// can do better, unless it was made from an [`Error`], which stays a JSON-RPC error.
/// From a prompt or a resource it becomes "internal error" and the cause goes to the log.
///
/// `?` makes it from any error; for that it does not implement [`std::error::Error`] itself.
///
/// ```
/// use aqueduct::ToolError;
///
/// fn page(text: &str) -> Result<u32, ToolError> {
///     let page: u32 = text.parse()?;
///     if page == 0 {
///         return Err(ToolError::new("pages are counted from 1"));
///     }
///     Ok(page)
/// }
///
/// assert_eq!(page("x").unwrap_err().to_string(), "invalid digit found in string");
/// ```
pub struct ToolError(Box<Repr>);

/// What a failure is made of; the feature folders turn it into their kind of answer.
pub(crate) enum Repr {
    /// Said by the handler, for the model.
    Said(Vec<ContentBlock>),
    /// Another error, met by `?`.
    Cause(BoxError),
    /// An error of the protocol, which stays one.
    Protocol(Error),
}

impl ToolError {
    /// A failure in words that help the model to do better.
    #[must_use]
    pub fn new(message: impl Into<String>) -> Self {
        Self::content([ContentBlock::text(message)])
    }

    /// A failure told in content blocks.
    #[must_use]
    pub fn content(content: impl IntoIterator<Item = ContentBlock>) -> Self {
        Self(Box::new(Repr::Said(content.into_iter().collect())))
    }

    /// A failure that stays a JSON-RPC error.
    #[must_use]
    pub fn protocol(error: Error) -> Self {
        Self(Box::new(Repr::Protocol(error)))
    }

    /// A failure made from what is no error itself and becomes one: an `anyhow::Error`, a boxed
    /// error.
    ///
    /// ```
    /// use aqueduct::prelude::*;
    ///
    /// fn read() -> std::result::Result<String, Box<dyn std::error::Error + Send + Sync>> {
    ///     Ok(std::fs::read_to_string("/no/such/file")?)
    /// }
    ///
    /// #[tool]
    /// async fn show() -> Result<String> {
    ///     Ok(read().map_err(ToolError::wrap)?)
    /// }
    /// # let _ = list![show];
    /// ```
    #[must_use]
    pub fn wrap(error: impl Into<BoxError>) -> Self {
        match error.into().downcast::<Error>() {
            Ok(error) => Self::protocol(*error),
            Err(error) => Self(Box::new(Repr::Cause(error))),
        }
    }

    /// The error that it was made from, when that is a `T`.
    pub(crate) fn downcast<T: std::error::Error + 'static>(self) -> Result<T, Self> {
        match *self.0 {
            Repr::Cause(cause) => match cause.downcast() {
                Ok(cause) => Ok(*cause),
                Err(cause) => Err(Self(Box::new(Repr::Cause(cause)))),
            },
            other @ (Repr::Said(_) | Repr::Protocol(_)) => Err(Self(Box::new(other))),
        }
    }

    /// The error that answers where there is no result that says "it failed": all but the
    /// protocol's errors are internal, and `what` is for the log.
    pub(crate) fn into_error(self, what: &str) -> Error {
        match *self.0 {
            Repr::Protocol(error) => error,
            Repr::Cause(cause) => Error::internal(cause),
            said @ Repr::Said(_) => {
                Error::internal(format!("{what} failed: {}", Self(Box::new(said))))
            }
        }
    }

    pub(crate) fn into_repr(self) -> Repr {
        *self.0
    }
}

/// What `?` makes a [`ToolError`] of: every error.
///
/// It stands between the two so that the compiler can say what to write for what is none.
#[diagnostic::on_unimplemented(
    message = "`?` cannot make a `ToolError` of `{Self}`",
    label = "`{Self}` is no `std::error::Error`: write `.map_err(ToolError::wrap)?` for an \
             `anyhow::Error` or a boxed error, and `ToolError::new(\"…\")` for words"
)]
pub trait IntoToolError {
    /// Makes it.
    fn into_tool_error(self) -> ToolError;
}

#[diagnostic::do_not_recommend]
impl<E: std::error::Error + Send + Sync + 'static> IntoToolError for E {
    fn into_tool_error(self) -> ToolError {
        ToolError::wrap(self)
    }
}

impl<E: IntoToolError> From<E> for ToolError {
    fn from(error: E) -> Self {
        error.into_tool_error()
    }
}

impl fmt::Display for ToolError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &*self.0 {
            Repr::Said(content) => {
                for (nth, text) in content.iter().filter_map(ContentBlock::as_text).enumerate() {
                    if nth > 0 {
                        f.write_str("\n")?;
                    }
                    f.write_str(text)?;
                }
                Ok(())
            }
            Repr::Cause(cause) => fmt::Display::fmt(cause, f),
            Repr::Protocol(error) => fmt::Display::fmt(error, f),
        }
    }
}

impl fmt::Debug for ToolError {
    /// Reads like `Display` with the causes after it, because `main` prints what it returns so.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)?;
        let mut cause = match &*self.0 {
            Repr::Said(_) => None,
            Repr::Cause(cause) => cause.source(),
            Repr::Protocol(error) => std::error::Error::source(error),
        };
        while let Some(error) = cause {
            write!(f, "\n  because: {error}")?;
            cause = error.source();
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_protocol_error_survives_the_question_mark() {
        fn fails() -> Result<(), ToolError> {
            Err(Error::not_found("no note 7"))?;
            Ok(())
        }
        let repr = fails().unwrap_err().into_repr();
        assert!(matches!(repr, Repr::Protocol(error) if error.is_not_found()));
    }
}
