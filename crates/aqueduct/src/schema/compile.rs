//! From JSON to nodes: every keyword is read once, checked for its shape, and never looked at again.

use std::collections::{HashMap, VecDeque};

use serde_json::{Map, Value};

use super::SchemaError;
use super::array::ArrayRule;
use super::cycle;
use super::dialect::Dialect;
use super::keyword::{self, Keywords};
use super::limit::{self, MAX_PATTERNS, MAX_SUBSCHEMAS};
use super::logic;
use super::node::{Hint, Node, NodeId, Nodes, Rule, Types};
use super::number::NumberRule;
use super::object::ObjectRule;
use super::pattern::Pattern;
use super::reference::{self, Dynamic, Index};
use super::text::TextRule;

/// What compiling a schema gives.
#[derive(Debug)]
pub(super) struct Compiled {
    pub(super) nodes: Nodes,
    /// Whether some `$dynamicRef` depends on the way it was reached.
    pub(super) scoped: bool,
}

/// The table under construction, and the subschemas that still have to be read.
///
/// Reading is a queue and not a recursion, so that no schema can exhaust the stack.
#[derive(Debug)]
pub(super) struct Compiler<'s> {
    dialect: Dialect,
    index: Index<'s>,
    ids: HashMap<String, NodeId>,
    queue: VecDeque<(String, &'s Value)>,
    patterns: HashMap<String, Pattern>,
    scoped: bool,
}

/// Compiles a whole schema.
pub(super) fn compile(schema: &Value) -> Result<Compiled, SchemaError> {
    limit::scan(schema)?;
    let dialect = Dialect::of(schema)?;
    let mut compiler = Compiler {
        dialect,
        index: Index::new(schema, dialect)?,
        ids: HashMap::new(),
        queue: VecDeque::new(),
        patterns: HashMap::new(),
        scoped: false,
    };
    compiler.id(String::new(), schema)?;
    let mut nodes = Vec::new();
    let mut pointers = Vec::new();
    while let Some((pointer, value)) = compiler.queue.pop_front() {
        nodes.push(compiler.node(&pointer, value)?);
        pointers.push(pointer);
    }
    let nodes = Nodes(nodes);
    cycle::check(&nodes, &pointers)?;
    Ok(Compiled { nodes, scoped: compiler.scoped })
}

impl<'s> Compiler<'s> {
    pub(super) fn dialect(&self) -> Dialect {
        self.dialect
    }

    /// The node for the subschema at the end of `path` below the place of `keywords`.
    pub(super) fn child(
        &mut self,
        keywords: Keywords<'_, '_>,
        path: &[&str],
        value: &'s Value,
    ) -> Result<NodeId, SchemaError> {
        let mut pointer = keywords.pointer().to_owned();
        for segment in path {
            keyword::push_segment(&mut pointer, segment);
        }
        self.id(pointer, value)
    }

    /// The node of a keyword whose value is one schema.
    pub(super) fn single(
        &mut self,
        keywords: Keywords<'_, 's>,
        keyword: &str,
    ) -> Result<Option<NodeId>, SchemaError> {
        let Some(value) = keywords.get(keyword) else { return Ok(None) };
        self.child(keywords, &[keyword], value).map(Some)
    }

    /// The nodes of a keyword whose value is a list of schemas, which must not be empty.
    pub(super) fn list(
        &mut self,
        keywords: Keywords<'_, 's>,
        keyword: &str,
    ) -> Result<Vec<NodeId>, SchemaError> {
        let Some(items) = keywords.array(keyword)? else { return Ok(Vec::new()) };
        // Draft-07 allows an empty list of `items`.
        if items.is_empty() && keyword != "items" {
            return Err(keywords.wrong(keyword, "an array of at least one schema"));
        }
        let numbered = items.iter().enumerate();
        numbered.map(|(at, item)| self.child(keywords, &[keyword, &at.to_string()], item)).collect()
    }

    /// The nodes of a keyword whose value is an object of schemas.
    pub(super) fn map(
        &mut self,
        keywords: Keywords<'_, 's>,
        keyword: &str,
    ) -> Result<Vec<(String, NodeId)>, SchemaError> {
        let members = keywords.object(keyword)?.into_iter().flatten();
        members
            .map(|(name, value)| Ok((name.clone(), self.child(keywords, &[keyword, name], value)?)))
            .collect()
    }

    /// The compiled pattern; equal sources are compiled once.
    pub(super) fn pattern(&mut self, pointer: &str, source: &str) -> Result<Pattern, SchemaError> {
        if let Some(pattern) = self.patterns.get(source) {
            return Ok(pattern.clone());
        }
        if self.patterns.len() >= MAX_PATTERNS {
            let message = format!("the schema has more than {MAX_PATTERNS} different patterns");
            return Err(SchemaError::new(pointer, message));
        }
        let pattern = Pattern::new(source).map_err(|why| SchemaError::new(pointer, why))?;
        self.patterns.insert(source.to_owned(), pattern.clone());
        Ok(pattern)
    }

    /// The number for the subschema at `pointer`, which is read later when it is met first.
    fn id(&mut self, pointer: String, value: &'s Value) -> Result<NodeId, SchemaError> {
        if let Some(id) = self.ids.get(&pointer) {
            return Ok(*id);
        }
        if self.ids.len() >= MAX_SUBSCHEMAS {
            return Err(reference::too_many());
        }
        let id = NodeId(u32::try_from(self.ids.len()).map_err(|_| reference::too_many())?);
        self.ids.insert(pointer.clone(), id);
        self.queue.push_back((pointer, value));
        Ok(id)
    }

