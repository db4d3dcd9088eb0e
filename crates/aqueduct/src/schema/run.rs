//! One check of one value: the walk over the nodes, with its fuel.

use serde_json::Value;

use super::equal;
use super::limit::{MAX_EVALUATION_DEPTH, MAX_STEPS};
use super::logic;
use super::node::{Node, NodeId, Nodes, Rule};
use super::text::Formats;
use super::unevaluated;

/// The state of one check.
///
/// A run that is out of fuel has no answer.
/// It answers `false` as a whole, because inside a `not` a `false` would become a `true`.
#[derive(Debug)]
pub(super) struct Run<'v> {
    nodes: &'v Nodes,
    formats: Formats,
    fuel: u64,
    depth: u32,
    exhausted: bool,
    /// The schema resources entered, outermost first; kept only where `$dynamicRef` asks for it.
    scope: Vec<u32>,
    scoped: bool,
}

/// Whether entering a node also entered a schema resource.
#[derive(Debug, Clone, Copy)]
pub(super) struct Entered(bool);

impl<'v> Run<'v> {
    pub(super) fn new(nodes: &'v Nodes, formats: Formats, scoped: bool) -> Self {
        Self {
            nodes,
            formats,
            fuel: MAX_STEPS,
            depth: 0,
            exhausted: false,
            scope: Vec::new(),
            scoped,
        }
    }

    pub(super) fn nodes(&self) -> &'v Nodes {
        self.nodes
    }

    pub(super) fn formats(&self) -> Formats {
        self.formats
    }

    /// Whether the fuel or the stack ran out.
    pub(super) fn exhausted(&self) -> bool {
        self.exhausted
    }

    /// Takes fuel; false when there is not enough left.
    pub(super) fn spend(&mut self, steps: u64) -> bool {
        match self.fuel.checked_sub(steps) {
            Some(left) if !self.exhausted => {
                self.fuel = left;
                true
            }
            _ => {
                self.exhausted = true;
                false
            }
        }
    }

    /// Whether the subschema accepts the value.
    pub(super) fn check(&mut self, id: NodeId, value: &Value) -> bool {
        self.inside(id, |run, node| {
            node.types.accept(value) && node.rules.iter().all(|rule| rule.accepts(run, id, value))
        })
        .unwrap_or_default()
    }

    /// Whether the subschema accepts a key of an object.
    pub(super) fn check_name(&mut self, id: NodeId, name: &str) -> bool {
        self.check(id, &Value::String(name.to_owned()))
    }

    /// Runs `body` with the node entered.
    pub(super) fn inside<T>(
        &mut self,
        id: NodeId,
        body: impl FnOnce(&mut Self, &'v Node) -> T,
    ) -> Option<T> {
        let (node, entered) = self.enter(id)?;
        let result = body(self, node);
        self.leave(entered);
        Some(result)
    }

    /// Enters a node: one step of fuel, one level of depth, its resource in scope.
    ///
    /// What it returns beside the node belongs to [`Run::leave`].
    pub(super) fn enter(&mut self, id: NodeId) -> Option<(&'v Node, Entered)> {
        let node = self.nodes.get(id);
        if self.depth >= MAX_EVALUATION_DEPTH {
            self.exhausted = true;
        }
        if !self.spend(1) {
            return None;
        }
        self.depth += 1;
        let entered = self.scoped && self.scope.last() != Some(&node.resource);
        if entered {
            self.scope.push(node.resource);
        }
        Some((node, Entered(entered)))
    }

    /// Leaves a node that was entered.
    pub(super) fn leave(&mut self, entered: Entered) {
        if entered.0 {
            self.scope.pop();
        }
        self.depth -= 1;
    }

    /// Where a `$dynamicRef` leads from here.
    pub(super) fn dynamic(&self, target: NodeId, overrides: &[(u32, NodeId)]) -> NodeId {
        self.scope
            .iter()
            .find_map(|entered| overrides.iter().find(|(resource, _)| resource == entered))
            .map_or(target, |(_, id)| *id)
    }
}

impl Rule {
    /// Whether the rule, which stands in the node `own`, accepts the value.
    pub(super) fn accepts(&self, run: &mut Run<'_>, own: NodeId, value: &Value) -> bool {
        match (self, value) {
            (Self::Never, _) => false,
            (Self::Values(_, values), _) => {
                run.spend(values.len() as u64)
                    && values.iter().any(|known| equal::equal(known, value))
            }
            (Self::Number(rule), Value::Number(number)) => rule.accepts(number),
            (Self::Text(rule), Value::String(text)) => rule.accepts(text, run.formats()),
            (Self::Array(rule), Value::Array(items)) => rule.accepts(run, items),
            (Self::Object(rule), Value::Object(map)) => rule.accepts(run, value, map),
            (Self::Number(_) | Self::Text(_) | Self::Array(_) | Self::Object(_), _) => true,
            (Self::Reference(id), _) => run.check(*id, value),
            (Self::Dynamic(dynamic), _) => {
                let id = run.dynamic(dynamic.target, &dynamic.overrides);
                run.check(id, value)
            }
            (Self::AllOf(schemas), _) => schemas.iter().all(|id| run.check(*id, value)),
            (Self::AnyOf(schemas), _) => schemas.iter().any(|id| run.check(*id, value)),
            (Self::OneOf(schemas), _) => logic::exactly_one(run, schemas, value),
            (Self::Not(schema), _) => !run.check(*schema, value),
            (Self::If(conditional), _) => {
                conditional.consequence(run, value).is_none_or(|schema| run.check(schema, value))
            }
            (Self::UnevaluatedItems(schema), Value::Array(items)) => {
                unevaluated::items(run, own, items, value)
                    .into_iter()
                    .all(|at| items.get(at).is_none_or(|item| run.check(*schema, item)))
            }
            (Self::UnevaluatedProperties(schema), Value::Object(map)) => {
                unevaluated::members(run, own, map, value)
                    .into_iter()
                    .all(|(_, member)| run.check(*schema, member))
            }
            (Self::UnevaluatedItems(_) | Self::UnevaluatedProperties(_), _) => true,
        }
    }
}
