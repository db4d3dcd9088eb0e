//! The root of an input schema: an object, or made into one, or refused.
//!
//! Source: the specification, Schema, Tool: `inputSchema` has `"type": "object"` at its root.

use serde_json::{Map, Value, json};

use super::definition::Root;
use super::null;
use crate::schema::SchemaError;
use crate::schema::got;

/// What was found out about the root.
#[derive(Debug)]
pub(super) struct Checked {
    /// What some hosts may not like.
    pub(super) warnings: Vec<String>,
    /// Whether the schema is closed although the type, `()`, knows nothing of objects.
    pub(super) invented: bool,
}

/// Makes the root an object.
pub(super) fn object(root: &mut Root, type_name: &str) -> Result<Checked, SchemaError> {
    let shown = got::escape(&got::cut(type_name, 120)).into_owned();
    // `Option<Args>`: arguments are an object or absent, never null.
    null::take(&mut root.schema);
    root.inline_the_root()?;
    let declared = root.schema.get("type").cloned();
    match declared.as_ref().and_then(Value::as_str) {
        Some("object") => {}
        Some("null") => {
            nothing(&mut root.schema);
            return Ok(Checked { warnings: Vec::new(), invented: true });
        }
        Some(other) => return Err(refused(&shown, &format!("is {}", with_article(other)))),
        None if declared.is_some() => return Err(refused(&shown, "has several types")),
        None => root.schema = typed(root, &shown)?,
    }
    let mut warnings = Vec::new();
    for keyword in ["oneOf", "anyOf"] {
        if root.schema.contains_key(keyword) {
            warnings.push(format!(
                "the arguments {shown} are a choice (\"{keyword}\" at the root of the schema), which \
                 some hosts refuse; a struct with the enum as a field is understood everywhere"
            ));
        }
    }
    Ok(Checked { warnings, invented: false })
}

/// The schema of a type without arguments.
fn nothing(schema: &mut Map<String, Value>) {
    schema.insert("type".to_owned(), "object".into());
    schema.insert("properties".to_owned(), json!({}));
    schema.insert("additionalProperties".to_owned(), false.into());
}

/// The root without a type: an object when all it can be is one.
fn typed(root: &Root, shown: &str) -> Result<Map<String, Value>, SchemaError> {
    for keyword in ["oneOf", "anyOf"] {
        let branches = root.schema.get(keyword).and_then(Value::as_array);
        for branch in branches.into_iter().flatten() {
            if let Some(kind) = not_an_object(root.followed(branch)) {
                let what = format!("has a variant that is {kind}");
                return Err(refused(shown, &what));
            }
        }
    }
    if root.schema.contains_key("enum") || root.schema.contains_key("const") {
        return Err(refused(shown, "is a plain value"));
    }
    let mut schema = root.schema.clone();
    schema.insert("type".to_owned(), "object".into());
    Ok(schema)
}

/// What a variant is, when it is no object.
fn not_an_object(schema: &Value) -> Option<String> {
    match schema.get("type") {
        Some(Value::String(name)) if name != "object" => Some(with_article(name)),
        Some(Value::Array(_)) => Some("of several types".to_owned()),
        Some(_) => None,
        None if schema.get("const").is_some() || schema.get("enum").is_some() => {
            Some("a plain value".to_owned())
        }
        None => None,
    }
}

fn with_article(name: &str) -> String {
    match name {
        "null" => name.to_owned(),
        "array" | "integer" | "object" => format!("an {name}"),
        _ => format!("a {name}"),
    }
}

fn refused(shown: &str, what: &str) -> SchemaError {
    SchemaError::at_root(format!(
        "the arguments of a tool are an object, but {shown} {what}; put it in a struct with a named \
         field, such as `struct Args {{ value: {shown} }}`"
    ))
}
