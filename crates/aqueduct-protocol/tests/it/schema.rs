//! A walk over the official JSON Schema: what it defines, we have, and spell alike.

use std::collections::BTreeSet;
use std::fs;

use aqueduct_protocol::{code, meta, method::Method};
use serde_json::{Map, Value};

use crate::shared::revision;
use crate::table::{Entry, table};

fn schema() -> Option<Value> {
    let text = fs::read_to_string(revision()?.join("schema.json")).unwrap();
    Some(serde_json::from_str(&text).unwrap())
}

#[test]
fn every_definition_has_a_type_that_writes_all_of_it_and_nothing_else() {
    let Some(schema) = schema() else { return };
    let definitions = schema["$defs"].as_object().unwrap();
    let table = table();
    let mut faults = Vec::new();
    for name in definitions.keys() {
        let entries: Vec<_> = table.iter().filter(|(known, _)| known == name).collect();
        match entries.as_slice() {
            [(_, entry)] => Walk { definitions, faults: &mut faults }.entry(name, entry),
            [] => faults.push(format!("{name}: no entry in the table")),
            _ => faults.push(format!("{name}: several entries in the table")),
        }
    }
    let unknown = table.iter().filter(|(name, _)| !definitions.contains_key(*name));
    faults.extend(unknown.map(|(name, _)| format!("{name}: not in the schema")));
    assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), faults.join("\n"));
}

#[test]
fn every_constant_of_the_schema_is_one_of_ours() {
    let Some(schema) = schema() else { return };
    let mut methods = BTreeSet::new();
    let mut codes = BTreeSet::new();
    let mut keys = BTreeSet::new();
    collect(&schema, &mut methods, &mut codes, &mut keys);
    assert!(
        methods.len() > 20 && codes.len() == 8 && keys.len() >= 5,
        "{methods:?} {codes:?} {keys:?}"
    );

    for method in &methods {
        assert!(Method::parse(method).is_some(), "no constant for method {method}");
    }
    let ours = Method::ALL.iter().filter(|method| !is_elsewhere(**method));
    for method in ours {
        assert!(methods.contains(method.as_str()), "the schema knows no method {method}");
    }

    let ours = BTreeSet::from([
        code::PARSE_ERROR,
        code::INVALID_REQUEST,
        code::METHOD_NOT_FOUND,
        code::INVALID_PARAMS,
        code::INTERNAL_ERROR,
        code::HEADER_MISMATCH,
        code::MISSING_REQUIRED_CLIENT_CAPABILITY,
        code::UNSUPPORTED_PROTOCOL_VERSION,
    ]);
    assert_eq!(codes, ours.into_iter().map(i64::from).collect());

    let ours = BTreeSet::from([
        meta::PROTOCOL_VERSION,
        meta::CLIENT_CAPABILITIES,
        meta::CLIENT_INFO,
        meta::LOG_LEVEL,
        meta::SERVER_INFO,
        meta::SUBSCRIPTION_ID,
    ]);
    assert_eq!(keys, ours.into_iter().map(str::to_owned).collect());
}

/// Methods of the handshake revisions and of the extensions, which this schema lacks.
fn is_elsewhere(method: Method) -> bool {
    matches!(
        method,
        Method::TasksGet
            | Method::TasksUpdate
            | Method::TasksCancel
            | Method::NotificationsTasks
            | Method::SkillsList
            | Method::SkillsGet
            | Method::ResourcesDirectoryRead
            | Method::Initialize
            | Method::Ping
            | Method::LoggingSetLevel
            | Method::ResourcesSubscribe
            | Method::ResourcesUnsubscribe
            | Method::TasksResult
            | Method::TasksList
            | Method::NotificationsInitialized
            | Method::NotificationsRootsListChanged
            | Method::NotificationsElicitationComplete
            | Method::NotificationsTasksStatus
    )
}

