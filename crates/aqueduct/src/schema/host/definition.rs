//! A schema taken apart into its root and its definitions, and put together again.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value};

use super::each_subschema;
use crate::schema::SchemaError;
use crate::schema::got;
use crate::schema::limit::MAX_SUBSCHEMAS;

/// Where definitions stand, and what a reference to one begins with.
const PREFIX: &str = "#/$defs/";

/// The root schema and its definitions, apart.
#[derive(Debug)]
pub(super) struct Root {
    pub(super) schema: Map<String, Value>,
    definitions: BTreeMap<String, Value>,
}

impl Root {
    /// Takes a schema apart, drops what only its author sees, and inlines a root that is a reference.
    pub(super) fn open(schema: Value, type_name: &str) -> Result<Self, SchemaError> {
        let mut schema = match schema {
            Value::Object(map) => map,
            Value::Bool(true) => Map::new(),
            other => {
                let shown = got::got(&other);
                return Err(SchemaError::at_root(format!("expected a schema, got {shown}")));
            }
        };
        let definitions = match schema.remove("$defs") {
            Some(Value::Object(map)) => map.into_iter().collect(),
            _ => BTreeMap::new(),
        };
        schema.remove("$schema");
        let title = schema.remove("title");
        let mut root = Self { schema, definitions };
        let name = title.as_ref().and_then(Value::as_str).unwrap_or(type_name);
        root.name_the_root(name);
        root.inline_the_root()?;
        Ok(root)
    }

    /// Puts the schema together, with the definitions that are reachable.
    pub(super) fn close(mut self) -> Value {
        let mut wanted = BTreeSet::new();
        let mut open: Vec<String> = names_in_map(&self.schema);
        while let Some(name) = open.pop() {
            let Some(schema) = self.definitions.get(&name) else { continue };
            if wanted.insert(name) {
                open.extend(names_in(schema));
            }
        }
        self.definitions.retain(|name, _| wanted.contains(name));
        if !self.definitions.is_empty() {
            let definitions = Value::Object(self.definitions.into_iter().collect());
            self.schema.insert("$defs".to_owned(), definitions);
        }
        Value::Object(self.schema)
    }

    /// Calls `change` with every subschema, the outer one before its parts.
    pub(super) fn each(&mut self, mut change: impl FnMut(&mut Value)) {
        let mut root = Value::Object(std::mem::take(&mut self.schema));
        walk(&mut root, &mut change);
        if let Value::Object(map) = root {
            self.schema = map;
        }
        for schema in self.definitions.values_mut() {
            walk(schema, &mut change);
        }
    }

    /// What a schema is when its references are followed.
    pub(super) fn followed<'r>(&'r self, schema: &'r Value) -> &'r Value {
        let mut schema = schema;
        // A chain longer than there are definitions runs in a circle.
        for _ in 0..=self.definitions.len() {
            let target = reference(schema).and_then(|name| self.definitions.get(name));
            let Some(target) = target else { break };
            schema = target;
        }
        schema
    }

    /// Refuses references that do not name a definition.
    pub(super) fn check_references(&self) -> Result<(), SchemaError> {
        let mut wrong = None;
        let mut look = |schema: &Map<String, Value>| {
            let Some(reference) = schema.get("$ref") else { return };
            let text = reference.as_str().unwrap_or_default();
            if text.strip_prefix(PREFIX).is_none_or(|name| !self.definitions.contains_key(name)) {
                wrong = Some(got::json(reference));
            }
        };
        each_in_map(&self.schema, &mut look);
        for schema in self.definitions.values() {
            each_in(schema, &mut look);
        }
        match wrong {
            None => Ok(()),
            Some(text) => Err(SchemaError::at_root(format!(
                "\"$ref\" {text} names no definition under \"$defs\""
            ))),
        }
    }

    /// Replaces every reference to a definition that does not contain itself.
    pub(super) fn inline(&mut self) -> Result<(), SchemaError> {
        let recursive = self.recursive();
        let mut budget = MAX_SUBSCHEMAS;
        let mut root = Value::Object(std::mem::take(&mut self.schema));
        let mut kept = BTreeMap::new();
        self.expand(&mut root, &recursive, &mut budget)?;
        for name in &recursive {
            if let Some(schema) = self.definitions.get(name) {
                let mut schema = schema.clone();
                self.expand(&mut schema, &recursive, &mut budget)?;
                kept.insert(name.clone(), schema);
            }
        }
        self.definitions = kept;
        if let Value::Object(map) = root {
            self.schema = map;
        }
        Ok(())
    }

    fn expand(
        &self,
        schema: &mut Value,
        recursive: &BTreeSet<String>,
        budget: &mut usize,
    ) -> Result<(), SchemaError> {
        *budget = budget.checked_sub(1).ok_or_else(|| {
            SchemaError::at_root(format!("inlining gives more than {MAX_SUBSCHEMAS} subschemas"))
        })?;
        let target = reference(schema)
            .filter(|name| !recursive.contains(*name))
            .and_then(|name| self.definitions.get(name));
        let Value::Object(map) = schema else { return Ok(()) };
        if let Some(target) = target {
            map.remove("$ref");
            absorb(map, target.clone());
            return self.expand(schema, recursive, budget);
        }
        let mut result = Ok(());
        each_subschema(map, &mut |child| {
            if result.is_ok() {
                result = self.expand(child, recursive, budget);
            }
        });
        result
    }