    fn node(&mut self, pointer: &str, value: &'s Value) -> Result<Node, SchemaError> {
        let resource = self.index.owner(pointer);
        let map = match value {
            Value::Object(map) => map,
            Value::Bool(accepts) => {
                let rules = if *accepts { Vec::new() } else { vec![Rule::Never] };
                return Ok(Node { types: Types::ALL, rules, resource, hint: Hint::default() });
            }
            _ => {
                let shown = super::got::got(value);
                let message = format!("a schema must be an object or a boolean, got {shown}");
                return Err(SchemaError::new(pointer, message));
            }
        };
        self.object(pointer, map, resource)
    }
}

impl<'s> Compiler<'s> {
    fn object(
        &mut self,
        pointer: &str,
        map: &'s Map<String, Value>,
        resource: u32,
    ) -> Result<Node, SchemaError> {
        let keywords = Keywords::new(map, pointer);
        let hint = Hint::of(map);
        let mut rules = Vec::new();
        if self.dialect.reference_stands_alone()
            && let Some(reference) = keywords.text("$ref")?
        {
            rules.push(Rule::Reference(self.reference(keywords, reference)?));
            return Ok(Node { types: Types::ALL, rules, resource, hint });
        }
        self.check_annotations(keywords)?;
        let types = types(keywords)?;
        rules.extend(values(keywords)?);
        rules.extend(NumberRule::compile(keywords)?.map(Rule::Number));
        rules.extend(TextRule::compile(keywords, self)?.map(Rule::Text));
        rules.extend(ArrayRule::compile(keywords, self)?.map(Rule::Array));
        rules.extend(ObjectRule::compile(keywords, self)?.map(|rule| Rule::Object(Box::new(rule))));
        if let Some(reference) = keywords.text("$ref")? {
            rules.push(Rule::Reference(self.reference(keywords, reference)?));
        }
        if self.dialect == Dialect::Draft2020 {
            rules.extend(self.dynamic_reference(keywords)?);
        }
        logic::compile(keywords, self, &mut rules)?;
        if self.dialect == Dialect::Draft2020 {
            let items = self.single(keywords, "unevaluatedItems")?;
            rules.extend(items.map(Rule::UnevaluatedItems));
            let properties = self.single(keywords, "unevaluatedProperties")?;
            rules.extend(properties.map(Rule::UnevaluatedProperties));
        }
        Ok(Node { types, rules, resource, hint })
    }

    fn reference(
        &mut self,
        keywords: Keywords<'_, 's>,
        reference: &str,
    ) -> Result<NodeId, SchemaError> {
        let target = self.index.resolve(keywords, "$ref", reference)?;
        self.id(target.pointer, target.value)
    }

    fn dynamic_reference(
        &mut self,
        keywords: Keywords<'_, 's>,
    ) -> Result<Option<Rule>, SchemaError> {
        let Some(reference) = keywords.text("$dynamicRef")? else { return Ok(None) };
        let found = self.index.resolve(keywords, "$dynamicRef", reference)?;
        let target = self.id(found.pointer, found.value)?;
        let Some(name) = found.dynamic else { return Ok(Some(Rule::Reference(target))) };
        let mut overrides = Vec::new();
        for (resource, pointer) in self.index.dynamic(&name) {
            if let Some(value) = self.index.at(&pointer) {
                overrides.push((resource, self.id(pointer, value)?));
            }
        }
        self.scoped |= overrides.len() > 1;
        Ok(Some(Rule::Dynamic(Dynamic { target, overrides })))
    }

    /// Checks what constrains nothing but has a shape, and what only holds other schemas.
    fn check_annotations(&mut self, keywords: Keywords<'_, 's>) -> Result<(), SchemaError> {
        for keyword in ["title", "description", "$comment", "contentEncoding", "contentMediaType"] {
            keywords.text(keyword)?;
        }
        for keyword in ["deprecated", "readOnly", "writeOnly"] {
            keywords.flag(keyword)?;
        }
        keywords.array("examples")?;
        for keyword in ["$defs", "definitions"] {
            self.map(keywords, keyword)?;
        }
        if self.dialect == Dialect::Draft2020 {
            self.single(keywords, "contentSchema")?;
        }
        Ok(())
    }
}

fn types(keywords: Keywords<'_, '_>) -> Result<Types, SchemaError> {
    const EXPECTED: &str = "one of \"string\", \"integer\", \"number\", \"boolean\", \"array\", \
                            \"object\", \"null\", or a list of different ones";
    let Some(value) = keywords.get("type") else { return Ok(Types::ALL) };
    let named = |value: &Value| value.as_str().and_then(Types::named);
    let types = match value {
        Value::Array(items) if !items.is_empty() => {
            items.iter().try_fold(Types::NONE, |types, item| {
                named(item).filter(|one| !types.has(*one)).map(|one| types.with(one))
            })
        }
        _ => named(value),
    };
    types.ok_or_else(|| keywords.wrong("type", EXPECTED))
}

fn values(keywords: Keywords<'_, '_>) -> Result<impl Iterator<Item = Rule>, SchemaError> {
    let listed = keywords.array("enum")?;
    let single = keywords.get("const");
    let listed = listed.map(|values| Rule::Values("enum", values.to_vec()));
    let single = single.map(|value| Rule::Values("const", vec![value.clone()]));
    Ok(listed.into_iter().chain(single))
}
