//! The board: a page on which a person lists, searches and edits the notes, inside of a host.

use aqueduct::{prelude::*, server::App};

use crate::store::{Memory, Recalled, Search};

/// Where the page is read.
pub const PAGE: &str = "ui://memory/board";

/// How many notes the model is told of; the page asks for its own.
const NOTES: u32 = 20;

/// Show the user a board of what is remembered, where he can search, correct and remove notes
/// himself. Do so when he wants to see, browse or tidy up the memory; to look something up for
/// yourself, use recall.
///
/// Returns the notes that the board begins with, the newest first or the best match of the query.
#[tool(title = "Memory board", read_only, open_world = false, ui = "ui://memory/board")]
async fn board(
    /// What the board is to show first; leave it out for the newest notes
    #[arg(default)]
    query: String,
    memory: State<Memory>,
) -> Result<Json<Recalled>> {
    Ok(Json(memory.recall(Search::new(query).limit(NOTES)).await?))
}

/// The tool that shows the board.
#[must_use]
pub fn tool() -> [Tool; 1] {
    list![board]
}

/// The page: one file that loads nothing and reaches nothing but its host.
pub fn page() -> App {
    App::new(PAGE, "Memory board", include_str!("page.html"))
        .description("Lists, searches and edits what is remembered")
        .prefers_border(true)
}
