//! From files to skills: which directories are skills, what each says of itself, its files.

use std::collections::{BTreeMap, BTreeSet};

use aqueduct_protocol::skills::{
    DIGEST_PREFIX, DIRECTORY, MAX_BYTES, MAX_FILES, SKILL_FILE, Skill, SkillResource,
    SkillResources,
};
use serde_json::{Map, Value};
use sha2::{Digest as _, Sha256};

use super::address::{address, path_problem};
use super::error::SkillError;
use super::media_type::media_type;
use super::{Contents, File, Set, frontmatter};
use crate::resource::ResourceItem;

/// How many bytes all skills of a server may have; they are held in memory.
const MAX_TOTAL: u64 = 256 * 1024 * 1024;

/// Skills from files that are at hand.
pub(super) fn embedded(files: impl Iterator<Item = (String, Vec<u8>)>) -> Result<Set, SkillError> {
    let mut all = BTreeMap::new();
    let mut problems = Vec::new();
    for (path, bytes) in files {
        if all.contains_key(&path) {
            problems.push(format!("{path:?} is given twice"));
        }
        all.insert(path, bytes);
    }
    if !problems.is_empty() {
        return Err(SkillError::new(problems));
    }
    let sizes: Vec<_> = all.iter().map(|(path, bytes)| (path.clone(), size(bytes))).collect();
    gather(&sizes, |path| all.remove(path).ok_or_else(|| "is not there".to_owned()))
}

fn size(bytes: &[u8]) -> u64 {
    u64::try_from(bytes.len()).unwrap_or(u64::MAX)
}

/// Skills from the paths of all files, their sizes, and what reads one.
///
/// Only what lies in a skill is read, and each file once.
pub(super) fn gather(
    sizes: &[(String, u64)],
    mut read: impl FnMut(&str) -> Result<Vec<u8>, String>,
) -> Result<Set, SkillError> {
    let mut problems = Vec::new();
    let homes: BTreeSet<&str> = sizes.iter().filter_map(|(path, _)| home(path)).collect();
    if homes.contains("") {
        problems.push(format!(
            "{SKILL_FILE} lies at the top; give the directory above, whose directories are skills"
        ));
    }
    let is_in =
        |path: &str, home: &str| path.strip_prefix(home).is_some_and(|rest| rest.starts_with('/'));
    let kept: Vec<_> =
        sizes.iter().filter(|(path, _)| homes.iter().any(|home| is_in(path, home))).collect();
    let odd = kept.iter().filter_map(|(path, _)| Some((path, path_problem(path)?)));
    problems.extend(odd.map(|(path, problem)| format!("{path:?} {problem}")));
    for home in &homes {
        let files = kept.iter().filter(|(path, _)| is_in(path, home));
        let (count, bytes) = files
            .fold((0, 0_u64), |(count, bytes), (_, size)| (count + 1, bytes.saturating_add(*size)));
        if count > MAX_FILES || bytes > MAX_BYTES {
            problems.push(format!(
                "skill {home:?} has {count} files and {bytes} bytes; hosts take {MAX_FILES} files \
                 and {MAX_BYTES} bytes (SEP-2640)"
            ));
        }
    }
    if kept.iter().fold(0_u64, |sum, (_, size)| sum.saturating_add(*size)) > MAX_TOTAL {
        problems.push(format!("all skills together have more than {MAX_TOTAL} bytes"));
    }
    if !problems.is_empty() {
        return Err(SkillError::new(problems));
    }
    let mut set = Set::default();
    let mut manifest = BTreeMap::new();
    let mut fronts = BTreeMap::new();
    for (path, _) in kept {
        match read(path).and_then(|bytes| take(path, bytes)) {
            Ok(taken) => {
                manifest.insert(path.as_str(), taken.resource);
                fronts.extend(taken.front.map(|front| (path.as_str(), front)));
                set.files.insert(address(path), taken.file);
            }
            Err(problem) => problems.push(format!("{path:?}: {problem}")),
        }
    }
    if !problems.is_empty() {
        return Err(SkillError::new(problems));
    }
    for (path, front) in &fronts {
        let home = home(path).unwrap_or_default();
        let files = manifest.iter().filter(|(path, _)| is_in(path, home));
        let files = files.map(|(_, resource)| resource.clone()).collect();
        set.skills.push(Skill::new(address(path), front.clone(), SkillResources::Files(files)));
    }
    set.describe(&manifest, &fronts);
    set.index();
    Ok(set)
}

