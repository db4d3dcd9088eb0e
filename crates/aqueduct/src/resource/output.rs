//! From what a handler returns to a `ReadResourceResult`.

use std::borrow::Cow;

use aqueduct_protocol::base64;
use aqueduct_protocol::resources::{
    BlobResourceContents, ReadResourceResult, ResourceContents, TextResourceContents,
};
use bytes::Bytes;

use crate::error::{Error, ToolError};

/// What is known about a resource while it is being read.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct About {
    /// The URI as the client sent it.
    pub uri: String,
    /// The media type that was registered.
    pub mime_type: Option<Cow<'static, str>>,
}

/// What a resource's handler may return.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not something that a resource can hold",
    label = "cannot become the contents of a resource",
    note = "return text, bytes (they are sent as base64), `ResourceContents`, \
            `ReadResourceResult`, an `Option` of these (`None` is \"resource not found\"), or a \
            `Result` of these"
)]
pub trait IntoResourceOutput {
    /// Makes the result.
    ///
    /// # Errors
    /// What the handler failed with.
    fn into_resource_output(self, about: &About) -> Result<ReadResourceResult, ToolError>;
}

impl IntoResourceOutput for ReadResourceResult {
    fn into_resource_output(self, _: &About) -> Result<ReadResourceResult, ToolError> {
        Ok(self)
    }
}

impl IntoResourceOutput for Vec<ResourceContents> {
    fn into_resource_output(self, _: &About) -> Result<ReadResourceResult, ToolError> {
        Ok(ReadResourceResult::new(self))
    }
}

impl IntoResourceOutput for ResourceContents {
    fn into_resource_output(self, _: &About) -> Result<ReadResourceResult, ToolError> {
        Ok(ReadResourceResult::new(vec![self]))
    }
}

impl IntoResourceOutput for String {
    fn into_resource_output(self, about: &About) -> Result<ReadResourceResult, ToolError> {
        let mut contents = TextResourceContents::new(about.uri.clone(), self);
        contents.mime_type = about.mime_type.as_deref().map(ToOwned::to_owned);
        ResourceContents::Text(contents).into_resource_output(about)
    }
}

impl IntoResourceOutput for &'static str {
    fn into_resource_output(self, about: &About) -> Result<ReadResourceResult, ToolError> {
        self.to_owned().into_resource_output(about)
    }
}

impl IntoResourceOutput for &[u8] {
    fn into_resource_output(self, about: &About) -> Result<ReadResourceResult, ToolError> {
        let mut contents = BlobResourceContents::new(about.uri.clone(), base64::encode(self));
        contents.mime_type = about.mime_type.as_deref().map(ToOwned::to_owned);
        ResourceContents::Blob(contents).into_resource_output(about)
    }
}

impl IntoResourceOutput for Vec<u8> {
    fn into_resource_output(self, about: &About) -> Result<ReadResourceResult, ToolError> {
        self.as_slice().into_resource_output(about)
    }
}

impl IntoResourceOutput for Bytes {
    fn into_resource_output(self, about: &About) -> Result<ReadResourceResult, ToolError> {
        (&*self).into_resource_output(about)
    }
}

impl<T: IntoResourceOutput> IntoResourceOutput for Option<T> {
    fn into_resource_output(self, about: &About) -> Result<ReadResourceResult, ToolError> {
        match self {
            Some(output) => output.into_resource_output(about),
            None => Err(ToolError::protocol(Error::resource_not_found(&about.uri))),
        }
    }
}

impl<T: IntoResourceOutput, E: Into<ToolError>> IntoResourceOutput for Result<T, E> {
    fn into_resource_output(self, about: &About) -> Result<ReadResourceResult, ToolError> {
        self.map_err(Into::into)?.into_resource_output(about)
    }
}
