//! Arrays: items by position, by kind, by number, and all different.

use serde_json::Value;

use super::SchemaError;
use super::compile::Compiler;
use super::dialect::Dialect;
use super::equal;
use super::keyword::Keywords;
use super::node::NodeId;
use super::run::Run;

/// The keywords that constrain an array.
#[derive(Debug)]
pub(super) struct ArrayRule {
    /// `prefixItems`, in draft-07 the array form of `items`.
    pub(super) prefix: Vec<NodeId>,
    /// `items`, in draft-07 also `additionalItems`.
    pub(super) items: Option<NodeId>,
    /// `contains`.
    pub(super) contains: Option<Contains>,
    /// `minItems`.
    pub(super) fewest: Option<u64>,
    /// `maxItems`.
    pub(super) most: Option<u64>,
    /// `uniqueItems`.
    pub(super) unique: bool,
}

/// `contains` with its bounds.
#[derive(Debug)]
pub(super) struct Contains {
    pub(super) schema: NodeId,
    /// `minContains`.
    pub(super) fewest: u64,
    /// `maxContains`.
    pub(super) most: Option<u64>,
}

impl ArrayRule {
    pub(super) fn compile<'s>(
        keywords: Keywords<'_, 's>,
        compiler: &mut Compiler<'s>,
    ) -> Result<Option<Self>, SchemaError> {
        let (prefix, items) = match compiler.dialect() {
            Dialect::Draft2020 => {
                if keywords.get("items").is_some_and(Value::is_array) {
                    return Err(keywords
                        .wrong("items", "one schema (a list of schemas is \"prefixItems\")"));
                }
                (compiler.list(keywords, "prefixItems")?, compiler.single(keywords, "items")?)
            }
            Dialect::Draft07 if keywords.get("items").is_some_and(Value::is_array) => {
                (compiler.list(keywords, "items")?, compiler.single(keywords, "additionalItems")?)
            }
            Dialect::Draft07 => {
                // Without a list `additionalItems` means nothing; compiled only to be checked.
                compiler.single(keywords, "additionalItems")?;
                (Vec::new(), compiler.single(keywords, "items")?)
            }
        };
        let rule = Self {
            prefix,
            items,
            contains: Contains::compile(keywords, compiler)?,
            fewest: keywords.count("minItems")?,
            most: keywords.count("maxItems")?,
            unique: keywords.flag("uniqueItems")?.unwrap_or_default(),
        };
        let constrains = !rule.prefix.is_empty()
            || rule.items.is_some()
            || rule.contains.is_some()
            || rule.fewest.is_some()
            || rule.most.is_some()
            || rule.unique;
        Ok(constrains.then_some(rule))
    }

    pub(super) fn accepts(&self, run: &mut Run<'_>, items: &[Value]) -> bool {
        self.holds_count(items.len() as u64)
            && self.children(items).all(|(child, item)| run.check(child, item))
            && self.contains.as_ref().is_none_or(|contains| contains.accepts(run, items))
            && (!self.unique || Self::duplicate(run, items).is_none())
    }

    /// Each item with the schema for its position.
    pub(super) fn children<'i>(
        &self,
        items: &'i [Value],
    ) -> impl Iterator<Item = (NodeId, &'i Value)> {
        let schemas = self.prefix.iter().copied().map(Some).chain(std::iter::repeat(self.items));
        items.iter().zip(schemas).map_while(|(item, schema)| Some((schema?, item)))
    }

    pub(super) fn holds_count(&self, count: u64) -> bool {
        self.fewest.is_none_or(|fewest| count >= fewest)
            && self.most.is_none_or(|most| count <= most)
    }

    pub(super) fn duplicate(run: &mut Run<'_>, items: &[Value]) -> Option<(usize, usize)> {
        let work = items.iter().map(equal::size).sum();
        // Out of fuel the run fails as a whole, so the answer here does not matter.
        if !run.spend(work) {
            return None;
        }
        equal::duplicate(items)
    }
}

impl Contains {
    fn compile<'s>(
        keywords: Keywords<'_, 's>,
        compiler: &mut Compiler<'s>,
    ) -> Result<Option<Self>, SchemaError> {
        let schema = compiler.single(keywords, "contains")?;
        let (fewest, most) = match compiler.dialect() {
            Dialect::Draft2020 => (keywords.count("minContains")?, keywords.count("maxContains")?),
            Dialect::Draft07 => (None, None),
        };
        Ok(schema.map(|schema| Self { schema, fewest: fewest.unwrap_or(1), most }))
    }

    fn accepts(&self, run: &mut Run<'_>, items: &[Value]) -> bool {
        let mut found = 0;
        for item in items {
            if !run.check(self.schema, item) {
                continue;
            }
            found += 1;
            if self.most.is_some_and(|most| found > most) {
                return false;
            }
            if self.most.is_none() && found >= self.fewest {
                return true;
            }
        }
        found >= self.fewest
    }

    /// How many items match.
    pub(super) fn found(&self, run: &mut Run<'_>, items: &[Value]) -> u64 {
        items.iter().filter(|item| run.check(self.schema, item)).count() as u64
    }
}
