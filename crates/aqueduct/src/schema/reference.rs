//! Where `$ref` and `$dynamicRef` lead: within the schema or nowhere, never to a file or a host.
//!
//! Source: the specification, Basic, JSON Schema Usage, and SEP-2106: no reference is fetched, and a
//! schema with a reference that leads outside is refused, not taken as permissive.

use std::collections::HashMap;
use std::fmt;

use serde_json::{Map, Value};

use super::SchemaError;
use super::dialect::{Dialect, Holds};
use super::got;
use super::keyword::{self, Keywords};
use super::limit::{MAX_SCHEMA_DEPTH, MAX_SUBSCHEMAS};
use super::node::NodeId;
use super::uri;

/// A `$dynamicRef` that may be taken over by a schema resource further out.
#[derive(Debug)]
pub(super) struct Dynamic {
    /// Where it leads by itself.
    pub(super) target: NodeId,
    /// The resources that declare the same `$dynamicAnchor`; the outermost one entered wins.
    pub(super) overrides: Vec<(u32, NodeId)>,
}

/// A schema resource: the root, or a subschema with its own `$id`.
#[derive(Debug)]
struct Resource {
    uri: String,
    pointer: String,
    anchors: HashMap<String, String>,
    dynamic: HashMap<String, String>,
}

/// Where everything that can be referred to stands.
#[derive(Debug)]
pub(super) struct Index<'s> {
    root: &'s Value,
    dialect: Dialect,
    resources: Vec<Resource>,
    by_uri: HashMap<String, u32>,
    /// The resource of every subschema that was walked.
    owner: HashMap<String, u32>,
}

/// The place a reference leads to.
#[derive(Debug)]
pub(super) struct Target<'s> {
    pub(super) pointer: String,
    pub(super) value: &'s Value,
    /// The name, when the reference ends at a `$dynamicAnchor`.
    pub(super) dynamic: Option<String>,
}

impl<'s> Index<'s> {
    pub(super) fn new(root: &'s Value, dialect: Dialect) -> Result<Self, SchemaError> {
        let first = Resource {
            uri: String::new(),
            pointer: String::new(),
            anchors: HashMap::new(),
            dynamic: HashMap::new(),
        };
        let mut index = Self {
            root,
            dialect,
            resources: vec![first],
            by_uri: HashMap::from([(String::new(), 0)]),
            owner: HashMap::new(),
        };
        index.walk(String::new(), root, 0)?;
        Ok(index)
    }

    /// The resource that the subschema at `pointer` belongs to.
    pub(super) fn owner(&self, pointer: &str) -> u32 {
        self.owner.get(pointer).copied().unwrap_or_default()
    }

