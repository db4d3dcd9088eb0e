//! How far a piece of work is, as a client is told.

use aqueduct_protocol::jsonrpc;
use aqueduct_protocol::method;

/// How far the work is: a number that grows, perhaps a total, perhaps a sentence.
///
/// ```
/// use aqueduct::context::Progress;
///
/// let progress = Progress::new(3).total(10).message("copying");
/// assert_eq!(progress, Progress::from((3, 10, "copying")));
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Progress {
    /// How much is done; it must grow from one report to the next.
    pub progress: f64,
    /// How much there is to do, when that is known.
    pub total: Option<f64>,
    /// What is being done, for people.
    pub message: Option<String>,
}

impl Progress {
    /// So much is done.
    #[must_use]
    pub fn new(progress: impl Amount) -> Self {
        Self { progress: progress.to_f64(), total: None, message: None }
    }

    /// So much there is to do.
    #[must_use]
    pub fn total(mut self, total: impl Amount) -> Self {
        self.total = Some(total.to_f64());
        self
    }

    /// What is being done, for people.
    #[must_use]
    pub fn message(mut self, message: impl Into<String>) -> Self {
        self.message = Some(message.into());
        self
    }

    /// The same for people, as the status message of a task.
    pub(super) fn sentence(&self) -> String {
        let amount = match self.total {
            Some(total) => format!("{} of {total}", self.progress),
            None => self.progress.to_string(),
        };
        match &self.message {
            Some(message) => format!("{message} ({amount})"),
            None => amount,
        }
    }

    /// The notification, as one line of JSON; `None` when a number is not finite.
    pub(super) fn frame(&self, token: &str) -> Option<Vec<u8>> {
        let mut out = Vec::with_capacity(128);
        out.extend_from_slice(br#"{"jsonrpc":"2.0","method":""#);
        out.extend_from_slice(method::NOTIFICATIONS_PROGRESS.as_bytes());
        out.extend_from_slice(br#"","params":{"progressToken":"#);
        out.extend_from_slice(token.as_bytes());
        out.extend_from_slice(br#","progress":"#);
        number(&mut out, self.progress)?;
        if let Some(total) = self.total {
            out.extend_from_slice(br#","total":"#);
            number(&mut out, total)?;
        }
        if let Some(message) = &self.message {
            out.extend_from_slice(br#","message":"#);
            jsonrpc::write_string(&mut out, message);
        }
        out.extend_from_slice(b"}}");
        Some(out)
    }
}

/// Writes whole numbers without a fraction, as clients print them.
fn number(out: &mut Vec<u8>, value: f64) -> Option<()> {
    const EXACT: f64 = 9_007_199_254_740_992.0;
    if !value.is_finite() {
        return None;
    }
    let text = if value.fract() == 0.0 && value.abs() < EXACT {
        format!("{value:.0}")
    } else {
        serde_json::to_string(&value).ok()?
    };
    out.extend_from_slice(text.as_bytes());
    Some(())
}

/// A number that counts something.
///
/// `Into<f64>` is not enough: `usize` and `u64`, which most loops count with, lack it.
pub trait Amount {
    /// The number; whole numbers beyond 2^53 lose their last digits.
    fn to_f64(self) -> f64;
}

macro_rules! amounts {
    ($($kind:ty)*) => {$(
        impl Amount for $kind {
            fn to_f64(self) -> f64 {
                self as f64
            }
        }
    )*};
}

amounts!(u8 u16 u32 u64 usize i8 i16 i32 i64 isize f32 f64);

impl<P: Amount> From<P> for Progress {
    fn from(progress: P) -> Self {
        Self::new(progress)
    }
}

impl<P: Amount, T: Amount> From<(P, T)> for Progress {
    fn from((progress, total): (P, T)) -> Self {
        Self::new(progress).total(total)
    }
}

impl<P: Amount, T: Amount, M: Into<String>> From<(P, T, M)> for Progress {
    fn from((progress, total, message): (P, T, M)) -> Self {
        Self::new(progress).total(total).message(message)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(progress: &Progress) -> String {
        String::from_utf8(progress.frame("\"p\"").unwrap()).unwrap()
    }

    #[test]
    fn whole_numbers_go_out_whole_and_others_as_they_are() {
        assert_eq!(
            text(&(1, 3, "a\"b").into()),
            r#"{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"p","progress":1,"total":3,"message":"a\"b"}}"#
        );
        assert!(text(&0.5.into()).contains(r#""progress":0.5}"#));
        assert!(Progress::from(f64::NAN).frame("1").is_none());
    }
}
