//! What is wrong with an array.

use serde_json::Value;

use super::{Report, describe};
use crate::schema::array::{ArrayRule, Contains};
use crate::schema::got;
use crate::schema::node::{Node, NodeId, Types};
use crate::schema::unevaluated;

impl Report<'_> {
    pub(super) fn explain_array(&mut self, node: &Node, rule: &ArrayRule, items: &[Value]) {
        for (at, (schema, item)) in rule.children(items).enumerate() {
            let closed = at >= rule.prefix.len() && self.run.nodes().is_never(schema);
            if closed {
                self.too_many(rule.prefix.len(), items.len());
                break;
            }
            if !self.run.check(schema, item) {
                self.at(&at.to_string(), |report| report.explain(schema, item));
            }
        }
        if !rule.holds_count(items.len() as u64) {
            let few = rule.fewest.is_some_and(|fewest| (items.len() as u64) < fewest);
            let expected = describe::of_type(self.run.nodes(), node, Types::ARRAY).whole();
            self.push(if few { "minItems" } else { "maxItems" }, || {
                format!(
                    "expected {expected}, got {}",
                    got::count(items.len() as u64, "item", "items")
                )
            });
        }
        if let Some(contains) = &rule.contains {
            self.explain_contains(contains, items);
        }
        if rule.unique
            && let Some((first, second)) = ArrayRule::duplicate(&mut self.run, items)
        {
            self.push("uniqueItems", || {
                let shown = items.get(second).map(got::plain).unwrap_or_default();
                format!("items {first} and {second} are both {shown}, expected different items")
            });
        }
    }

    pub(super) fn explain_unevaluated_items(
        &mut self,
        node: NodeId,
        schema: NodeId,
        items: &[Value],
        value: &Value,
    ) {
        let left = unevaluated::items(&mut self.run, node, items, value);
        if self.run.nodes().is_never(schema) {
            self.too_many(left.first().copied().unwrap_or_default(), items.len());
            return;
        }
        for at in left {
            if let Some(item) = items.get(at)
                && !self.run.check(schema, item)
            {
                self.at(&at.to_string(), |report| report.explain(schema, item));
            }
        }
    }

    fn too_many(&mut self, most: usize, count: usize) {
        self.push("maxItems", || {
            let most = got::count(most as u64, "item", "items");
            format!("expected at most {most}, got {count}")
        });
    }

    fn explain_contains(&mut self, contains: &Contains, items: &[Value]) {
        let found = contains.found(&mut self.run, items);
        let few = found < contains.fewest;
        let many = contains.most.is_some_and(|most| found > most);
        if !few && !many {
            return;
        }
        let kind = describe::expectation(self.run.nodes(), contains.schema);
        let kind = kind.map_or_else(|| "as described".to_owned(), |kind| kind.whole());
        let fewest = (contains.fewest > 0).then_some(contains.fewest);
        let amount = describe::amount(fewest, contains.most, "item", "items").unwrap_or_default();
        self.push("contains", || format!("expected {amount} being {kind}, got {found}"));
    }
}
