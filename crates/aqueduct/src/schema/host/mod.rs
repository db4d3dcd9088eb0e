//! A schema derived from a Rust type, made into one that real hosts accept.
//!
//! What hosts stumble over, and what is done about it:
//!
//! - An input schema whose root is no plain object: a root `$ref` is inlined, `()` becomes an object
//!   without properties, a tagged enum keeps its choice beside `"type": "object"` and is warned
//!   about, anything else is refused with the mend.
//! - Formats that only Rust knows (`uint32`, `double`): dropped, their ranges written as bounds.
//! - Arrays without `items`, objects without `properties`: completed, without changing what they
//!   accept.
//! - `["T", "null"]`: see below.
//! - `$schema`, the title of the root (the name of the Rust type), unused `$defs`: dropped.
//!
//! # What an `Option` means
//!
//! serde reads an `Option` field from a value, from `null`, and from nothing.
//! A schema can say two of these things apart: "may be absent" (not in `required`) and "may be null".
//! Some hosts hang on `"type": ["string", "null"]`, and models rarely mean `null` as more than
//! absence, so [`Profile::Conservative`], the default, lets an optional property of an input be
//! absent and *not* null.
//! The schema is then the truth: `{"limit": null}` is a problem, "expected an integer, got null
//! (leave it out instead)".
//! serde would accept it, hence [`Normalized::enforcement`] says so ([`Enforcement::DecodeUnlessNull`])
//! and the caller checks.
//!
//! Where null means something ("clear this field"), the property says so with [`KEEP_NULL`], for
//! instance `#[schemars(extend("x-aqueduct-nullable" = true))]`; it is then advertised as
//! `anyOf [T, null]`, the form that Python servers have taught every host.
//! A nullable property that is required, an item, or a value of a map keeps its null in the same
//! form, because nothing else can stand for it.
//! [`Profile::Spec`] leaves null wherever the type has it, as `["T", "null"]`.
//!
//! In an output schema nothing is taken away: the server does send null.
//!
//! Source: the specification, Server Features, Tools, and Basic, JSON Schema Usage.

mod definition;
mod enforcement;
mod null;
mod root;
mod tidy;

use serde_json::Value;

use self::root::Checked;
use super::SchemaError;
use super::limit;

pub use self::enforcement::{Enforcement, decode_is_enough, enforcement};

/// The mark on a property that keeps its null in [`Profile::Conservative`]; it is never advertised.
pub const KEEP_NULL: &str = "x-aqueduct-nullable";

/// How far a schema bends to hosts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Profile {
    /// Valid JSON Schema 2020-12 that also strict and dated hosts take.
    #[default]
    Conservative,
    /// Valid JSON Schema 2020-12, as close to the Rust type as it was derived.
    Spec,
}

/// How schemas are made ready for hosts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Host {
    profile: Profile,
    inline: bool,
}

/// A schema that is ready, and what its author should know.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Normalized {
    /// The schema to advertise.
    pub schema: Value,
    /// What some hosts may not like, for the log at start.
    pub warnings: Vec<String>,
    /// Who has to enforce it.
    pub enforcement: Enforcement,
}

impl Host {
    /// The default: [`Profile::Conservative`], references kept.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// How far the schema bends to hosts.
    #[must_use]
    pub fn profile(mut self, profile: Profile) -> Self {
        self.profile = profile;
        self
    }

    /// Whether every `$ref` that is not recursive is replaced by what it refers to.
    ///
    /// The specification does not ask for it; some hosts drop `$defs` and lose the parameters.
    #[must_use]
    pub fn inline(mut self, inline: bool) -> Self {
        self.inline = inline;
        self
    }

    /// Makes the derived schema of a tool's input ready; `type_name` is the Rust type, for messages.
    ///
    /// # Errors
    ///
    /// A type that does not describe an object, and a reference that names nothing.
    pub fn input(&self, schema: Value, type_name: &str) -> Result<Normalized, SchemaError> {
        limit::scan(&schema)?;
        let enforcement = enforcement(&schema);
        let mut root = definition::Root::open(schema, type_name)?;
        let removed = self.nulls(&mut root, null::Absent::MeansNull);
        let Checked { warnings, invented } = root::object(&mut root, type_name)?;
        let schema = self.finish(root)?;
        let enforcement =
            if invented { Enforcement::Validator } else { enforcement.with_nulls_removed(removed) };
        Ok(Normalized { schema, warnings, enforcement })
    }

    /// Makes the derived schema of a tool's output ready; any root is allowed.
    ///
    /// # Errors
    ///
    /// A reference that names nothing.
    pub fn output(&self, schema: Value, type_name: &str) -> Result<Normalized, SchemaError> {
        limit::scan(&schema)?;
        let enforcement = enforcement(&schema);
        let mut root = definition::Root::open(schema, type_name)?;
        self.nulls(&mut root, null::Absent::IsAbsent);
        let schema = self.finish(root)?;
        Ok(Normalized { schema, warnings: Vec::new(), enforcement })
    }

    /// Treats null as the profile says; true when some property lost it.
    fn nulls(self, root: &mut definition::Root, absent: null::Absent) -> bool {
        let mut removed = false;
        root.each(|schema| removed |= null::treat(schema, self.profile, absent));
        removed
    }

    fn finish(self, mut root: definition::Root) -> Result<Value, SchemaError> {
        root.each(|schema| tidy::tidy(schema, self.profile));
        root.check_references()?;
        if self.inline {
            root.inline()?;
        }
        Ok(root.close())
    }
}

/// Makes the derived schema of a tool's input ready for hosts, with the defaults of [`Host`].
///
/// # Errors
///
/// As [`Host::input`].
pub fn normalize_input(schema: Value, type_name: &str) -> Result<Value, SchemaError> {
    Host::new().input(schema, type_name).map(|ready| ready.schema)
}

/// Makes the derived schema of a tool's output ready for hosts, with the defaults of [`Host`].
///
/// # Errors
///
/// As [`Host::output`].
pub fn normalize_output(schema: Value, type_name: &str) -> Result<Value, SchemaError> {
    Host::new().output(schema, type_name).map(|ready| ready.schema)
}

/// Refuses an input schema, written by hand, whose root is not `"type": "object"`.
///
/// Such a schema is advertised word for word, so nothing is mended here.
///
/// # Errors
///
/// When the root does not say `"type": "object"`.
pub fn require_object(schema: &Value) -> Result<(), SchemaError> {
    if schema.get("type").and_then(Value::as_str) == Some("object") {
        return Ok(());
    }
    Err(SchemaError::at_root("an input schema must say \"type\": \"object\" at its root"))
}

/// Calls `visit` with each direct subschema that can be changed in place.
fn each_subschema(map: &mut serde_json::Map<String, Value>, visit: &mut dyn FnMut(&mut Value)) {
    use super::dialect::{Dialect, Holds};
    for (keyword, value) in map {
        match (Dialect::Draft2020.holds(keyword), value) {
            (Holds::Many, Value::Array(items)) => items.iter_mut().for_each(&mut *visit),
            (Holds::Named, Value::Object(members)) => members.values_mut().for_each(&mut *visit),
            (Holds::One, other) => visit(other),
            _ => {}
        }
    }
}
