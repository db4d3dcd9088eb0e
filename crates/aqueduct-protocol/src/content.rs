//! What tools and prompts say: text, pictures, sound, resources.

use std::fmt;

use serde::de::{self, Deserializer};
use serde::ser::Serializer;
use serde::{Deserialize, Serialize};

use crate::base64;
use crate::icons::Icon;
use crate::meta::Meta;
use crate::record::{record, words};
use crate::resources::{Resource, ResourceContents};

words! {
    /// Who speaks or listens.
    Role {
        /// The person.
        User = "user",
        /// The model.
        Assistant = "assistant",
    }
}

record! {
    /// What a client may want to know about content or a resource when it decides what to show.
    #[derive(Default)]
    Annotations {
        /// Whom it is for.
        audience: Option<Vec<Role>>,
        /// How much it matters.
        priority: Option<Priority>,
        /// When it last changed, as ISO 8601.
        last_modified: Option<String>,
    }
}

/// How much something matters: from 0, not at all, to 1, required.
///
/// ```
/// use aqueduct_protocol::content::Priority;
///
/// assert!(Priority::new(0.8).is_ok());
/// assert!(Priority::new(1.5).is_err());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct Priority(f64);

/// A priority below 0, above 1, or not a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InvalidPriority(());

impl Priority {
    /// A priority from 0 to 1.
    ///
    /// # Errors
    ///
    /// When the value lies outside.
    pub fn new(value: f64) -> Result<Self, InvalidPriority> {
        if (0.0..=1.0).contains(&value) { Ok(Self(value)) } else { Err(InvalidPriority(())) }
    }

    /// The value.
    #[must_use]
    pub const fn get(self) -> f64 {
        self.0
    }
}

impl TryFrom<f64> for Priority {
    type Error = InvalidPriority;

    fn try_from(value: f64) -> Result<Self, InvalidPriority> {
        Self::new(value)
    }
}

impl fmt::Display for InvalidPriority {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a priority lies between 0 and 1")
    }
}

impl std::error::Error for InvalidPriority {}

impl Serialize for Priority {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        crate::number::write(&self.0, serializer)
    }
}

impl<'de> Deserialize<'de> for Priority {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::new(f64::deserialize(deserializer)?).map_err(de::Error::custom)
    }
}

record! {
    /// Text.
    #[serde(tag = "type", rename = "text")]
    TextContent {
        /// What it says.
        text: String,
        /// What a client may want to know about it.
        annotations: Option<Annotations>,
        /// What rides along.
        #[serde(rename = "_meta")]
        meta: Option<Meta>,
    }
}

record! {
    /// A picture.
    #[serde(tag = "type", rename = "image")]
    ImageContent {
        /// The picture in Base64.
        data: String,
        /// What kind of picture.
        mime_type: String,
        /// What a client may want to know about it.
        annotations: Option<Annotations>,
        /// What rides along.
        #[serde(rename = "_meta")]
        meta: Option<Meta>,
    }
}

record! {
    /// Sound.
    #[serde(tag = "type", rename = "audio")]
    AudioContent {
        /// The sound in Base64.
        data: String,
        /// What kind of sound.
        mime_type: String,
        /// What a client may want to know about it.
        annotations: Option<Annotations>,
        /// What rides along.
        #[serde(rename = "_meta")]
        meta: Option<Meta>,
    }
}

record! {
    /// The contents of a resource, within other content.
    #[serde(tag = "type", rename = "resource")]
    EmbeddedResource {
        /// The contents.
        resource: ResourceContents,
        /// What a client may want to know about it.
        annotations: Option<Annotations>,
        /// What rides along.
        #[serde(rename = "_meta")]
        meta: Option<Meta>,
    }
}

record! {
    /// A resource that the client may read.
    #[serde(tag = "type", rename = "resource_link")]
    ResourceLink {
        /// The resource's address.
        uri: String,
        /// Its name for programs.
        name: String,
        /// Its name for people.
        title: Option<String>,
        /// What it is.
        description: Option<String>,
        /// What kind of contents it has.
        mime_type: Option<String>,
        /// How many bytes its contents have, before any Base64.
        size: Option<u64>,
        /// Its pictures.
        icons: Option<Vec<Icon>>,
        /// What a client may want to know about it.
        annotations: Option<Annotations>,
        /// What rides along.
        #[serde(rename = "_meta")]
        meta: Option<Meta>,
    }
}

