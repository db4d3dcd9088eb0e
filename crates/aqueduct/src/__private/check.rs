//! The checks of arguments that their author wrote.

use std::fmt::{Display, Write as _};

use serde::de::Error;

use crate::extract::CHECKED;

/// What the checks of one call found.
#[derive(Debug, Default)]
pub struct Checks(String);

impl Checks {
    /// Adds what one check said of the argument of this name.
    pub fn add<E: Display>(&mut self, name: &str, checked: Result<(), E>) {
        if let Err(why) = checked {
            let between = if self.0.is_empty() { CHECKED } else { "\n" };
            // Writing to a string cannot fail.
            let _done = write!(self.0, "{between}/{name}: {why}");
        }
    }

    /// Ends the checks.
    ///
    /// # Errors
    /// When one of them found something.
    pub fn end<E: Error>(self) -> Result<(), E> {
        if self.0.is_empty() { Ok(()) } else { Err(E::custom(self.0)) }
    }
}
