//! The files of skills as resources.

use aqueduct_protocol::resources::{ReadResourceResult, ResourceContents};
use aqueduct_protocol::skills::SCHEME;

use super::{Contents, Skills};
use crate::context::Context;
use crate::error::ToolError;
use crate::page::Listing;
use crate::resource::{ResourceItem, ResourceRepo, Wanted};

/// How many items are given at once; the dispatcher cuts its own pages.
const PAGE: usize = 100;

/// Each `SKILL.md` is listed, and every file can be read.
impl ResourceRepo for Skills {
    fn prefix(&self) -> &str {
        SCHEME
    }

    async fn list(
        &self,
        cursor: Option<&str>,
        _: &Context,
    ) -> Result<Listing<ResourceItem>, ToolError> {
        let from: usize = cursor.map_or(Ok(0), str::parse)?;
        let listed = &self.set.listed;
        let page = Listing::new(listed.iter().skip(from).take(PAGE).cloned());
        let next = from.saturating_add(PAGE);
        Ok(if next < listed.len() { page.next(next.to_string()) } else { page })
    }

    async fn read(&self, wanted: &Wanted, _: &Context) -> Result<ReadResourceResult, ToolError> {
        let uri = &wanted.uri;
        let Some(file) = self.set.files.get(uri) else { return Err(wanted.not_found().into()) };
        let contents = match &file.contents {
            Contents::Text(text) => ResourceContents::text(uri, text),
            Contents::Bytes(bytes) => ResourceContents::blob(uri, bytes),
        };
        let result = ReadResourceResult::new(vec![contents.mime_type(file.mime_type)]);
        Ok(result.cache(self.cache))
    }

    fn cache(&self) -> aqueduct_protocol::cache::CacheHint {
        self.cache
    }
}