impl From<Resource> for ResourceLink {
    fn from(resource: Resource) -> Self {
        Self {
            uri: resource.uri,
            name: resource.name,
            title: resource.title,
            description: resource.description,
            mime_type: resource.mime_type,
            size: resource.size,
            icons: resource.icons,
            annotations: resource.annotations,
            meta: resource.meta,
        }
    }
}

/// One piece of content.
///
/// ```
/// use aqueduct_protocol::content::{Annotations, Content, Role};
///
/// let said = Content::text("done").annotations(Annotations::new().audience(vec![Role::User]));
/// assert_eq!(
///     serde_json::to_string(&said)?,
///     r#"{"type":"text","text":"done","annotations":{"audience":["user"]}}"#,
/// );
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
#[non_exhaustive]
pub enum ContentBlock {
    /// Text.
    Text(TextContent),
    /// A picture.
    Image(ImageContent),
    /// Sound.
    Audio(AudioContent),
    /// A resource that the client may read.
    ResourceLink(ResourceLink),
    /// The contents of a resource.
    Resource(EmbeddedResource),
}

/// [`ContentBlock`] by its short name.
pub type Content = ContentBlock;

impl ContentBlock {
    /// Text.
    #[must_use]
    pub fn text(text: impl Into<String>) -> Self {
        Self::Text(TextContent::new(text))
    }

    /// A picture, from its bytes.
    #[must_use]
    pub fn image(bytes: impl AsRef<[u8]>, mime_type: impl Into<String>) -> Self {
        Self::Image(ImageContent::new(base64::encode(bytes.as_ref()), mime_type))
    }

    /// Sound, from its bytes.
    #[must_use]
    pub fn audio(bytes: impl AsRef<[u8]>, mime_type: impl Into<String>) -> Self {
        Self::Audio(AudioContent::new(base64::encode(bytes.as_ref()), mime_type))
    }

    /// The contents of a resource.
    #[must_use]
    pub fn resource(contents: impl Into<ResourceContents>) -> Self {
        Self::Resource(EmbeddedResource::new(contents.into()))
    }

    /// A resource that the client may read; a [`Resource`] converts with `into` first.
    #[must_use]
    pub fn link(link: impl Into<ResourceLink>) -> Self {
        Self::ResourceLink(link.into())
    }

    /// What a client may want to know about it.
    #[must_use]
    pub fn annotations(mut self, annotations: Annotations) -> Self {
        *match &mut self {
            Self::Text(content) => &mut content.annotations,
            Self::Image(content) => &mut content.annotations,
            Self::Audio(content) => &mut content.annotations,
            Self::ResourceLink(content) => &mut content.annotations,
            Self::Resource(content) => &mut content.annotations,
        } = Some(annotations);
        self
    }

    /// What rides along.
    #[must_use]
    pub fn meta(mut self, meta: Meta) -> Self {
        *match &mut self {
            Self::Text(content) => &mut content.meta,
            Self::Image(content) => &mut content.meta,
            Self::Audio(content) => &mut content.meta,
            Self::ResourceLink(content) => &mut content.meta,
            Self::Resource(content) => &mut content.meta,
        } = Some(meta);
        self
    }

    /// What it says, if it is text.
    #[must_use]
    pub fn as_text(&self) -> Option<&str> {
        match self {
            Self::Text(content) => Some(&content.text),
            _ => None,
        }
    }
}

impl Serialize for ContentBlock {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Text(content) => content.serialize(serializer),
            Self::Image(content) => content.serialize(serializer),
            Self::Audio(content) => content.serialize(serializer),
            Self::ResourceLink(content) => content.serialize(serializer),
            Self::Resource(content) => content.serialize(serializer),
        }
    }
}

/// Lets each kind of content stand where content is wanted.
macro_rules! from_kinds {
    ($($kind:ident => $variant:ident),+) => {$(
        impl From<$kind> for ContentBlock {
            fn from(content: $kind) -> Self {
                Self::$variant(content)
            }
        }
    )+};
}

from_kinds!(
    TextContent => Text,
    ImageContent => Image,
    AudioContent => Audio,
    ResourceLink => ResourceLink,
    EmbeddedResource => Resource
);

impl From<&str> for ContentBlock {
    fn from(text: &str) -> Self {
        Self::text(text)
    }
}

impl From<String> for ContentBlock {
    fn from(text: String) -> Self {
        Self::text(text)
    }
}