    /// The value at `pointer`.
    pub(super) fn at(&self, pointer: &str) -> Option<&'s Value> {
        self.root.pointer(pointer)
    }

    /// The dynamic anchors of that name, in all resources.
    pub(super) fn dynamic(&self, name: &str) -> Vec<(u32, String)> {
        (0_u32..)
            .zip(&self.resources)
            .filter_map(|(id, resource)| Some((id, resource.dynamic.get(name)?.clone())))
            .collect()
    }

    /// Resolves the reference that `keyword` makes.
    pub(super) fn resolve(
        &mut self,
        keywords: Keywords<'_, '_>,
        keyword: &str,
        reference: &str,
    ) -> Result<Target<'s>, SchemaError> {
        let refuse = |why: &str| {
            let shown = got::quote_long(reference);
            SchemaError::new(keywords.pointer(), format!("\"{keyword}\" {shown} {why}"))
        };
        let owner = self.owner(keywords.pointer());
        let base = self.resources.get(owner as usize).map_or("", |resource| &resource.uri);
        let (document, fragment) = uri::split_fragment(reference);
        let wanted = uri::join(base, document);
        let Some((id, resource)) =
            self.by_uri.get(&wanted).and_then(|id| Some((*id, self.resources.get(*id as usize)?)))
        else {
            return Err(refuse(
                "leads outside this schema; only references within it are followed, nothing is \
                 fetched",
            ));
        };
        let Some(fragment) = uri::percent_decoded(fragment.unwrap_or_default()) else {
            return Err(refuse("has broken percent-encoding"));
        };
        let missing = || refuse("names nothing in this schema");
        if fragment.is_empty() || fragment.starts_with('/') {
            let value = self.root.pointer(&resource.pointer).ok_or_else(missing)?;
            let value = value.pointer(&fragment).ok_or_else(missing)?;
            let pointer = format!("{}{fragment}", resource.pointer);
            self.walk_if_new(&pointer, value, id)?;
            return Ok(Target { pointer, value, dynamic: None });
        }
        let pointer = resource.anchors.get(&fragment).ok_or_else(missing)?.clone();
        let dynamic = resource.dynamic.contains_key(&fragment).then_some(fragment);
        let value = self.root.pointer(&pointer).ok_or_else(missing)?;
        Ok(Target { pointer, value, dynamic })
    }

    /// Walks a place that no keyword leads to; a reference has made it a schema now.
    fn walk_if_new(
        &mut self,
        pointer: &str,
        value: &'s Value,
        resource: u32,
    ) -> Result<(), SchemaError> {
        if self.owner.contains_key(pointer) {
            return Ok(());
        }
        let mut outer = pointer;
        let mut owner = resource;
        while let Some((shorter, _)) = outer.rsplit_once('/') {
            outer = shorter;
            if let Some(found) = self.owner.get(outer) {
                owner = *found;
                break;
            }
        }
        self.walk(pointer.to_owned(), value, owner)
    }

    /// Notes `$id` and anchors of a subschema and of all below it.
    fn walk(&mut self, pointer: String, schema: &'s Value, owner: u32) -> Result<(), SchemaError> {
        let mut open = vec![(pointer, schema, owner, 0_usize)];
        while let Some((pointer, schema, owner, depth)) = open.pop() {
            if depth > MAX_SCHEMA_DEPTH {
                return Err(SchemaError::at_root(format!(
                    "subschemas nest deeper than {MAX_SCHEMA_DEPTH} levels"
                )));
            }
            if self.owner.len() >= MAX_SUBSCHEMAS {
                return Err(too_many());
            }
            let Value::Object(map) = schema else {
                self.owner.insert(pointer, owner);
                continue;
            };
            self.dialect.check_nested(map, &pointer)?;
            let owner = self.note(map, &pointer, owner)?;
            each_subschema(map, self.dialect, |below, child| {
                open.push((format!("{pointer}{below}"), child, owner, depth + 1));
            });
            self.owner.insert(pointer, owner);
        }
        Ok(())
    }

    /// Notes the identifiers of one schema object and returns the resource it belongs to.
    fn note(
        &mut self,
        map: &Map<String, Value>,
        pointer: &str,
        owner: u32,
    ) -> Result<u32, SchemaError> {
        if self.dialect.reference_stands_alone() && map.contains_key("$ref") {
            return Ok(owner);
        }
        let keywords = Keywords::new(map, pointer);
        let mut owner = owner;
        if let Some(id) = keywords.text("$id")? {
            let (document, fragment) = uri::split_fragment(id);
            if !document.is_empty() {
                owner = self.open(pointer, owner, document, keywords)?;
            }
            match fragment {
                None | Some("") => {}
                Some(name) if self.dialect == Dialect::Draft07 => {
                    self.anchor(keywords, "$id", name, owner)?;
                }
                Some(_) => return Err(keywords.wrong("$id", "a URI without a fragment")),
            }
        }
        if self.dialect == Dialect::Draft07 {
            return Ok(owner);
        }
        if let Some(name) = keywords.text("$anchor")? {
            self.anchor(keywords, "$anchor", name, owner)?;
        }
        if let Some(name) = keywords.text("$dynamicAnchor")? {
            self.anchor(keywords, "$dynamicAnchor", name, owner)?;
            if let Some(resource) = self.resources.get_mut(owner as usize) {
                resource.dynamic.insert(name.to_owned(), pointer.to_owned());
            }
        }
        Ok(owner)
    }

    /// Starts a resource at `$id`; the root is renamed, not started again.
    fn open(
        &mut self,
        pointer: &str,
        owner: u32,
        document: &str,
        keywords: Keywords<'_, '_>,
    ) -> Result<u32, SchemaError> {
        let base = self.resources.get(owner as usize).map_or("", |resource| &resource.uri);
        let uri = uri::join(base, document);
        if self.by_uri.contains_key(&uri) {
            return Err(keywords.wrong("$id", "different from every other \"$id\""));
        }
        if pointer.is_empty() {
            if let Some(root) = self.resources.first_mut() {
                root.uri.clone_from(&uri);
            }
            self.by_uri.clear();
            self.by_uri.insert(uri, 0);
            return Ok(0);
        }
        let id = u32::try_from(self.resources.len()).map_err(|_| too_many())?;
        self.by_uri.insert(uri.clone(), id);
        self.resources.push(Resource {
            uri,
            pointer: pointer.to_owned(),
            anchors: HashMap::new(),
            dynamic: HashMap::new(),
        });
        Ok(id)
    }

    fn anchor(
        &mut self,
        keywords: Keywords<'_, '_>,
        keyword: &str,
        name: &str,
        owner: u32,
    ) -> Result<(), SchemaError> {
        let named = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
            && name
                .chars()
                .all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.' | ':'));
        if !named {
            return Err(keywords.wrong(keyword, "a name of letters, digits, '-', '_' and '.'"));
        }
        let Some(resource) = self.resources.get_mut(owner as usize) else { return Ok(()) };
        let previous = resource.anchors.insert(name.to_owned(), keywords.pointer().to_owned());
        match previous {
            Some(other) if other != keywords.pointer() => {
                Err(keywords.wrong(keyword, "different from every other anchor"))
            }
            _ => Ok(()),
        }
    }
}

