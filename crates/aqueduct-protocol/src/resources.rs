//! What a server has to read.
//!
//! [Resources](https://modelcontextprotocol.io/specification/2026-07-28/server/resources).

use serde::de::{self, Deserializer};
use serde::ser::Serializer;
use serde::{Deserialize, Serialize};

use crate::base64::{self, InvalidBase64};
use crate::cache::{CacheScope, cacheable};
use crate::content::Annotations;
use crate::icons::Icon;
use crate::input::InputResponses;
use crate::jsonrpc::{JsonRpcResultResponse, notification, request};
use crate::meta::{Meta, RequestMeta};
use crate::method;
use crate::pagination::{PaginatedRequestParams, page};
use crate::params::NotificationParams;
use crate::record::record;
use crate::result::{Outcome, ResultType, result_body};

record! {
    /// Something to read.
    Resource {
        /// Its address.
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

record! {
    /// Things to read whose addresses follow a pattern (RFC 6570).
    ResourceTemplate {
        /// The pattern.
        uri_template: String,
        /// Its name for programs.
        name: String,
        /// Its name for people.
        title: Option<String>,
        /// What it is.
        description: Option<String>,
        /// What kind of contents all of them have.
        mime_type: Option<String>,
        /// Its pictures.
        icons: Option<Vec<Icon>>,
        /// What a client may want to know about it.
        annotations: Option<Annotations>,
        /// What rides along.
        #[serde(rename = "_meta")]
        meta: Option<Meta>,
    }
}

record! {
    /// Contents that are text.
    #[derive(Eq)]
    TextResourceContents {
        /// The address that was read, or one below it.
        uri: String,
        /// What kind of contents.
        mime_type: Option<String>,
        /// The contents.
        text: String,
        /// What rides along.
        #[serde(rename = "_meta")]
        meta: Option<Meta>,
    }
}

record! {
    /// Contents that are bytes.
    #[derive(Eq)]
    BlobResourceContents {
        /// The address that was read, or one below it.
        uri: String,
        /// What kind of contents.
        mime_type: Option<String>,
        /// The contents in Base64.
        blob: String,
        /// What rides along.
        #[serde(rename = "_meta")]
        meta: Option<Meta>,
    }
}

impl BlobResourceContents {
    /// The contents.
    ///
    /// # Errors
    ///
    /// When what the peer sent is not Base64.
    pub fn bytes(&self) -> Result<Vec<u8>, InvalidBase64> {
        base64::decode(&self.blob)
    }
}

/// Contents of a resource.
///
/// ```
/// use aqueduct_protocol::resources::ResourceContents;
///
/// let contents = ResourceContents::blob("img://logo", [1, 2, 3]).mime_type("image/png");
/// assert_eq!(
///     serde_json::to_string(&contents)?,
///     r#"{"uri":"img://logo","mimeType":"image/png","blob":"AQID"}"#,
/// );
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ResourceContents {
    /// Text.
    Text(TextResourceContents),
    /// Bytes.
    Blob(BlobResourceContents),
}

impl ResourceContents {
    /// Contents that are text.
    #[must_use]
    pub fn text(uri: impl Into<String>, text: impl Into<String>) -> Self {
        Self::Text(TextResourceContents::new(uri, text))
    }

    /// Contents that are bytes.
    #[must_use]
    pub fn blob(uri: impl Into<String>, bytes: impl AsRef<[u8]>) -> Self {
        Self::Blob(BlobResourceContents::new(uri, base64::encode(bytes.as_ref())))
    }

    /// What kind of contents.
    #[must_use]
    pub fn mime_type(mut self, mime_type: impl Into<String>) -> Self {
        *match &mut self {
            Self::Text(contents) => &mut contents.mime_type,
            Self::Blob(contents) => &mut contents.mime_type,
        } = Some(mime_type.into());
        self
    }

    /// What rides along.
    #[must_use]
    pub fn meta(mut self, meta: Meta) -> Self {
        *match &mut self {
            Self::Text(contents) => &mut contents.meta,
            Self::Blob(contents) => &mut contents.meta,
        } = Some(meta);
        self
    }

    /// The address that was read, or one below it.
    #[must_use]
    pub fn uri(&self) -> &str {
        match self {
            Self::Text(contents) => &contents.uri,
            Self::Blob(contents) => &contents.uri,
        }
    }
}

impl From<TextResourceContents> for ResourceContents {
    fn from(contents: TextResourceContents) -> Self {
        Self::Text(contents)
    }
}

impl From<BlobResourceContents> for ResourceContents {
    fn from(contents: BlobResourceContents) -> Self {
        Self::Blob(contents)
    }
}

impl Serialize for ResourceContents {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Text(contents) => contents.serialize(serializer),
            Self::Blob(contents) => contents.serialize(serializer),
        }
    }
}

