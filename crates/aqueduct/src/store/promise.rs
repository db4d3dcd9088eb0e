//! What a store promises about what it has acknowledged.

use std::fmt;
use std::time::Duration;

/// What a write that was acknowledged survives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Durability {
    /// Nothing: it is gone when the process ends.
    Process,
    /// Nothing for certain: the store saves now and then, or never.
    Chance,
    /// A crash loses what was acknowledged in the last moments, at most this long.
    Window(Duration),
    /// A crash of the process and of the machine: it was synced before it was acknowledged.
    Synced,
}

/// What a store promises; its text is one line for a log.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Promise {
    /// Which store it is.
    pub store: &'static str,
    /// What an acknowledged write survives.
    pub durability: Durability,
    /// Whether other nodes see the same entries.
    pub is_shared: bool,
    /// What else there is to say.
    pub note: Option<String>,
}

impl Promise {
    /// A promise of a store for this process alone.
    #[must_use]
    pub const fn new(store: &'static str, durability: Durability) -> Self {
        Self { store, durability, is_shared: false, note: None }
    }

    /// Other nodes see the same entries.
    #[must_use]
    pub const fn shared(mut self) -> Self {
        self.is_shared = true;
        self
    }

    /// Something else that whoever runs the server should know.
    #[must_use]
    pub fn note(mut self, note: impl Into<String>) -> Self {
        self.note = Some(note.into());
        self
    }
}

impl fmt::Display for Promise {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.store)?;
        match self.durability {
            Durability::Process => f.write_str("what is stored is gone when this process ends")?,
            Durability::Chance => {
                f.write_str("a crash of the store may lose anything that was acknowledged")?;
            }
            Durability::Window(window) => write!(
                f,
                "a crash of the store may lose what was acknowledged in the last {window:?}"
            )?,
            Durability::Synced => {
                f.write_str("what was acknowledged survives a crash, the machine's included")?;
            }
        }
        f.write_str(if self.is_shared {
            "; shared by all nodes"
        } else {
            "; for this node alone"
        })?;
        let Some(note) = &self.note else { return Ok(()) };
        write!(f, "; {note}")
    }
}