/// The error that a schema has more parts than are allowed.
pub(super) fn too_many() -> SchemaError {
    SchemaError::at_root(format!("the schema has more than {MAX_SUBSCHEMAS} subschemas"))
}

/// The way from a schema to one right below it, written as a pointer when that is asked for.
#[derive(Debug, Clone, Copy)]
pub(super) struct Below<'s> {
    pub(super) keyword: &'s str,
    step: Step<'s>,
}

#[derive(Debug, Clone, Copy)]
enum Step<'s> {
    None,
    Index(usize),
    Key(&'s str),
}

impl fmt::Display for Below<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "/{}", self.keyword)?;
        match self.step {
            Step::None => Ok(()),
            Step::Index(index) => write!(f, "/{index}"),
            Step::Key(key) => f.write_str(&keyword::below("", key)),
        }
    }
}

/// Calls `visit` with each direct subschema and the way to it from `map`.
pub(super) fn each_subschema<'s>(
    map: &'s Map<String, Value>,
    dialect: Dialect,
    mut visit: impl FnMut(Below<'s>, &'s Value),
) {
    if dialect.reference_stands_alone() && map.contains_key("$ref") {
        return;
    }
    for (keyword, value) in map {
        let below = |step| Below { keyword, step };
        match (dialect.holds(keyword), value) {
            (Holds::Nothing, _) | (Holds::One, Value::Array(_)) => {}
            (Holds::Many | Holds::OneOrMany, Value::Array(items)) => {
                for (index, item) in items.iter().enumerate() {
                    visit(below(Step::Index(index)), item);
                }
            }
            (Holds::One | Holds::OneOrMany, one) => visit(below(Step::None), one),
            (holds @ (Holds::Named | Holds::NamedOrKeys), Value::Object(members)) => {
                for (key, member) in members {
                    // A list under draft-07's `dependencies` names keys and is no schema.
                    if !(holds == Holds::NamedOrKeys && member.is_array()) {
                        visit(below(Step::Key(key)), member);
                    }
                }
            }
            (Holds::Many | Holds::Named | Holds::NamedOrKeys, _) => {}
        }
    }
}
