//! Bringing many notes in at once, as a task that goes on where a restart has interrupted it.

use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use aqueduct::prelude::*;
use serde::Deserialize;

use crate::resources::TAGS;
use crate::store::{Memory, NewNote};

/// How many bytes a file of notes may have.
const MAX_FILE: u64 = 64 * 1024 * 1024;
/// How many notes are written down as done at once.
const CHUNK: usize = 200;
/// How many refused notes are told one by one.
const MAX_TOLD: usize = 20;

/// The folder from which notes may be imported; nothing outside of it is read.
#[derive(Debug)]
pub struct Folder(PathBuf);

impl Folder {
    /// A folder that is there.
    ///
    /// # Errors
    /// When it is not.
    pub fn open(path: &Path) -> Result<Self, String> {
        let found = path.canonicalize().ok().filter(|path| path.is_dir());
        found.map(Self).ok_or_else(|| format!("--import-from {path:?} is not a folder"))
    }

    /// A file or folder below, however it is named.
    fn find(&self, name: &str) -> Result<PathBuf, ToolError> {
        let found = self.0.join(name).canonicalize().ok();
        found.filter(|path| path.starts_with(&self.0)).ok_or_else(|| {
            ToolError::new(format!(
                "there is nothing to import at {name:?}; name a file or a folder as it is called \
                 within the folder for imports"
            ))
        })
    }
}

/// A note before it is kept, and where it stands.
struct Found {
    place: String,
    note: Result<NewNote, String>,
}

/// A line of a file of notes.
#[derive(Deserialize)]
struct Line {
    text: String,
    #[serde(default)]
    tags: Vec<String>,
    source: Option<String>,
}

/// What came of an import.
#[output]
#[derive(Debug, Default, Deserialize)]
pub struct Imported {
    /// How many notes are new
    new: u64,
    /// How many were there already, word for word
    already_known: u64,
    /// How many were refused
    refused: u64,
    /// Why, for the first of them
    reasons: Vec<String>,
}

impl Imported {
    fn add(&mut self, other: Self) {
        self.new += other.new;
        self.already_known += other.already_known;
        self.refused += other.refused;
        self.reasons.extend(other.reasons);
        self.reasons.truncate(MAX_TOLD);
    }
}

/// Bring many notes into the memory at once, from the folder that the user has set aside for
/// imports: a file of JSON lines, each `{"text": …, "tags": […], "source": …}` with tags and source
/// optional, or a folder of `.md` and `.txt` files, each of which is one note. Import only what the
/// user asks for by name.
///
/// Notes that are there already word for word are not kept twice, so an import can be done again.
/// Returns how many notes are new, known already, and refused, with the reasons for the first of
/// those. It runs as a task and tells how far it is; a restart of the server does not lose it.
#[tool(
    title = "Import notes",
    task,
    recover = "rerun",
    task_ttl = "24h",
    timeout = "6h",
    destructive = false,
    idempotent,
    open_world = false
)]
async fn import(
    /// The file or the folder, as it is called within the folder for imports
    name: String,
    /// Tags for every note, beside its own
    #[arg(default)]
    tags: Vec<String>,
    memory: State<Memory>,
    folder: State<Folder>,
    ctx: Context,
) -> Result<Json<Imported>> {
    let path = folder.find(&name)?;
    let found = tokio::task::spawn_blocking(move || read(&path)).await?;
    let found = found.map_err(|error| ToolError::new(format!("{name:?}: {error}")))?;
    let (total, mut done) = (found.len(), 0);
    let mut imported = Imported::default();
    let mut rest = found.into_iter();
    for number in 0.. {
        let chunk: Vec<Found> = rest.by_ref().take(CHUNK).collect();
        if chunk.is_empty() {
            break;
        }
        let count = chunk.len();
        let of_chunk: Imported = ctx
            .once(&format!("chunk {number}"), async || keep(&memory, &tags, chunk).await)
            .await?;
        imported.add(of_chunk);
        done += count;
        ctx.progress((done, total, "importing"));
    }
    ctx.notify().resources_changed();
    ctx.notify().resource_updated(TAGS);
    Ok(Json(imported))
}

async fn keep(memory: &Memory, tags: &[String], notes: Vec<Found>) -> Result<Imported> {
    let mut imported = Imported::default();
    for Found { place, note } in notes {
        let kept = match note {
            Ok(mut note) => {
                note.tags.extend(tags.iter().cloned());
                memory.remember(note).await
            }
            Err(why) => {
                imported.refused += 1;
                imported.reasons.push(format!("{place}: {why}"));
                continue;
            }
        };
        match kept {
            Ok(kept) if kept.already_known => imported.already_known += 1,
            Ok(_) => imported.new += 1,
            Err(error) if error.is_invalid() => {
                imported.refused += 1;
                imported.reasons.push(format!("{place}: {error}"));
            }
            Err(error) => return Err(error.into()),
        }
    }
    imported.reasons.truncate(MAX_TOLD);
    Ok(imported)
}

fn read(path: &Path) -> io::Result<Vec<Found>> {
    if path.is_dir() { files(path) } else { lines(path) }
}

fn whole(path: &Path) -> io::Result<String> {
    let bytes = fs::metadata(path)?.len();
    if bytes > MAX_FILE {
        let message = format!("it has {bytes} bytes, and {MAX_FILE} are the limit; split it");
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, message));
    }
    fs::read_to_string(path)
}

fn lines(path: &Path) -> io::Result<Vec<Found>> {
    let text = whole(path)?;
    let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    let found = lines.map(|(number, line)| {
        let line = serde_json::from_str(line).map_err(|error| error.to_string());
        let note =
            line.map(|Line { text, tags, source }| NewNote { tags, source, ..NewNote::new(text) });
        Found { place: format!("line {}", number + 1), note }
    });
    Ok(found.collect())
}

/// One note a file; what lies in folders below is not read, and links are not followed.
fn files(path: &Path) -> io::Result<Vec<Found>> {
    let mut paths = Vec::new();
    for entry in fs::read_dir(path)? {
        let entry = entry?;
        let path = entry.path();
        let is_text = matches!(path.extension().and_then(OsStr::to_str), Some("md" | "txt"));
        if is_text && entry.file_type()?.is_file() {
            paths.push(path);
        }
    }
    paths.sort();
    let found = paths.iter().map(|path| {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let note = whole(path).map_err(|error| error.to_string());
        let note = note.map(|text| NewNote { source: Some(name.clone()), ..NewNote::new(text) });
        Found { place: name, note }
    });
    Ok(found.collect())
}

/// The tool, for a server that has a [`Folder`] among its state.
#[must_use]
pub fn tools() -> [Tool; 1] {
    list![import]
}
