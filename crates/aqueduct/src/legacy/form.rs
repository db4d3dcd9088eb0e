//! Forms and prompts for a model, as the client's revision knows them.

use aqueduct_protocol::elicitation::{
    ElicitRequestFormParams, EnumSchema, FormMode, LegacyTitledEnumSchema,
    PrimitiveSchemaDefinition, RequestedSchema, SingleSelectEnumSchema,
};
use aqueduct_protocol::sampling::{
    CreateMessageRequestParams, SamplingMessage, SamplingMessageContentBlock,
};
use aqueduct_protocol::version::ProtocolVersion;

/// A form for a client of this revision.
///
/// # Errors
/// When it has a field that the revision has no form for; says which.
pub(super) fn trimmed(
    mut params: ElicitRequestFormParams,
    version: ProtocolVersion,
) -> Result<ElicitRequestFormParams, String> {
    if version >= ProtocolVersion::V2025_11_25 {
        params.mode = Some(FormMode::Form);
        return Ok(params);
    }
    // The word came with the second way to ask.
    params.mode = None;
    let given = params.requested_schema;
    let mut schema = RequestedSchema::default();
    schema.required = given.required;
    for (name, field) in given.properties.iter() {
        let field = plainer(field.clone())
            .ok_or_else(|| format!("protocol version {version} has no form for field {name:?}"))?;
        schema.properties.insert(name, field);
    }
    params.requested_schema = schema;
    Ok(params)
}

/// A field as 2025-06-18 knows it; `None` for a choice of several.
fn plainer(field: PrimitiveSchemaDefinition) -> Option<PrimitiveSchemaDefinition> {
    Some(match field {
        PrimitiveSchemaDefinition::String(mut field) => {
            field.default = None;
            field.into()
        }
        PrimitiveSchemaDefinition::Number(mut field) => {
            field.default = None;
            field.into()
        }
        PrimitiveSchemaDefinition::Enum(EnumSchema::SingleSelect(field)) => named(field)?.into(),
        PrimitiveSchemaDefinition::Enum(EnumSchema::Legacy(mut field)) => {
            field.default = None;
            field.into()
        }
        PrimitiveSchemaDefinition::Enum(_) => return None,
        field => field,
    })
}

/// A choice with the names beside the words instead of among them.
fn named(field: SingleSelectEnumSchema) -> Option<LegacyTitledEnumSchema> {
    let (options, names, title, description) = match field {
        SingleSelectEnumSchema::Untitled(field) => {
            (field.options, None, field.title, field.description)
        }
        SingleSelectEnumSchema::Titled(field) => {
            let (options, names) =
                field.options.into_iter().map(|option| (option.value, option.title)).unzip();
            (options, Some(names), field.title, field.description)
        }
        _ => return None,
    };
    let mut plain = LegacyTitledEnumSchema::new(options);
    (plain.title, plain.description, plain.enum_names) = (title, description, names);
    Some(plain)
}

/// A prompt for a model behind a client of this revision.
pub(super) fn plain(
    mut params: CreateMessageRequestParams,
    version: ProtocolVersion,
) -> CreateMessageRequestParams {
    if version >= ProtocolVersion::V2025_11_25 {
        return params;
    }
    params.tools = None;
    params.tool_choice = None;
    // A message had one piece of content before.
    params.messages = params.messages.iter().flat_map(single).collect();
    params
}

fn single(message: &SamplingMessage) -> Vec<SamplingMessage> {
    let role = message.role;
    let is_known = |block: &SamplingMessageContentBlock| {
        matches!(
            block,
            SamplingMessageContentBlock::Text(_)
                | SamplingMessageContentBlock::Image(_)
                | SamplingMessageContentBlock::Audio(_)
        )
    };
    let blocks = message.content.blocks().iter().filter(|block| is_known(block)).cloned();
    blocks.map(|block| SamplingMessage::new(role, block.into())).collect()
}

#[cfg(test)]
mod tests {
    use aqueduct_protocol::elicitation::{
        EnumOption, StringSchema, TitledItems, TitledMultiSelectEnumSchema,
        TitledSingleSelectEnumSchema,
    };

    use aqueduct_protocol::sampling::SamplingContent;

    use super::*;

    fn form(schema: RequestedSchema, version: ProtocolVersion) -> Result<String, String> {
        let params = ElicitRequestFormParams::new("m", schema);
        trimmed(params, version).map(|params| serde_json::to_string(&params).unwrap())
    }

    #[test]
    fn a_choice_is_written_as_the_revision_knows_it() {
        let options = vec![EnumOption::new("r", "Red"), EnumOption::new("b", "Blue")];
        let schema = RequestedSchema::default()
            .field("c", TitledSingleSelectEnumSchema::new(options.clone()).default("r"))
            .optional("t", StringSchema::new().default("x"));
        assert_eq!(
            form(schema.clone(), ProtocolVersion::V2025_06_18).unwrap(),
            r#"{"message":"m","requestedSchema":{"type":"object","properties":{"c":{"type":"string","enum":["r","b"],"enumNames":["Red","Blue"]},"t":{"type":"string"}},"required":["c"]}}"#
        );
        let newer = form(schema, ProtocolVersion::V2025_11_25).unwrap();
        assert!(newer.contains(r#""mode":"form""#) && newer.contains(r#""oneOf""#), "{newer}");
        let many = TitledMultiSelectEnumSchema::new(TitledItems::new(options));
        let schema = RequestedSchema::default().field("many", many);
        let refused = form(schema, ProtocolVersion::V2025_06_18).unwrap_err();
        assert!(refused.contains("\"many\""), "{refused}");
    }

    #[test]
    fn a_message_of_several_pieces_becomes_several_messages() {
        let text = |text: &str| {
            SamplingMessageContentBlock::Text(aqueduct_protocol::content::TextContent::new(text))
        };
        let message = SamplingMessage::user(SamplingContent::Many(vec![text("a"), text("b")]));
        let params = CreateMessageRequestParams::new(vec![message], 1);
        let plain = plain(params, ProtocolVersion::V2025_06_18);
        assert_eq!(
            serde_json::to_string(&plain.messages).unwrap(),
            r#"[{"role":"user","content":{"type":"text","text":"a"}},{"role":"user","content":{"type":"text","text":"b"}}]"#
        );
    }
}
