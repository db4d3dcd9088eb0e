//! Skills from a directory: what lies in it, read without following a link.

use std::fs;
use std::path::Path;

use aqueduct_protocol::skills::MAX_BYTES;

use super::Set;
use super::error::SkillError;
use super::gather::gather;
use crate::resource::FileRoot;

/// How many directories may lie within each other.
const MAX_DEPTH: usize = 32;
/// How much may lie in a directory of skills at all.
const MAX_ENTRIES: usize = 65_536;

/// The skills below a directory.
pub(super) fn load(path: &Path) -> Result<Set, SkillError> {
    let opened = FileRoot::open(path);
    let root = opened.map_err(|error| format!("{}: {error}", path.display()))?;
    let mut found = Found::default();
    found.walk(path, "", 0);
    if !found.problems.is_empty() {
        return Err(SkillError::new(found.problems));
    }
    // Whatever happens to the directory meanwhile, no link is followed and nothing outside read.
    gather(&found.files, |path| {
        let read = root.read(path, MAX_BYTES);
        read.map(|file| file.bytes).map_err(|error| error.reason().to_owned())
    })
}

/// What a walk has found: the path of each file below the top, with its size.
#[derive(Default)]
struct Found {
    files: Vec<(String, u64)>,
    seen: usize,
    problems: Vec<String>,
}

impl Found {
    fn walk(&mut self, directory: &Path, below: &str, depth: usize) {
        let shown = if below.is_empty() { "the directory" } else { below };
        if depth > MAX_DEPTH {
            self.problems.push(format!("{shown:?}: more than {MAX_DEPTH} directories deep"));
            return;
        }
        let entries = match fs::read_dir(directory) {
            Ok(entries) => entries,
            Err(error) => return self.problems.push(format!("{shown:?}: {error}")),
        };
        for entry in entries {
            let (name, kind, entry) = match entry.and_then(|one| Ok((one.file_type()?, one))) {
                Ok((kind, entry)) => (entry.file_name(), kind, entry),
                Err(error) => return self.problems.push(format!("{shown:?}: {error}")),
            };
            let Some(name) = name.to_str() else {
                self.problems.push(format!("{shown:?}: the name {name:?} is not UTF-8; rename it"));
                continue;
            };
            if name.starts_with('.') {
                continue;
            }
            self.seen += 1;
            if self.seen > MAX_ENTRIES {
                // Once is enough, on every level.
                if self.seen == MAX_ENTRIES + 1 {
                    self.problems.push(format!("more than {MAX_ENTRIES} files and directories"));
                }
                return;
            }
            let path = if below.is_empty() { name.to_owned() } else { format!("{below}/{name}") };
            if kind.is_dir() {
                self.walk(&entry.path(), &path, depth + 1);
            } else if kind.is_file() {
                match entry.metadata() {
                    Ok(metadata) => self.files.push((path, metadata.len())),
                    Err(error) => self.problems.push(format!("{path:?}: {error}")),
                }
            } else if kind.is_symlink() {
                self.problems.push(format!(
                    "{path:?} is a symbolic link, which is not followed; put what it leads to there"
                ));
            } else {
                self.problems.push(format!("{path:?} is neither a file nor a directory"));
            }
        }
    }
}
