//! What tools, prompts and resources say, as a revision writes it.

use aqueduct_protocol::content::{ContentBlock, ResourceLink, TextContent};
use aqueduct_protocol::prompts::GetPromptResult;
use aqueduct_protocol::resources::{ReadResourceResult, ResourceContents};
use aqueduct_protocol::tools::CallToolResult;
use aqueduct_protocol::version::ProtocolVersion;

use super::list::{annotations, has_titles};

/// A tool's result: structured content is an object or nothing, and what is lost is told as text.
pub(super) fn tool_result(result: &mut CallToolResult, version: ProtocolVersion) {
    let fits = |content: &aqueduct_protocol::jsonrpc::RawJson| {
        has_titles(version) && content.get().starts_with('{')
    };
    if let Some(lost) = result.structured_content.take_if(|content| !fits(content)) {
        let says_something = result.content.iter().any(|block| block.as_text().is_some());
        if !says_something {
            result.content.push(ContentBlock::text(lost.get()));
        }
    }
    result.content.iter_mut().for_each(|block| self::block(block, version));
}

pub(super) fn prompt(result: &mut GetPromptResult, version: ProtocolVersion) {
    result.messages.iter_mut().for_each(|message| block(&mut message.content, version));
}

pub(super) fn read(result: &mut ReadResourceResult, version: ProtocolVersion) {
    if !has_titles(version) {
        result.contents.iter_mut().for_each(bare);
    }
}

fn bare(contents: &mut ResourceContents) {
    match contents {
        ResourceContents::Text(contents) => contents.meta = None,
        ResourceContents::Blob(contents) => contents.meta = None,
        _ => {}
    }
}

fn block(block: &mut ContentBlock, version: ProtocolVersion) {
    if version < ProtocolVersion::V2025_11_25
        && let ContentBlock::ResourceLink(link) = block
    {
        link.icons = None;
    }
    if has_titles(version) {
        return;
    }
    let (marks, meta) = match block {
        ContentBlock::Text(content) => (&mut content.annotations, &mut content.meta),
        ContentBlock::Image(content) => (&mut content.annotations, &mut content.meta),
        ContentBlock::Audio(content) => (&mut content.annotations, &mut content.meta),
        ContentBlock::Resource(content) => {
            bare(&mut content.resource);
            (&mut content.annotations, &mut content.meta)
        }
        ContentBlock::ResourceLink(link) => {
            *block = ContentBlock::Text(told(link));
            return;
        }
        _ => return,
    };
    *meta = None;
    annotations(marks);
}

/// A link for a client that knows no links.
fn told(link: &mut ResourceLink) -> TextContent {
    let name = link.title.as_ref().unwrap_or(&link.name);
    let mut text = TextContent::new(format!("{name}: {}", link.uri));
    text.annotations = link.annotations.take();
    annotations(&mut text.annotations);
    text
}

#[cfg(test)]
mod tests {
    use aqueduct_protocol::jsonrpc::RawJson;

    use super::*;

    fn said(mut result: CallToolResult, version: ProtocolVersion) -> String {
        tool_result(&mut result, version);
        serde_json::to_value(&result).unwrap().to_string()
    }

    #[test]
    fn structured_content_that_is_no_object_becomes_text() {
        let list =
            || CallToolResult::new(Vec::new()).structured_content(RawJson::new(&[1]).unwrap());
        let text = r#"{"content":[{"text":"[1]","type":"text"}],"resultType":"complete"}"#;
        assert_eq!(said(list(), ProtocolVersion::V2025_11_25), text);
        let mut mirrored = list();
        mirrored.content.push(ContentBlock::text("[1]"));
        assert_eq!(said(mirrored, ProtocolVersion::V2025_06_18), text);
        let object = RawJson::from_text(r#"{"a":1}"#.to_owned()).unwrap();
        let object = CallToolResult::new(Vec::new()).structured_content(object);
        let kept = said(object.clone(), ProtocolVersion::V2025_06_18);
        assert!(kept.contains(r#""structuredContent":{"a":1}"#), "{kept}");
        let oldest = said(object, ProtocolVersion::V2025_03_26);
        assert!(oldest.contains(r#""text":"{\"a\":1}""#), "{oldest}");
        assert!(!oldest.contains("structuredContent"), "{oldest}");
    }

    #[test]
    fn a_link_is_told_to_who_knows_no_links() {
        let link = ResourceLink::new("notes://a", "a").title("Note");
        let result = CallToolResult::new(vec![link.into()]);
        let oldest = said(result.clone(), ProtocolVersion::V2025_03_26);
        assert!(oldest.contains(r#"{"text":"Note: notes://a","type":"text"}"#), "{oldest}");
        assert!(said(result, ProtocolVersion::V2025_06_18).contains("resource_link"));
    }
}
