//! The arguments of a tool that HTTP clients mirror into headers: `x-mcp-header`.
//!
//! Source: the specification, Streamable HTTP, Custom Headers from Tool Parameters, and SEP-2243.
//! A tool with a wrong annotation is dropped by clients without a word, so it is refused here with one.

use serde_json::{Map, Value};

use super::SchemaError;
use super::dialect::Dialect;
use super::got;
use super::keyword::below;
use super::limit;
use super::reference::each_subschema;

/// The keyword.
const KEYWORD: &str = aqueduct_protocol::header::PARAM_KEYWORD;

/// An argument that is mirrored into the header `Mcp-Param-{name}`.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct HeaderParam {
    /// The name as annotated; header names are compared without regard to case.
    pub name: String,
    /// The keys that lead from the arguments to the value.
    pub path: Vec<String>,
    /// How the value is compared.
    pub kind: Kind,
}

impl HeaderParam {
    /// Whether the argument is named like a secret, which should not travel in a header.
    ///
    /// Intermediaries log headers; the specification (Tools, `x-mcp-header`) says not to annotate
    /// secrets. A warning is in order, not a refusal: a `page_token` is no secret.
    #[must_use]
    pub fn looks_secret(&self) -> bool {
        const WORDS: &[&str] = &["password", "passwd", "secret", "token", "apikey", "credential"];
        let name = self.path.last().map_or("", String::as_str).to_ascii_lowercase();
        let plain: String = name.chars().filter(char::is_ascii_alphanumeric).collect();
        WORDS.iter().any(|word| plain.contains(word))
    }
}

/// The types that may be mirrored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Kind {
    /// Compared as a number; within ±(2^53 − 1).
    Integer,
    /// Compared as text.
    String,
    /// `true` or `false`.
    Boolean,
}

/// Collects the annotated arguments of an input schema, in the order of the schema.
///
/// # Errors
///
/// An annotation that is no string, is empty or no header token, repeats another one, stands on a
/// property that is no integer, string or boolean, or cannot be reached through `properties` alone.
pub fn header_params(schema: &Value) -> Result<Vec<HeaderParam>, SchemaError> {
    limit::scan(schema)?;
    let dialect = Dialect::of(schema)?;
    let Value::Object(root) = schema else { return Ok(Vec::new()) };
    if root.contains_key(KEYWORD) {
        return Err(unreachable("", "the root is no property"));
    }
    let mut walk = Walk { dialect, path: Vec::new(), found: Vec::new() };
    walk.reachable(root, "")?;
    Ok(walk.found)
}

/// The walk over a schema.
struct Walk {
    dialect: Dialect,
    /// The keys that led to the schema that is looked at.
    path: Vec<String>,
    found: Vec<HeaderParam>,
}

impl Walk {
    /// Walks a schema that is reached through `properties` alone.
    fn reachable(&mut self, map: &Map<String, Value>, pointer: &str) -> Result<(), SchemaError> {
        let properties = map.get("properties").and_then(Value::as_object);
        for (name, property) in properties.into_iter().flatten() {
            let Value::Object(property) = property else { continue };
            let here = below(&below(pointer, "properties"), name);
            self.path.push(name.clone());
            if let Some(annotation) = property.get(KEYWORD) {
                self.found.push(read(annotation, property, &here, &self.path, &self.found)?);
            }
            self.reachable(property, &here)?;
            self.path.pop();
        }
        let mut result = Ok(());
        each_subschema(map, self.dialect, |below, schema| {
            if result.is_ok() && below.keyword != "properties" {
                result = self.refuse_in(schema, &format!("{pointer}{below}"), below.keyword);
            }
        });
        result
    }

    /// Refuses every annotation in a part of the schema that `keyword` leads to.
    fn refuse_in(&self, schema: &Value, pointer: &str, keyword: &str) -> Result<(), SchemaError> {
        let Value::Object(map) = schema else { return Ok(()) };
        if map.contains_key(KEYWORD) {
            return Err(unreachable(pointer, &format!("\"{keyword}\" stands in between")));
        }
        let mut result = Ok(());
        each_subschema(map, self.dialect, |below, schema| {
            if result.is_ok() {
                result = self.refuse_in(schema, &format!("{pointer}{below}"), keyword);
            }
        });
        result
    }
}

fn read(
    annotation: &Value,
    property: &Map<String, Value>,
    pointer: &str,
    path: &[String],
    found: &[HeaderParam],
) -> Result<HeaderParam, SchemaError> {
    let Value::String(name) = annotation else {
        return Err(SchemaError::keyword(pointer, KEYWORD, "a string", annotation));
    };
    if name.is_empty() || !name.bytes().all(is_token) {
        let expected = "a header token of letters, digits and !#$%&'*+-.^_`|~";
        return Err(SchemaError::keyword(pointer, KEYWORD, expected, annotation));
    }
    if let Some(other) = found.iter().find(|other| other.name.eq_ignore_ascii_case(name)) {
        return Err(SchemaError::new(
            pointer,
            format!(
                "\"{KEYWORD}\" {} is taken by the property {} (case does not matter)",
                got::quote(name),
                got::quote(&other.path.join("."))
            ),
        ));
    }
    let kind = match property.get("type").and_then(Value::as_str) {
        Some("integer") => Kind::Integer,
        Some("string") => Kind::String,
        Some("boolean") => Kind::Boolean,
        _ => {
            let shown = property.get("type").map_or_else(|| "no type".to_owned(), got::json);
            return Err(SchemaError::new(
                pointer,
                format!(
                    "\"{KEYWORD}\" stands only on a property of type integer, string or boolean, \
                     this one has {shown}"
                ),
            ));
        }
    };
    Ok(HeaderParam { name: name.clone(), path: path.to_vec(), kind })
}

/// A character of a token (RFC 9110 section 5.6.2).
fn is_token(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte)
}

fn unreachable(pointer: &str, why: &str) -> SchemaError {
    SchemaError::new(
        pointer,
        format!("\"{KEYWORD}\" stands only where `properties` alone leads, but {why}"),
    )
}