fn collect(
    node: &Value,
    methods: &mut BTreeSet<String>,
    codes: &mut BTreeSet<i64>,
    keys: &mut BTreeSet<String>,
) {
    if let Some(properties) = node.get("properties").and_then(Value::as_object) {
        for (name, property) in properties {
            let constant = property.get("const");
            if name == "method" {
                methods.extend(constant.and_then(Value::as_str).map(str::to_owned));
            }
            if name == "code" {
                codes.extend(constant.and_then(Value::as_i64));
            }
            if name.starts_with("io.modelcontextprotocol/") {
                keys.insert(name.clone());
            }
        }
    }
    match node {
        Value::Object(members) => {
            members.values().for_each(|member| collect(member, methods, codes, keys));
        }
        Value::Array(items) => items.iter().for_each(|item| collect(item, methods, codes, keys)),
        _ => {}
    }
}

/// Just enough of JSON Schema to hold a value against a definition.
struct Walk<'a> {
    definitions: &'a Map<String, Value>,
    faults: &'a mut Vec<String>,
}

/// How strict the walk is about members.
#[derive(Clone, Copy, PartialEq)]
enum Members {
    /// All that the schema has, and no other.
    All,
    /// Those that it requires, and no other.
    Required,
    /// All that the schema has, and others: it is the base of something greater.
    Base,
}

impl Walk<'_> {
    fn entry(&mut self, name: &str, entry: &Entry) {
        let node = &self.definitions[name];
        match entry {
            Entry::Full(value) => self.check(node, value, Members::All, name),
            Entry::Base(value) => self.check(node, value, Members::Base, name),
            Entry::Union(values) => self.union(name, node, values),
        }
    }

    /// Every alternative has a value, and every value an alternative.
    fn union(&mut self, name: &str, node: &Value, values: &[Value]) {
        let whole = vec![node.clone()];
        let alternatives = node.get("anyOf").and_then(Value::as_array).unwrap_or(&whole);
        let fits =
            |alternative: &Value, value: &Value| self.faults_of(alternative, value).is_empty();
        let lonely: Vec<_> = alternatives
            .iter()
            .filter(|alternative| !values.iter().any(|value| fits(alternative, value)))
            .map(|alternative| format!("{name}: no value for {alternative}"))
            .collect();
        let astray: Vec<_> = values
            .iter()
            .filter(|value| !alternatives.iter().any(|alternative| fits(alternative, value)))
            .map(|value| format!("{name}: no alternative for {value}"))
            .collect();
        self.faults.extend(lonely.into_iter().chain(astray));
    }

    fn faults_of(&self, node: &Value, value: &Value) -> Vec<String> {
        let mut faults = Vec::new();
        Walk { definitions: self.definitions, faults: &mut faults }.check(
            node,
            value,
            Members::Required,
            "",
        );
        faults
    }

    fn check(&mut self, node: &Value, value: &Value, members: Members, path: &str) {
        if let Some(reference) = node.get("$ref").and_then(Value::as_str) {
            let name = reference.rsplit('/').next().unwrap();
            let node = &self.definitions[name];
            // What another definition fills is checked at its own entry.
            let inner = if path == name { members } else { Members::Required };
            return self.check(node, value, inner, path);
        }
        if let Some(alternatives) = node.get("anyOf").and_then(Value::as_array) {
            let fits = alternatives.iter().any(|node| self.faults_of(node, value).is_empty());
            if !fits {
                self.faults.push(format!("{path}: {value} fits no alternative"));
            }
            return;
        }
        if let Some(parts) = node.get("allOf").and_then(Value::as_array) {
            return self.check(&self.merged(parts), value, members, path);
        }
        if node.get("const").is_some_and(|constant| constant != value) {
            self.faults.push(format!("{path}: {value} is not {}", node["const"]));
        }
        if node.get("enum").and_then(Value::as_array).is_some_and(|words| !words.contains(value)) {
            self.faults.push(format!("{path}: {value} is none of {}", node["enum"]));
        }
        if !has_type(node, value) {
            self.faults.push(format!("{path}: {value} is not of type {}", node["type"]));
        }
        match value {
            Value::Object(object) => self.object(node, object, members, path),
            Value::Array(items) => {
                for item in items {
                    self.check(&node["items"], item, members, &format!("{path}[]"));
                }
            }
            _ => {}
        }
    }

    fn object(&mut self, node: &Value, object: &Map<String, Value>, members: Members, path: &str) {
        let none = Map::new();
        let properties = node.get("properties").and_then(Value::as_object).unwrap_or(&none);
        let required = node.get("required").and_then(Value::as_array);
        let is_open =
            node.get("additionalProperties").is_some() || node.get("properties").is_none();
        for (name, property) in properties {
            let here = format!("{path}.{name}");
            match object.get(name) {
                Some(value) => self.check(property, value, members, &here),
                None if members != Members::Required => {
                    self.faults.push(format!("{here}: never written"));
                }
                None if required
                    .is_some_and(|required| required.contains(&name.as_str().into())) =>
                {
                    self.faults.push(format!("{here}: required and not written"));
                }
                None => {}
            }
        }
        for (name, value) in object {
            if properties.contains_key(name) {
                continue;
            }
            if !is_open && members != Members::Base {
                self.faults.push(format!("{path}.{name}: not in the schema"));
            }
            if let Some(more) = node.get("additionalProperties").filter(|more| more.is_object()) {
                self.check(more, value, Members::Required, &format!("{path}.{name}"));
            }
        }
    }

    /// The members of all parts together; a later part is the narrower one.
    fn merged(&self, parts: &[Value]) -> Value {
        let mut properties = Map::new();
        let mut required = Vec::new();
        for part in parts {
            let part = part
                .get("$ref")
                .and_then(Value::as_str)
                .map_or(part, |reference| &self.definitions[reference.rsplit('/').next().unwrap()]);
            properties.extend(part["properties"].as_object().unwrap().clone());
            required.extend(part["required"].as_array().unwrap().clone());
        }
        serde_json::json!({ "type": "object", "properties": properties, "required": required })
    }
}

