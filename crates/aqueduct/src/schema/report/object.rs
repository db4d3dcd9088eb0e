//! What is wrong with an object: members that are wrong, missing, or unknown.

use std::collections::HashSet;

use serde_json::{Map, Value};

use super::{Report, describe, nearest};
use crate::schema::got;
use crate::schema::node::{Node, NodeId, Nodes, Rule, Types};
use crate::schema::object::ObjectRule;
use crate::schema::unevaluated;

/// How far references are followed to find the names that a schema knows.
const LEVELS: usize = 5;

impl Report<'_> {
    pub(super) fn explain_object(
        &mut self,
        node: &Node,
        rule: &ObjectRule,
        map: &Map<String, Value>,
        whole: &Value,
    ) {
        let required: HashSet<&str> = rule.required.iter().map(String::as_str).collect();
        for (name, schema) in &rule.properties {
            let needed = required.contains(name.as_str());
            match map.get(name) {
                Some(value) if !self.run.check(*schema, value) => {
                    self.at(name, |report| report.explain_member(*schema, value, needed));
                }
                None if needed => self.missing("required", name, Some(*schema), None),
                Some(_) | None => {}
            }
        }
        for name in &rule.required {
            if rule.property(name).is_none() && !map.contains_key(name) {
                self.missing("required", name, None, None);
            }
        }
        for (absent, present) in rule.absent_for(map) {
            self.missing("dependentRequired", absent, rule.property(absent), Some(present));
        }
        for (name, value) in map {
            self.explain_rest(rule, map, name, value);
        }
        if !rule.holds_count(map.len() as u64) {
            let few = rule.fewest.is_some_and(|fewest| (map.len() as u64) < fewest);
            self.push(if few { "minProperties" } else { "maxProperties" }, || {
                let amount = describe::amount(rule.fewest, rule.most, "key", "keys");
                format!("expected {}, got {}", amount.unwrap_or_default(), map.len())
            });
        }
        for (name, schema) in &rule.dependent_schemas {
            if map.contains_key(name) {
                self.explain(*schema, whole);
            }
        }
        debug_assert!(node.types.has(Types::OBJECT), "a refused type never gets here");
    }

    pub(super) fn explain_unevaluated(
        &mut self,
        node: NodeId,
        schema: NodeId,
        map: &Map<String, Value>,
        whole: &Value,
    ) {
        let left = unevaluated::members(&mut self.run, node, map, whole);
        let mut known = Vec::new();
        names(self.run.nodes(), node, LEVELS, &mut known);
        for (name, value) in left {
            if self.run.nodes().is_never(schema) {
                self.unknown("unevaluatedProperties", name, &known, map);
            } else if !self.run.check(schema, value) {
                self.at(name, |report| report.explain(schema, value));
            }
        }
    }

    /// A named member with a wrong value.
    fn explain_member(&mut self, schema: NodeId, value: &Value, needed: bool) {
        if value.is_null() && !needed {
            let expected = describe::expectation(self.run.nodes(), schema);
            self.push("type", || match expected {
                Some(expected) => {
                    format!("expected {}, got null (leave it out instead)", expected.whole())
                }
                None => "null is not allowed, leave it out instead".to_owned(),
            });
            return;
        }
        self.explain(schema, value);
    }

    /// What the patterns, `additionalProperties` and `propertyNames` say about a member.
    fn explain_rest(
        &mut self,
        rule: &ObjectRule,
        map: &Map<String, Value>,
        name: &str,
        value: &Value,
    ) {
        for schema in rule.matching(name) {
            if !self.run.check(schema, value) {
                self.at(name, |report| report.explain(schema, value));
            }
        }
        if let Some(schema) = rule.additional
            && !rule.covers(name)
        {
            if self.run.nodes().is_never(schema) {
                let known: Vec<&str> =
                    rule.properties.iter().map(|(name, _)| name.as_str()).collect();
                self.unknown("additionalProperties", name, &known, map);
            } else if !self.run.check(schema, value) {
                self.at(name, |report| report.explain(schema, value));
            }
        }
        if let Some(schema) = rule.names
            && !self.run.check_name(schema, name)
        {
            let expected = describe::expectation(self.run.nodes(), schema);
            self.at(name, |report| {
                report.push("propertyNames", || match expected {
                    Some(expected) => format!("as a key, expected {}", expected.whole()),
                    None => "is not allowed as a key".to_owned(),
                });
            });
        }
    }

    fn missing(
        &mut self,
        keyword: &'static str,
        name: &str,
        schema: Option<NodeId>,
        because: Option<&str>,
    ) {
        let nodes = self.run.nodes();
        // A `then` that requires a key is often not where the key is described.
        let described = || property(nodes, self.owner?, name, LEVELS);
        let schema = schema.or_else(described);
        self.at(name, |report| {
            report.push(keyword, || {
                let mut message = required(nodes, schema);
                if let Some(present) = because {
                    got::push(&mut message, format_args!(", {} needs it", got::quote(present)));
                }
                message
            });
        });
    }

    fn unknown(
        &mut self,
        keyword: &'static str,
        name: &str,
        known: &[&str],
        map: &Map<String, Value>,
    ) {
        self.at(name, |report| {
            report.push(keyword, || {
                let absent = known.iter().copied().filter(|name| !map.contains_key(*name));
                let meant = nearest(name, absent).or_else(|| nearest(name, known.iter().copied()));
                match meant {
                    Some(meant) => format!("unknown, did you mean {}?", got::quote(meant)),
                    None if known.is_empty() => "unknown, no keys are expected here".to_owned(),
                    None => format!("unknown, known are {}", got::list(known.iter().copied())),
                }
            });
        });
    }
}

