//! What lists hold, as a revision writes it.

use aqueduct_protocol::content::Annotations;
use aqueduct_protocol::icons::Implementation;
use aqueduct_protocol::jsonrpc::RawJson;
use aqueduct_protocol::prompts::Prompt;
use aqueduct_protocol::resources::{Resource, ResourceTemplate};
use aqueduct_protocol::tools::Tool;
use aqueduct_protocol::version::ProtocolVersion;
use serde::Deserialize;

/// Icons came with 2025-11-25, names for people and `_meta` of items with 2025-06-18.
fn has_icons(version: ProtocolVersion) -> bool {
    version >= ProtocolVersion::V2025_11_25
}

pub(super) fn has_titles(version: ProtocolVersion) -> bool {
    version >= ProtocolVersion::V2025_06_18
}

pub(super) fn tool(tool: &mut Tool, version: ProtocolVersion) {
    let describes_objects =
        has_titles(version) && tool.output_schema.as_ref().is_some_and(is_object);
    if !describes_objects {
        tool.output_schema = None;
    }
    if !has_icons(version) {
        tool.icons = None;
    }
    if !has_titles(version) {
        tool.meta = None;
        // The one place where that revision has a name for people.
        if let Some(title) = tool.title.take() {
            tool.annotations.get_or_insert_default().title.get_or_insert(title);
        }
    }
}

/// Is it a schema whose root says that it describes an object? No other was allowed before.
fn is_object(schema: &RawJson) -> bool {
    #[derive(Deserialize)]
    struct Root {
        r#type: Option<String>,
    }
    schema.decode::<Root>().is_ok_and(|root| root.r#type.as_deref() == Some("object"))
}

pub(super) fn prompt(prompt: &mut Prompt, version: ProtocolVersion) {
    if !has_icons(version) {
        prompt.icons = None;
    }
    if !has_titles(version) {
        prompt.title = None;
        prompt.meta = None;
        prompt.arguments.iter_mut().flatten().for_each(|argument| argument.title = None);
    }
}

pub(super) fn resource(item: &mut Resource, version: ProtocolVersion) {
    if !has_icons(version) {
        item.icons = None;
    }
    if !has_titles(version) {
        item.title = None;
        item.meta = None;
        annotations(&mut item.annotations);
    }
}

pub(super) fn template(item: &mut ResourceTemplate, version: ProtocolVersion) {
    if !has_icons(version) {
        item.icons = None;
    }
    if !has_titles(version) {
        item.title = None;
        item.meta = None;
        annotations(&mut item.annotations);
    }
}

/// Annotations of 2025-03-26, which know no time.
pub(super) fn annotations(given: &mut Option<Annotations>) {
    if let Some(known) = given {
        known.last_modified = None;
    }
}

/// A server as the revision lets it introduce itself.
pub(in crate::legacy) fn implementation(info: &mut Implementation, version: ProtocolVersion) {
    if !has_icons(version) {
        info.icons = None;
        info.description = None;
        info.website_url = None;
    }
    if !has_titles(version) {
        info.title = None;
    }
}

#[cfg(test)]
mod tests {
    use aqueduct_protocol::icons::Icon;

    use super::*;

    #[test]
    fn a_tool_loses_what_its_reader_has_no_word_for() {
        let raw = |text: &str| RawJson::from_text(text.to_owned()).unwrap();
        let full = |output: &str| {
            Tool::new("t", raw(r#"{"type":"object"}"#))
                .title("T")
                .icons(vec![Icon::new("https://a.example/i.png")])
                .output_schema(raw(output))
        };
        let said = |output: &str, version| {
            let mut trimmed = full(output);
            tool(&mut trimmed, version);
            serde_json::to_string(&trimmed).unwrap()
        };
        let object = r#"{"type":"object"}"#;
        let newest = said(object, ProtocolVersion::V2025_11_25);
        assert!(newest.contains("icons") && newest.contains("outputSchema"), "{newest}");
        let array = said(r#"{"type":"array"}"#, ProtocolVersion::V2025_11_25);
        assert!(!array.contains("outputSchema"), "{array}");
        let middle = said(object, ProtocolVersion::V2025_06_18);
        assert!(!middle.contains("icons") && middle.contains(r#""title":"T""#), "{middle}");
        assert_eq!(
            said(object, ProtocolVersion::V2025_03_26),
            r#"{"name":"t","inputSchema":{"type":"object"},"annotations":{"title":"T"}}"#
        );
    }
}