/// Either kind of contents, before it is known which.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct AnyContents {
    uri: String,
    mime_type: Option<String>,
    text: Option<String>,
    blob: Option<String>,
    #[serde(rename = "_meta")]
    meta: Option<Meta>,
}

impl<'de> Deserialize<'de> for ResourceContents {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let AnyContents { uri, mime_type, text, blob, meta } =
            AnyContents::deserialize(deserializer)?;
        match (text, blob) {
            (Some(text), None) => {
                Ok(Self::Text(TextResourceContents { uri, mime_type, text, meta }))
            }
            (None, Some(blob)) => {
                Ok(Self::Blob(BlobResourceContents { uri, mime_type, blob, meta }))
            }
            (None, None) => Err(de::Error::custom("contents need `text` or `blob`")),
            (Some(_), Some(_)) => Err(de::Error::custom("contents have both `text` and `blob`")),
        }
    }
}

request! {
    /// Asks for a page of the resources.
    ListResourcesRequest = method::RESOURCES_LIST, PaginatedRequestParams
}

page! {
    /// A page of the resources.
    ListResourcesResult {
        /// The resources.
        resources: Resource
    }
}

/// An answer to [`ListResourcesRequest`].
pub type ListResourcesResultResponse = JsonRpcResultResponse<ListResourcesResult>;

request! {
    /// Asks for a page of the resource templates.
    ListResourceTemplatesRequest = method::RESOURCES_TEMPLATES_LIST, PaginatedRequestParams
}

page! {
    /// A page of the resource templates.
    ListResourceTemplatesResult {
        /// The templates.
        resource_templates: ResourceTemplate
    }
}

/// An answer to [`ListResourceTemplatesRequest`].
pub type ListResourceTemplatesResultResponse = JsonRpcResultResponse<ListResourceTemplatesResult>;

record! {
    /// The parameters of [`ReadResourceRequest`].
    #[derive(Eq)]
    ReadResourceRequestParams {
        /// What each request says about itself and its client.
        #[serde(rename = "_meta")]
        meta: RequestMeta,
        /// The address to read.
        uri: String,
        /// What the client answers to the questions of an earlier round.
        input_responses: Option<InputResponses>,
        /// What the server gave it in the earlier round.
        request_state: Option<String>,
    }
}

request! {
    /// Asks for the contents of a resource.
    ReadResourceRequest = method::RESOURCES_READ, ReadResourceRequestParams
}

record! {
    /// The contents of a resource.
    ///
    /// ```
    /// use aqueduct_protocol::resources::ReadResourceResult;
    ///
    /// let result = ReadResourceResult::text("notes://welcome", "hello");
    /// assert_eq!(result.contents.len(), 1);
    /// ```
    #[derive(Eq)]
    ReadResourceResult {
        /// Which result this is.
        #[serde(default)]
        result_type: ResultType = ResultType::Complete,
        /// The contents, of it and perhaps of what lies below it.
        contents: Vec<ResourceContents>,
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

/// An answer to [`ReadResourceRequest`].
pub type ReadResourceResultResponse = JsonRpcResultResponse<Outcome<ReadResourceResult>>;

result_body!(ReadResourceResult);
cacheable!(ReadResourceResult);

impl ReadResourceResult {
    /// One text.
    #[must_use]
    pub fn text(uri: impl Into<String>, text: impl Into<String>) -> Self {
        Self::new(vec![ResourceContents::text(uri, text)])
    }

    /// Some bytes.
    #[must_use]
    pub fn blob(uri: impl Into<String>, bytes: impl AsRef<[u8]>) -> Self {
        Self::new(vec![ResourceContents::blob(uri, bytes)])
    }

    /// Several contents.
    #[must_use]
    pub fn contents(contents: Vec<ResourceContents>) -> Self {
        Self::new(contents)
    }

    /// What kind of contents they are, for all that do not say so themselves.
    #[must_use]
    pub fn mime_type(mut self, mime_type: &str) -> Self {
        for contents in &mut self.contents {
            let unsaid = match contents {
                ResourceContents::Text(contents) => &mut contents.mime_type,
                ResourceContents::Blob(contents) => &mut contents.mime_type,
            };
            unsaid.get_or_insert_with(|| mime_type.to_owned());
        }
        self
    }
}

notification! {
    /// The set of resources is another.
    ResourceListChangedNotification = method::NOTIFICATIONS_RESOURCES_LIST_CHANGED,
    Option<NotificationParams>
}

record! {
    /// The parameters of [`ResourceUpdatedNotification`].
    #[derive(Eq)]
    ResourceUpdatedNotificationParams {
        /// The resource, or one below the one that is watched.
        uri: String,
        /// What rides along.
        #[serde(rename = "_meta")]
        meta: Option<Meta>,
    }
}

notification! {
    /// A watched resource has other contents.
    ResourceUpdatedNotification = method::NOTIFICATIONS_RESOURCES_UPDATED,
    ResourceUpdatedNotificationParams
}