/// The directory that this file makes a skill.
fn home(path: &str) -> Option<&str> {
    match path.rsplit_once('/') {
        Some((home, SKILL_FILE)) => Some(home),
        None if path == SKILL_FILE => Some(""),
        _ => None,
    }
}

/// A file once it was read.
struct Taken {
    resource: SkillResource,
    file: File,
    front: Option<Map<String, Value>>,
}

fn take(path: &str, bytes: Vec<u8>) -> Result<Taken, String> {
    let mut digest = DIGEST_PREFIX.to_owned();
    for byte in Sha256::digest(&bytes) {
        digest.push_str(&format!("{byte:02x}"));
    }
    let resource = SkillResource::new(address(path), digest, size(&bytes));
    let contents = match String::from_utf8(bytes) {
        Ok(text) => Contents::Text(text),
        Err(bytes) => Contents::Bytes(bytes.into_bytes()),
    };
    let front = match (home(path), &contents) {
        (None, _) => None,
        (Some(home), Contents::Text(text)) => Some(front(home, text)?),
        (Some(_), Contents::Bytes(_)) => return Err("it is not UTF-8".to_owned()),
    };
    let mime_type = media_type(path, matches!(contents, Contents::Text(_)));
    Ok(Taken { resource, file: File { mime_type, contents }, front })
}

/// The frontmatter of the skill in this directory, which has the skill's name.
fn front(home: &str, text: &str) -> Result<Map<String, Value>, String> {
    let front = frontmatter::parse(text)?;
    let name = front.get("name").and_then(Value::as_str).unwrap_or_default();
    let directory = home.rsplit('/').next().unwrap_or(home);
    if name != directory {
        return Err(format!(
            "its name is {name:?}, and its directory is {directory:?}; name both alike (SEP-2640)"
        ));
    }
    Ok(front)
}

impl Set {
    /// Writes down what lists say of each file and each directory.
    fn describe(
        &mut self,
        manifest: &BTreeMap<&str, SkillResource>,
        fronts: &BTreeMap<&str, Map<String, Value>>,
    ) {
        let mut directories: BTreeMap<&str, BTreeMap<&str, ResourceItem>> = BTreeMap::new();
        for (path, resource) in manifest {
            let mut item = match fronts.get(path) {
                Some(front) => headed(&resource.uri, front),
                None => ResourceItem::new(&resource.uri, last(path)),
            };
            item.size = Some(resource.size);
            item.mime_type = self.files.get(&resource.uri).map(|file| file.mime_type.to_owned());
            if fronts.contains_key(path) {
                self.listed.push(item.clone());
            }
            let mut child = (*path, item);
            while let Some((parent, _)) = child.0.rsplit_once('/') {
                directories.entry(parent).or_default().insert(child.0, child.1);
                let item = ResourceItem::new(address(parent), last(parent)).mime_type(DIRECTORY);
                child = (parent, item);
            }
        }
        let children = |all: BTreeMap<&str, ResourceItem>| all.into_values().collect();
        self.directories =
            directories.into_iter().map(|(path, all)| (address(path), children(all))).collect();
    }
}

/// A `SKILL.md` in lists: under the skill's name, with what it says of itself.
fn headed(uri: &str, front: &Map<String, Value>) -> ResourceItem {
    let text = |field: &str| front.get(field).and_then(Value::as_str).unwrap_or_default();
    ResourceItem::new(uri, text("name")).description(text("description"))
}

fn last(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}