/// "required string is missing", with what else helps to write it.
fn required(nodes: &Nodes, schema: Option<NodeId>) -> String {
    let Some(id) = schema else { return "required but missing".to_owned() };
    let hint = &nodes.get(id).hint;
    let listed = describe::allowed_values(nodes, id).map(|values| describe::one_of(&values));
    let expected = describe::expectation(nodes, id).filter(|_| listed.is_none());
    let kind = expected.as_ref().map_or("value", |expected| expected.bare());
    let example = hint.example.as_ref().map(|example| format!("e.g. {example}"));
    let details: Vec<String> = hint.description.iter().cloned().chain(listed.or(example)).collect();
    if details.is_empty() {
        return format!("required {kind} is missing");
    }
    format!("required {kind} is missing ({})", details.join(", "))
}

/// The schema of a property, through everything that certainly applies to the same value.
fn property(nodes: &Nodes, id: NodeId, name: &str, levels: usize) -> Option<NodeId> {
    let levels = levels.checked_sub(1)?;
    nodes.get(id).rules.iter().find_map(|rule| match rule {
        Rule::Object(rule) => rule.property(name),
        Rule::Reference(id) => property(nodes, *id, name, levels),
        Rule::AllOf(ids) => ids.iter().find_map(|id| property(nodes, *id, name, levels)),
        _ => None,
    })
}

/// The names that a schema knows, through everything that applies to the same value.
fn names<'v>(nodes: &'v Nodes, id: NodeId, levels: usize, found: &mut Vec<&'v str>) {
    let Some(levels) = levels.checked_sub(1) else { return };
    for rule in &nodes.get(id).rules {
        match rule {
            Rule::Object(rule) => {
                for (name, _) in &rule.properties {
                    if !found.contains(&name.as_str()) {
                        found.push(name);
                    }
                }
            }
            Rule::Reference(id) => names(nodes, *id, levels, found),
            Rule::AllOf(ids) | Rule::AnyOf(ids) | Rule::OneOf(ids) => {
                for id in ids {
                    names(nodes, *id, levels, found);
                }
            }
            Rule::If(conditional) => {
                for id in [conditional.then, conditional.otherwise].into_iter().flatten() {
                    names(nodes, id, levels, found);
                }
            }
            _ => {}
        }
    }
}
