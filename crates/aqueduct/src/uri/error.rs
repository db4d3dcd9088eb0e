//! What can be wrong with a template (its author's mistake) or with a URI (its sender's).

use std::fmt;

/// Why a text is not a URI template, or not one that URIs can be matched against.
///
/// The message names the template, the byte, what was expected there and the mend.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TemplateError {
    template: String,
    fault: Fault,
}

impl TemplateError {
    pub(super) fn new(template: &str, fault: Fault) -> Self {
        Self { template: template.to_owned(), fault }
    }

    /// The byte offset in the template at which the trouble begins.
    #[must_use]
    pub const fn position(&self) -> usize {
        self.fault.position
    }
}

impl fmt::Display for TemplateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Fault { position, problem, mend } = &self.fault;
        write!(f, "URI template {:?}, byte {position}: {problem}; {mend}", self.template)
    }
}

impl std::error::Error for TemplateError {}

/// A [`TemplateError`] that does not know its template yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Fault {
    position: usize,
    problem: String,
    mend: String,
}

impl Fault {
    pub(super) fn new(
        position: usize,
        problem: impl Into<String>,
        mend: impl Into<String>,
    ) -> Self {
        Self { position, problem: problem.into(), mend: mend.into() }
    }
}

/// Why a text is not a URI that any template could match.
///
/// A server answers it with "invalid params" (-32602), see
/// [Resources, Security Considerations](https://modelcontextprotocol.io/specification/2026-07-28/server/resources#security-considerations).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UriError(UriFault);

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum UriFault {
    TooLong { bytes: usize, limit: usize },
    Escape { at: usize },
    NotUtf8 { at: usize },
    Control { at: usize },
    Brace { at: usize },
}

impl From<UriFault> for UriError {
    fn from(fault: UriFault) -> Self {
        Self(fault)
    }
}

impl fmt::Display for UriError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            UriFault::TooLong { bytes, limit } => {
                write!(f, "the URI has {bytes} bytes, more than {limit}")
            }
            UriFault::Escape { at } => write!(
                f,
                "the escape at byte {at} of the URI is not `%` and two hexadecimal digits; \
                 a percent sign itself is written `%25`"
            ),
            UriFault::NotUtf8 { at } => {
                write!(f, "the escapes at byte {at} of the URI do not decode to UTF-8")
            }
            UriFault::Control { at } => {
                write!(f, "a bare control character stands at byte {at} of the URI")
            }
            UriFault::Brace { at } => write!(
                f,
                "a bare brace stands at byte {at} of the URI; \
                 put values in the place of a template's variables before reading it"
            ),
        }
    }
}

impl std::error::Error for UriError {}
