//! Objects: members by name, by pattern and the rest, which must be there, and what they entail.

use serde_json::{Map, Value};

use super::SchemaError;
use super::compile::Compiler;
use super::dialect::Dialect;
use super::keyword::Keywords;
use super::node::NodeId;
use super::pattern::Pattern;
use super::run::Run;

/// The keywords that constrain an object.
#[derive(Debug)]
pub(super) struct ObjectRule {
    /// `properties`, in the order of the schema.
    pub(super) properties: Vec<(String, NodeId)>,
    /// Positions in `properties`, by name.
    sorted: Vec<usize>,
    /// `patternProperties`.
    pub(super) patterns: Vec<(Pattern, NodeId)>,
    /// `additionalProperties`.
    pub(super) additional: Option<NodeId>,
    /// `propertyNames`.
    pub(super) names: Option<NodeId>,
    /// `required`.
    pub(super) required: Vec<String>,
    /// `minProperties`.
    pub(super) fewest: Option<u64>,
    /// `maxProperties`.
    pub(super) most: Option<u64>,
    /// `dependentRequired`, in draft-07 part of `dependencies`.
    pub(super) dependent_required: Vec<(String, Vec<String>)>,
    /// `dependentSchemas`, in draft-07 part of `dependencies`.
    pub(super) dependent_schemas: Vec<(String, NodeId)>,
}

impl ObjectRule {
    pub(super) fn compile<'s>(
        keywords: Keywords<'_, 's>,
        compiler: &mut Compiler<'s>,
    ) -> Result<Option<Self>, SchemaError> {
        let properties = compiler.map(keywords, "properties")?;
        let mut sorted: Vec<usize> = (0..properties.len()).collect();
        sorted.sort_unstable_by_key(|at| properties.get(*at).map(|(name, _)| name));
        let mut patterns = Vec::new();
        for (source, schema) in compiler.map(keywords, "patternProperties")? {
            let pointer = format!("{}/patternProperties", keywords.pointer());
            patterns.push((compiler.pattern(&pointer, &source)?, schema));
        }
        let (dependent_required, dependent_schemas) = match compiler.dialect() {
            Dialect::Draft2020 => (
                keywords.name_lists("dependentRequired")?,
                compiler.map(keywords, "dependentSchemas")?,
            ),
            Dialect::Draft07 => dependencies(keywords, compiler)?,
        };
        let rule = Self {
            sorted,
            properties,
            patterns,
            additional: compiler.single(keywords, "additionalProperties")?,
            names: compiler.single(keywords, "propertyNames")?,
            required: keywords.names("required")?.unwrap_or_default(),
            fewest: keywords.count("minProperties")?,
            most: keywords.count("maxProperties")?,
            dependent_required,
            dependent_schemas,
        };
        Ok(rule.constrains().then_some(rule))
    }

    fn constrains(&self) -> bool {
        !self.properties.is_empty()
            || !self.patterns.is_empty()
            || self.additional.is_some()
            || self.names.is_some()
            || !self.required.is_empty()
            || self.fewest.is_some()
            || self.most.is_some()
            || !self.dependent_required.is_empty()
            || !self.dependent_schemas.is_empty()
    }

    pub(super) fn accepts(
        &self,
        run: &mut Run<'_>,
        whole: &Value,
        map: &Map<String, Value>,
    ) -> bool {
        self.holds_count(map.len() as u64)
            && self.required.iter().all(|name| map.contains_key(name))
            && map.iter().all(|(name, value)| self.accepts_member(run, name, value))
            && self.absent_for(map).next().is_none()
            && self
                .dependent_schemas
                .iter()
                .filter(|(name, _)| map.contains_key(name))
                .all(|(_, schema)| run.check(*schema, whole))
    }

    /// The schema of a property that is named.
    pub(super) fn property(&self, name: &str) -> Option<NodeId> {
        /// Up to here comparing one by one is faster than halving.
        const FEW: usize = 8;
        if self.properties.len() <= FEW {
            return self.properties.iter().find(|(known, _)| known == name).map(|(_, id)| *id);
        }
        let at = |at: &usize| self.properties.get(*at);
        let found = self.sorted.binary_search_by(|position| {
            at(position).map(|(known, _)| known.as_str()).cmp(&Some(name))
        });
        at(self.sorted.get(found.ok()?)?).map(|(_, id)| *id)
    }

    /// The schemas of the patterns that a name matches.
    pub(super) fn matching<'r>(&'r self, name: &'r str) -> impl Iterator<Item = NodeId> + 'r {
        self.patterns.iter().filter(|(pattern, _)| pattern.is_match(name)).map(|(_, id)| *id)
    }

    /// Whether a name is covered by `properties` or `patternProperties`.
    pub(super) fn covers(&self, name: &str) -> bool {
        self.property(name).is_some() || self.matching(name).next().is_some()
    }

    /// Each name that another one's presence requires and that is absent: (absent, present).
    pub(super) fn absent_for<'r>(
        &'r self,
        map: &'r Map<String, Value>,
    ) -> impl Iterator<Item = (&'r str, &'r str)> {
        self.dependent_required.iter().filter(|(name, _)| map.contains_key(name)).flat_map(
            move |(present, wanted)| {
                wanted
                    .iter()
                    .filter(|name| !map.contains_key(*name))
                    .map(move |name| (name.as_str(), present.as_str()))
            },
        )
    }

    pub(super) fn holds_count(&self, count: u64) -> bool {
        self.fewest.is_none_or(|fewest| count >= fewest)
            && self.most.is_none_or(|most| count <= most)
    }

    fn accepts_member(&self, run: &mut Run<'_>, name: &str, value: &Value) -> bool {
        let mut covered = false;
        if let Some(schema) = self.property(name) {
            covered = true;
            if !run.check(schema, value) {
                return false;
            }
        }
        for (pattern, schema) in &self.patterns {
            if pattern.is_match(name) {
                covered = true;
                if !run.check(*schema, value) {
                    return false;
                }
            }
        }
        if let Some(schema) = self.additional
            && !covered
            && !run.check(schema, value)
        {
            return false;
        }
        self.names.is_none_or(|schema| run.check_name(schema, name))
    }
}

type Dependencies = (Vec<(String, Vec<String>)>, Vec<(String, NodeId)>);

/// Draft-07's `dependencies`: an array of names or a schema for each name.
fn dependencies<'s>(
    keywords: Keywords<'_, 's>,
    compiler: &mut Compiler<'s>,
) -> Result<Dependencies, SchemaError> {
    let (mut required, mut schemas) = (Vec::new(), Vec::new());
    for (name, value) in keywords.object("dependencies")?.into_iter().flatten() {
        let Value::Array(wanted) = value else {
            schemas.push((name.clone(), compiler.child(keywords, &["dependencies", name], value)?));
            continue;
        };
        let names = wanted.iter().map(|name| name.as_str().map(str::to_owned));
        let Some(names) = names.collect::<Option<Vec<_>>>() else {
            let pointer = format!("{}/dependencies", keywords.pointer());
            let expected = "an array of strings or a schema";
            return Err(SchemaError::keyword(&pointer, name, expected, value));
        };
        required.push((name.clone(), names));
    }
    Ok((required, schemas))
}
