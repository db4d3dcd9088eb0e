//! Skills: directories of instructions for an agent, served as resources.
//!
//! [Skills extension](https://modelcontextprotocol.io/seps/2640-skills-extension), SEP-2640.

use serde::de::{self, Deserializer};
use serde::ser::Serializer;
use serde::{Deserialize, Serialize};

use crate::cache::{CacheScope, cacheable};
use crate::jsonrpc::{JsonObject, JsonRpcResultResponse, request};
use crate::meta::{Meta, RequestMeta};
use crate::method;
use crate::pagination::{PaginatedRequestParams, page};
use crate::record::record;
use crate::resources::Resource;
use crate::result::{ResultType, result_body};

/// The identifier of the extension.
pub const EXTENSION: &str = "io.modelcontextprotocol/skills";
/// What the addresses of skills begin with, unless a server has a scheme of its own.
pub const SCHEME: &str = "skill://";
/// The file that makes a directory a skill.
pub const SKILL_FILE: &str = "SKILL.md";
/// The media type of a directory.
pub const DIRECTORY: &str = "inode/directory";
/// What a digest begins with; 64 lowercase hexadecimal digits follow.
pub const DIGEST_PREFIX: &str = "sha256:";
/// How many files every host takes in a skill.
pub const MAX_FILES: usize = 512;
/// How many bytes every host takes in all files of a skill.
pub const MAX_BYTES: u64 = 16 * 1024 * 1024;

record! {
    /// The settings of the extension in a server's capabilities.
    #[derive(Default, Eq)]
    SkillsCapability {
        /// The server answers `resources/directory/read`.
        directory_read: Option<bool>,
    }
}

record! {
    /// A file of a skill.
    #[derive(Eq)]
    SkillResource {
        /// Its address.
        uri: String,
        /// The SHA-256 of its bytes, after [`DIGEST_PREFIX`].
        digest: String,
        /// How many bytes it has.
        size: u64,
    }
}

/// The files of a skill.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SkillResources {
    /// All of them, each once, `SKILL.md` among them.
    Files(Vec<SkillResource>),
    /// They are made when they are asked for, so nothing can be said of them beforehand.
    Dynamic,
}

/// The word on the wire for [`SkillResources::Dynamic`].
const DYNAMIC: &str = "dynamic";

impl Serialize for SkillResources {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Files(files) => files.serialize(serializer),
            Self::Dynamic => serializer.serialize_str(DYNAMIC),
        }
    }
}

impl<'de> Deserialize<'de> for SkillResources {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged)]
        enum Either {
            Files(Vec<SkillResource>),
            Word(String),
        }
        match Either::deserialize(deserializer)? {
            Either::Files(files) => Ok(Self::Files(files)),
            Either::Word(word) if word == DYNAMIC => Ok(Self::Dynamic),
            Either::Word(_) => Err(de::Error::custom("resources are an array or \"dynamic\"")),
        }
    }
}

record! {
    /// A skill: what its `SKILL.md` says of it, and its files.
    ///
    /// ```
    /// use aqueduct_protocol::skills::{Skill, SkillResources};
    ///
    /// let skill = r#"{"uri":"skill://daily/SKILL.md","frontmatter":{"description":"d","name":"daily"},"resources":"dynamic"}"#;
    /// let read: Skill = serde_json::from_str(skill)?;
    /// assert_eq!(read.resources, SkillResources::Dynamic);
    /// assert_eq!(serde_json::to_string(&read)?, skill);
    /// # Ok::<(), serde_json::Error>(())
    /// ```
    #[derive(Eq)]
    Skill {
        /// The address of its `SKILL.md`.
        uri: String,
        /// The frontmatter of its `SKILL.md` as JSON, with every field; `name` and `description`
        /// are always there.
        frontmatter: JsonObject,
        /// Its files.
        resources: SkillResources,
    }
}

request! {
    /// Asks for a page of the skills.
    ListSkillsRequest = method::SKILLS_LIST, PaginatedRequestParams
}

page! {
    /// A page of the skills.
    #[derive(Eq)]
    ListSkillsResult {
        /// The skills.
        skills: Skill
    }
}

/// An answer to [`ListSkillsRequest`].
pub type ListSkillsResultResponse = JsonRpcResultResponse<ListSkillsResult>;

record! {
    /// The parameters of [`GetSkillRequest`].
    #[derive(Eq)]
    GetSkillRequestParams {
        /// What each request says about itself and its client.
        #[serde(rename = "_meta")]
        meta: RequestMeta,
        /// The address of the skill's `SKILL.md`.
        uri: String,
    }
}

request! {
    /// Asks for one skill.
    GetSkillRequest = method::SKILLS_GET, GetSkillRequestParams
}

record! {
    /// One skill.
    #[derive(Eq)]
    GetSkillResult {
        /// Which result this is.
        #[serde(default)]
        result_type: ResultType = ResultType::Complete,
        /// The skill, as the list has it.
        skill: Skill,
        /// For how many milliseconds it may be used without asking again.
        #[serde(default)]
        ttl_ms: u64 = 0,
        /// Who may keep it.
        #[serde(default)]
        cache_scope: CacheScope = CacheScope::Private,
        /// What rides along.
        #[serde(rename = "_meta")]
        meta: Option<Meta>,
    }
}

/// An answer to [`GetSkillRequest`].
pub type GetSkillResultResponse = JsonRpcResultResponse<GetSkillResult>;

result_body!(GetSkillResult);
cacheable!(GetSkillResult);

record! {
    /// The parameters of [`ReadResourceDirectoryRequest`].
    #[derive(Eq)]
    ReadResourceDirectoryRequestParams {
        /// What each request says about itself and its client.
        #[serde(rename = "_meta")]
        meta: RequestMeta,
        /// The address of the directory, without a slash at its end.
        uri: String,
        /// Which page; the first when it is absent.
        cursor: Option<String>,
    }
}

request! {
    /// Asks for a page of what lies in a directory.
    ReadResourceDirectoryRequest =
        method::RESOURCES_DIRECTORY_READ, ReadResourceDirectoryRequestParams
}

record! {
    /// A page of what lies in a directory; no result to be cached.
    ReadResourceDirectoryResult {
        /// Which result this is.
        #[serde(default)]
        result_type: ResultType = ResultType::Complete,
        /// What lies directly in it; a directory has the media type [`DIRECTORY`].
        resources: Vec<Resource>,
        /// Where the next page begins; absent on the last.
        next_cursor: Option<String>,
        /// What rides along.
        #[serde(rename = "_meta")]
        meta: Option<Meta>,
    }
}

/// An answer to [`ReadResourceDirectoryRequest`].
pub type ReadResourceDirectoryResultResponse = JsonRpcResultResponse<ReadResourceDirectoryResult>;

result_body!(ReadResourceDirectoryResult);
