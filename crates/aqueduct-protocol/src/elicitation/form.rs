//! A form: its fields, in the order in which they are shown.

use std::fmt;

use serde::de::{Deserializer, MapAccess, Visitor};
use serde::ser::Serializer;
use serde::{Deserialize, Serialize};

use super::PrimitiveSchemaDefinition;
use crate::record::record;

record! {
    /// The fields of a form: an object of plain values, never nested.
    ///
    /// ```
    /// use aqueduct_protocol::elicitation::{NumberSchema, RequestedSchema, StringSchema};
    ///
    /// let form = RequestedSchema::default()
    ///     .field("name", StringSchema::new().title("Your name"))
    ///     .optional("age", NumberSchema::integer().minimum(0.0));
    /// assert_eq!(form.required.as_deref(), Some(&["name".to_owned()][..]));
    /// ```
    #[derive(Default)]
    #[serde(tag = "type", rename = "object")]
    RequestedSchema {
        /// The dialect of JSON Schema; 2020-12 when it is absent.
        #[serde(rename = "$schema")]
        schema: Option<String>,
        /// The fields.
        properties: Properties,
        /// The fields that may not be left out.
        required: Option<Vec<String>>,
    }
}

impl RequestedSchema {
    /// Adds a field that may not be left out.
    #[must_use]
    pub fn field(
        mut self,
        name: impl Into<String>,
        schema: impl Into<PrimitiveSchemaDefinition>,
    ) -> Self {
        let name = name.into();
        let required = self.required.get_or_insert_default();
        if !required.contains(&name) {
            required.push(name.clone());
        }
        self.properties.insert(name, schema);
        self
    }

    /// Adds a field that may be left out.
    #[must_use]
    pub fn optional(
        mut self,
        name: impl Into<String>,
        schema: impl Into<PrimitiveSchemaDefinition>,
    ) -> Self {
        self.properties.insert(name, schema);
        self
    }
}

/// Fields by name, in the order in which they were added or read.
///
/// A map sorted by name would show a form's fields in that order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Properties(Vec<(String, PrimitiveSchemaDefinition)>);

impl Properties {
    /// No fields.
    #[must_use]
    pub const fn new() -> Self {
        Self(Vec::new())
    }

    /// Adds a field, or replaces the one of that name where it stands.
    pub fn insert(
        &mut self,
        name: impl Into<String>,
        schema: impl Into<PrimitiveSchemaDefinition>,
    ) {
        let (name, schema) = (name.into(), schema.into());
        match self.0.iter_mut().find(|(known, _)| *known == name) {
            Some((_, place)) => *place = schema,
            None => self.0.push((name, schema)),
        }
    }

    /// The field of this name.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&PrimitiveSchemaDefinition> {
        self.0.iter().find(|(known, _)| known == name).map(|(_, schema)| schema)
    }

    /// The fields, in order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &PrimitiveSchemaDefinition)> {
        self.0.iter().map(|(name, schema)| (name.as_str(), schema))
    }

    /// How many there are.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are none.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl Serialize for Properties {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.iter())
    }
}

impl<'de> Deserialize<'de> for Properties {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(FieldsVisitor)
    }
}

struct FieldsVisitor;

impl<'de> Visitor<'de> for FieldsVisitor {
    type Value = Properties;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the fields of a form")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Properties, A::Error> {
        let mut fields = Vec::new();
        while let Some(field) = map.next_entry()? {
            fields.push(field);
        }
        Ok(Properties(fields))
    }
}
