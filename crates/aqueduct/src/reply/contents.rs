//! The contents of a resource whose media type only the handler knows.

use aqueduct_protocol::resources::{ReadResourceResult, ResourceContents};

use crate::error::ToolError;
use crate::resource::{About, IntoResourceOutput};

/// Contents without a URI: they get the one that was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RawResource {
    body: Body,
    mime_type: String,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Body {
    Text(String),
    Bytes(Vec<u8>),
}

/// Text of this media type, as the contents of the resource that is being read.
///
/// ```
/// use aqueduct::prelude::*;
/// use aqueduct::reply::{self, RawResource};
///
/// /// The settings.
/// #[resource("config://settings.xml")]
/// async fn settings() -> RawResource {
///     reply::raw_resource("<settings/>", "application/xml")
/// }
/// # let _ = list![settings];
/// ```
#[must_use]
pub fn raw_resource(text: impl Into<String>, mime_type: impl Into<String>) -> RawResource {
    RawResource { body: Body::Text(text.into()), mime_type: mime_type.into() }
}

/// Bytes of this media type, as the contents of the resource that is being read; they are sent as
/// base64.
#[must_use]
pub fn raw_blob(bytes: impl Into<Vec<u8>>, mime_type: impl Into<String>) -> RawResource {
    RawResource { body: Body::Bytes(bytes.into()), mime_type: mime_type.into() }
}

impl IntoResourceOutput for RawResource {
    fn into_resource_output(self, about: &About) -> Result<ReadResourceResult, ToolError> {
        let contents = match self.body {
            Body::Text(text) => ResourceContents::text(about.uri.as_str(), text),
            Body::Bytes(bytes) => ResourceContents::blob(about.uri.as_str(), bytes),
        };
        contents.mime_type(self.mime_type).into_resource_output(about)
    }
}