    /// The definitions that lead back to themselves.
    fn recursive(&self) -> BTreeSet<String> {
        let leads_back = |start: &String| {
            let mut seen = BTreeSet::new();
            let mut open = self.definitions.get(start).map(names_in).unwrap_or_default();
            while let Some(name) = open.pop() {
                if &name == start {
                    return true;
                }
                if let Some(schema) = self.definitions.get(&name)
                    && seen.insert(name)
                {
                    open.extend(names_in(schema));
                }
            }
            false
        };
        self.definitions.keys().filter(|name| leads_back(name)).cloned().collect()
    }

    /// Gives the root a name when it refers to itself as `#`, which many hosts cannot resolve.
    fn name_the_root(&mut self, name: &str) {
        let mut refers = false;
        let mut look = |schema: &Map<String, Value>| {
            refers |= schema.get("$ref").and_then(Value::as_str) == Some("#");
        };
        each_in_map(&self.schema, &mut look);
        for schema in self.definitions.values() {
            each_in(schema, &mut look);
        }
        if !refers {
            return;
        }
        let plain: String = name
            .chars()
            .map(|c| if c.is_ascii_alphanumeric() || c == '_' { c } else { '_' })
            .collect();
        let mut name = plain.clone();
        for number in 2.. {
            if !self.definitions.contains_key(&name) {
                break;
            }
            name = format!("{plain}{number}");
        }
        self.definitions.insert(name.clone(), Value::Object(self.schema.clone()));
        let target = Value::String(format!("{PREFIX}{name}"));
        self.each(|schema| {
            if let Some(reference) = schema.get_mut("$ref")
                && reference.as_str() == Some("#")
            {
                *reference = target.clone();
            }
        });
    }

    /// Inlines a root that is a reference, so that it says itself what it is.
    pub(super) fn inline_the_root(&mut self) -> Result<(), SchemaError> {
        for _ in 0..=self.definitions.len() {
            let Some(Value::String(text)) = self.schema.get("$ref") else { return Ok(()) };
            let target = text.strip_prefix(PREFIX).and_then(|name| self.definitions.get(name));
            let Some(target) = target.cloned() else { return self.check_references() };
            self.schema.remove("$ref");
            absorb(&mut self.schema, target);
        }
        Err(SchemaError::at_root("the root refers to itself without end"))
    }
}

/// Adds to a schema what another one says, so that both hold.
///
/// An annotation that is already there is nearer to the reader and stays.
/// A constraint that both have and that differs goes into `allOf`.
pub(super) fn absorb(map: &mut Map<String, Value>, content: Value) {
    const ANNOTATIONS: &[&str] =
        &["title", "description", "default", "examples", "deprecated", "readOnly", "writeOnly"];
    let content = match content {
        Value::Object(content) => content,
        Value::Bool(true) => return,
        other => {
            map.insert("allOf".to_owned(), Value::Array(vec![other]));
            return;
        }
    };
    let differs = |(key, value): (&String, &Value)| {
        !ANNOTATIONS.contains(&key.as_str()) && map.get(key).is_some_and(|own| own != value)
    };
    if !content.iter().any(differs) {
        for (key, value) in content {
            map.entry(key).or_insert(value);
        }
        return;
    }
    match map.get_mut("allOf") {
        Some(Value::Array(items)) => items.push(Value::Object(content)),
        _ => {
            map.insert("allOf".to_owned(), Value::Array(vec![Value::Object(content)]));
        }
    }
}

fn reference(schema: &Value) -> Option<&str> {
    target(schema.as_object()?)
}

fn walk(schema: &mut Value, change: &mut dyn FnMut(&mut Value)) {
    change(schema);
    if let Value::Object(map) = schema {
        each_subschema(map, &mut |child| walk(child, change));
    }
}

/// Calls `look` with every schema that is an object, the outer one before its parts.
fn each_in(schema: &Value, look: &mut dyn FnMut(&Map<String, Value>)) {
    if let Value::Object(map) = schema {
        each_in_map(map, look);
    }
}

fn each_in_map(map: &Map<String, Value>, look: &mut dyn FnMut(&Map<String, Value>)) {
    look(map);
    crate::schema::reference::each_subschema(
        map,
        crate::schema::dialect::Dialect::Draft2020,
        |_, child| each_in(child, look),
    );
}

fn names_in(schema: &Value) -> Vec<String> {
    schema.as_object().map(names_in_map).unwrap_or_default()
}

fn names_in_map(map: &Map<String, Value>) -> Vec<String> {
    let mut names = Vec::new();
    each_in_map(map, &mut |schema| names.extend(target(schema).map(str::to_owned)));
    names
}

/// The name of the definition that a schema refers to.
fn target(schema: &Map<String, Value>) -> Option<&str> {
    schema.get("$ref")?.as_str()?.strip_prefix(PREFIX)
}