fn has_type(node: &Value, value: &Value) -> bool {
    let is = |name: &str| match name {
        "string" => value.is_string(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        "boolean" => value.is_boolean(),
        "object" => value.is_object(),
        "array" => value.is_array(),
        _ => panic!("unknown type {name}"),
    };
    match node.get("type") {
        None => true,
        Some(Value::String(name)) => is(name),
        Some(names) => names.as_array().unwrap().iter().any(|name| is(name.as_str().unwrap())),
    }
}

#[test]
fn the_walk_notices_what_it_is_for() {
    let definitions = serde_json::json!({
        "A": {
            "properties": { "a": { "type": "string" }, "b": { "$ref": "#/$defs/B" } },
            "required": ["a"],
            "type": "object",
        },
        "B": { "enum": ["x"], "type": "string" },
    });
    let check = |entry: Entry, fault: &str| {
        let mut faults = Vec::new();
        Walk { definitions: definitions.as_object().unwrap(), faults: &mut faults }
            .entry("A", &entry);
        assert_eq!(faults, if fault.is_empty() { vec![] } else { vec![fault] });
    };
    let full = |value| Entry::Full(value);
    check(full(serde_json::json!({ "a": "", "b": "x" })), "");
    check(full(serde_json::json!({ "a": "" })), "A.b: never written");
    check(full(serde_json::json!({ "b": "x" })), "A.a: never written");
    check(full(serde_json::json!({ "a": 1, "b": "x" })), "A.a: 1 is not of type \"string\"");
    check(full(serde_json::json!({ "a": "", "b": "y" })), "A.b: \"y\" is none of [\"x\"]");
    let more = || serde_json::json!({ "a": "", "b": "x", "c": 1 });
    check(full(more()), "A.c: not in the schema");
    check(Entry::Base(more()), "");
}
