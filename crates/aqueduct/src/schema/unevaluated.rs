//! What no adjacent keyword has looked at, for `unevaluatedItems` and `unevaluatedProperties`.
//!
//! Nothing is recorded during the ordinary check.
//! A node with one of the two keywords asks afterwards, which leaves every other schema as fast as
//! if the keywords did not exist.

use serde_json::{Map, Value};

use super::array::ArrayRule;
use super::node::{NodeId, Rule};
use super::object::ObjectRule;
use super::run::Run;

/// The positions of the items that nothing else in the node evaluated.
pub(super) fn items(run: &mut Run<'_>, node: NodeId, items: &[Value], value: &Value) -> Vec<usize> {
    let whole = Whole::Items(items, value);
    let mut seen = vec![false; items.len()];
    gather(run, node, &whole, &mut seen, Own::Skipped);
    seen.into_iter().enumerate().filter(|(_, seen)| !seen).map(|(at, _)| at).collect()
}

/// The members that nothing else in the node evaluated.
pub(super) fn members<'i>(
    run: &mut Run<'_>,
    node: NodeId,
    map: &'i Map<String, Value>,
    value: &'i Value,
) -> Vec<(&'i str, &'i Value)> {
    let whole = Whole::Members(map, value);
    let mut seen = vec![false; map.len()];
    gather(run, node, &whole, &mut seen, Own::Skipped);
    map.iter()
        .zip(seen)
        .filter(|(_, seen)| !seen)
        .map(|((name, member), _)| (name.as_str(), member))
        .collect()
}

/// The value whose parts are looked at, by its parts and as a whole.
enum Whole<'i> {
    Items(&'i [Value], &'i Value),
    Members(&'i Map<String, Value>, &'i Value),
}

impl Whole<'_> {
    fn check(&self, run: &mut Run<'_>, id: NodeId) -> bool {
        let (Self::Items(_, value) | Self::Members(_, value)) = self;
        run.check(id, value)
    }
}

/// Whether the node's own `unevaluated…` counts: not for the node that asks.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Own {
    Skipped,
    Counted,
}

/// Marks what the node and the subschemas that apply in place evaluate.
///
/// Branches that must hold for the node to hold are not checked again; branches of a choice are.
fn gather(run: &mut Run<'_>, id: NodeId, whole: &Whole<'_>, seen: &mut [bool], own: Own) {
    run.inside(id, |run, node| {
        for rule in &node.rules {
            match (rule, whole) {
                (Rule::Array(rule), Whole::Items(items, _)) => mark_items(run, rule, items, seen),
                (Rule::Object(rule), Whole::Members(map, _)) => {
                    mark_members(rule, map, seen);
                    for (name, schema) in &rule.dependent_schemas {
                        if map.contains_key(name) {
                            gather(run, *schema, whole, seen, Own::Counted);
                        }
                    }
                }
                (Rule::UnevaluatedItems(_), Whole::Items(..))
                | (Rule::UnevaluatedProperties(_), Whole::Members(..))
                    if own == Own::Counted =>
                {
                    seen.fill(true);
                }
                _ => gather_in_place(run, rule, whole, seen),
            }
        }
    });
}

fn gather_in_place(run: &mut Run<'_>, rule: &Rule, whole: &Whole<'_>, seen: &mut [bool]) {
    match rule {
        Rule::Reference(id) => gather(run, *id, whole, seen, Own::Counted),
        Rule::Dynamic(dynamic) => {
            let id = run.dynamic(dynamic.target, &dynamic.overrides);
            gather(run, id, whole, seen, Own::Counted);
        }
        Rule::AllOf(schemas) => {
            for id in schemas {
                gather(run, *id, whole, seen, Own::Counted);
            }
        }
        Rule::AnyOf(schemas) | Rule::OneOf(schemas) => {
            for id in schemas {
                if whole.check(run, *id) {
                    gather(run, *id, whole, seen, Own::Counted);
                }
            }
        }
        Rule::If(conditional) => {
            let holds = whole.check(run, conditional.condition);
            if holds {
                gather(run, conditional.condition, whole, seen, Own::Counted);
            }
            let consequence = if holds { conditional.then } else { conditional.otherwise };
            if let Some(id) = consequence {
                gather(run, id, whole, seen, Own::Counted);
            }
        }
        _ => {}
    }
}

fn mark_items(run: &mut Run<'_>, rule: &ArrayRule, items: &[Value], seen: &mut [bool]) {
    if rule.items.is_some() {
        seen.fill(true);
        return;
    }
    for seen in seen.iter_mut().take(rule.prefix.len()) {
        *seen = true;
    }
    let Some(contains) = &rule.contains else { return };
    for (seen, item) in seen.iter_mut().zip(items) {
        *seen = *seen || run.check(contains.schema, item);
    }
}

fn mark_members(rule: &ObjectRule, map: &Map<String, Value>, seen: &mut [bool]) {
    for (seen, name) in seen.iter_mut().zip(map.keys()) {
        *seen = *seen || rule.additional.is_some() || rule.covers(name);
    }
}
