//! Skills: directories of instructions for an agent, served as resources (SEP-2640).
//!
//! What is served is what was read when the server was made: every file, its digest and its size
//! agree for as long as the process runs, and no request touches the disk.

mod address;
#[cfg(unix)]
mod directory;
mod error;
mod frontmatter;
mod gather;
mod media_type;
mod repo;

use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

use aqueduct_protocol::cache::CacheHint;

pub use self::error::SkillError;
pub use aqueduct_protocol::skills::{Skill, SkillResource, SkillResources};

use crate::resource::{ErasedRepo, ResourceItem};

/// Skills that a server serves by `skills/list`, `skills/get`, `resources/directory/read` and
/// `resources/read`.
///
/// A skill is a directory with a `SKILL.md`, whose frontmatter has at least a `name`, which is the
/// name of the directory too, and a `description`
/// ([Agent Skills](https://agentskills.io/specification)).
/// Its address is `skill://`, the path of its directory and `/SKILL.md`; directories above it are
/// a prefix that has no meaning. A skill within a skill is a skill of its own, and its files are
/// those of the outer one too.
///
/// Names that begin with a dot are left out, and so is what lies in no skill.
/// A skill has at most 512 files and 16 MiB, which is what every host takes (SEP-2640 › Limits).
///
/// [`Server::visibility`](crate::Server::visibility) holds for skills as for resources: whoever
/// does not see the `SKILL.md` has no such skill. A rule that hides a skill goes by the beginning
/// of its addresses, so that it hides the other files too.
///
/// ```
/// use aqueduct::prelude::*;
/// use aqueduct::server::Skills;
///
/// let skills = Skills::embedded([(
///     "git-workflow/SKILL.md",
///     "---\nname: git-workflow\ndescription: How this team commits\n---\n\nSmall commits.\n",
/// )])?;
/// let service = Server::new("docs", "1.0.0").skills(skills).build()?;
/// # let _ = service;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Skills {
    set: Arc<Set>,
    cache: CacheHint,
}

/// What was found, in the order of the paths.
#[derive(Default)]
struct Set {
    skills: Vec<Skill>,
    /// The items of the `SKILL.md`s, in the order of the skills.
    listed: Vec<ResourceItem>,
    index: HashMap<String, usize>,
    files: HashMap<String, File>,
    directories: HashMap<String, Vec<ResourceItem>>,
}

/// A file of a skill.
#[derive(Clone)]
struct File {
    mime_type: &'static str,
    contents: Contents,
}

#[derive(Clone)]
enum Contents {
    Text(String),
    Bytes(Vec<u8>),
}

impl Skills {
    /// The skills below a directory, at any depth.
    ///
    /// It waits for the disk. Symbolic links are never followed: one in a skill is refused, and so
    /// is what is neither a file nor a directory. The path of the directory itself may lead over
    /// links.
    ///
    /// # Errors
    /// All that is wrong, at once: a `SKILL.md` without frontmatter, a name that is not that of
    /// its directory, a skill above the limits, a link, a file that cannot be read.
    #[cfg(unix)]
    pub fn directory(path: impl AsRef<std::path::Path>) -> Result<Self, SkillError> {
        directory::load(path.as_ref()).map(Self::of)
    }

    /// Skills from their files, each with its path below the top: from `include_str!`, say.
    ///
    /// # Errors
    /// As [`directory`](Self::directory), and when a path is there twice or is none.
    pub fn embedded<P, B>(files: impl IntoIterator<Item = (P, B)>) -> Result<Self, SkillError>
    where
        P: Into<String>,
        B: Into<Vec<u8>>,
    {
        gather::embedded(files.into_iter().map(|(path, bytes)| (path.into(), bytes.into())))
            .map(Self::of)
    }

    fn of(set: Set) -> Self {
        Self { set: Arc::new(set), cache: CacheHint::default() }
    }

    /// For how long and for whom the skills and their files may be kept; the default is not at
    /// all.
    #[must_use]
    pub fn cache(mut self, cache: CacheHint) -> Self {
        self.cache = cache;
        self
    }

    /// The skills, in the order of their paths.
    #[must_use]
    pub fn entries(&self) -> &[Skill] {
        &self.set.skills
    }

    pub(crate) fn cache_hint(&self) -> CacheHint {
        self.cache
    }

    /// The skill whose `SKILL.md` has this address.
    pub(crate) fn get(&self, uri: &str) -> Option<&Skill> {
        self.set.index.get(uri).and_then(|place| self.set.skills.get(*place))
    }

    /// What lies directly in the directory of this address.
    pub(crate) fn children(&self, uri: &str) -> Option<&[ResourceItem]> {
        self.set.directories.get(uri).map(Vec::as_slice)
    }

    /// Is there a file of this address?
    pub(crate) fn is_file(&self, uri: &str) -> bool {
        self.set.files.contains_key(uri)
    }

    /// The files, as resources.
    pub(crate) fn repo(&self) -> Arc<dyn ErasedRepo> {
        Arc::new(self.clone())
    }

    /// All skills of both; what both have is told.
    pub(crate) fn join(self, other: &Self, problems: &mut Vec<String>) -> Self {
        let clashes = other.set.files.keys().filter(|uri| self.set.files.contains_key(*uri));
        let mut clashes: Vec<_> =
            clashes.map(|uri| format!("the skill file {uri:?} is given twice")).collect();
        clashes.sort();
        problems.extend(clashes);
        let mut set = Set::default();
        for one in [&*self.set, &*other.set] {
            set.skills.extend(one.skills.iter().cloned());
            set.listed.extend(one.listed.iter().cloned());
            set.files.extend(one.files.iter().map(|(uri, file)| (uri.clone(), file.clone())));
            for (uri, children) in &one.directories {
                let known = set.directories.entry(uri.clone()).or_default();
                let new = |item: &&ResourceItem| known.iter().all(|other| other.uri != item.uri);
                let new: Vec<_> = children.iter().filter(new).cloned().collect();
                known.extend(new);
            }
        }
        set.index();
        Self { set: Arc::new(set), cache: self.cache }
    }
}

impl Set {
    fn index(&mut self) {
        let named = self.skills.iter().enumerate();
        self.index = named.map(|(place, skill)| (skill.uri.clone(), place)).collect();
    }
}

impl fmt::Debug for Skills {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let uris = self.set.skills.iter().map(|skill| &skill.uri);
        f.debug_list().entries(uris).finish()
    }
}
