//! The memory from outside: what it keeps, finds, refuses and survives.
#![expect(
    clippy::expect_used,
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test fails by panicking, and its helpers are not exempt by themselves"
)]

mod crash;
mod file;
mod hostile;
mod keep;
mod page;
mod recall;
mod serve;
mod speed;

use memory::store::{Memory, NewNote, NoteId, Recalled, Search};
use tempfile::TempDir;

/// A memory in a directory of its own, which goes when the test ends.
struct Fresh {
    memory: Memory,
    directory: TempDir,
}

impl Fresh {
    fn new() -> Self {
        let directory = tempfile::tempdir().expect("a directory");
        let memory = Memory::open(directory.path().join("memory.db")).expect("a memory");
        Self { memory, directory }
    }

    async fn keep(&self, text: &str, tags: &[&str]) -> NoteId {
        let note = NewNote::new(text).tags(tags.iter().copied());
        self.memory.remember(note).await.expect("a note").note.id
    }

    async fn find(&self, query: &str) -> Recalled {
        self.memory.recall(Search::new(query)).await.expect("an answer")
    }
}

/// The texts of an answer, in its order.
fn texts(found: &Recalled) -> Vec<&str> {
    found.hits.iter().map(|hit| hit.text.as_str()).collect()
}

/// Numbers that look random and are the same in every run (xorshift64*).
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        let spread = self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33;
        usize::try_from(spread).expect("31 bits") % sides
    }
}
