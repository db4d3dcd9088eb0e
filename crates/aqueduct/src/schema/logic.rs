//! Schemas over schemas: `allOf`, `anyOf`, `oneOf`, `not`, `if`.

use serde_json::Value;

use super::SchemaError;
use super::compile::Compiler;
use super::keyword::Keywords;
use super::node::{NodeId, Rule};
use super::run::Run;

/// `if` with what follows from it.
#[derive(Debug)]
pub(super) struct Conditional {
    pub(super) condition: NodeId,
    pub(super) then: Option<NodeId>,
    pub(super) otherwise: Option<NodeId>,
}

/// Adds the rules of the composition keywords.
pub(super) fn compile<'s>(
    keywords: Keywords<'_, 's>,
    compiler: &mut Compiler<'s>,
    rules: &mut Vec<Rule>,
) -> Result<(), SchemaError> {
    for keyword in ["allOf", "anyOf", "oneOf"] {
        let schemas = compiler.list(keywords, keyword)?;
        if schemas.is_empty() {
            continue;
        }
        rules.push(match keyword {
            "allOf" => Rule::AllOf(schemas),
            "anyOf" => Rule::AnyOf(schemas),
            _ => Rule::OneOf(schemas),
        });
    }
    if let Some(schema) = compiler.single(keywords, "not")? {
        rules.push(Rule::Not(schema));
    }
    let then = compiler.single(keywords, "then")?;
    let otherwise = compiler.single(keywords, "else")?;
    if let Some(condition) = compiler.single(keywords, "if")? {
        rules.push(Rule::If(Conditional { condition, then, otherwise }));
    }
    Ok(())
}

impl Conditional {
    /// The schema that applies to `value` beside the condition.
    pub(super) fn consequence(&self, run: &mut Run<'_>, value: &Value) -> Option<NodeId> {
        if run.check(self.condition, value) { self.then } else { self.otherwise }
    }
}

/// Whether exactly one of the schemas accepts `value`.
pub(super) fn exactly_one(run: &mut Run<'_>, schemas: &[NodeId], value: &Value) -> bool {
    let mut matching = schemas.iter().filter(|schema| run.check(**schema, value));
    matching.next().is_some() && matching.next().is_none()
}
