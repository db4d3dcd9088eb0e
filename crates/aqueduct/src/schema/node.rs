//! A compiled schema: a table of nodes that name each other by number, so that it may be recursive.

use serde_json::{Map, Value};

use super::array::ArrayRule;
use super::got;
use super::logic::Conditional;
use super::number::{self, NumberRule};
use super::object::ObjectRule;
use super::reference::Dynamic;
use super::text::TextRule;

/// The number of a node in its table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct NodeId(pub(super) u32);

/// One compiled subschema.
#[derive(Debug)]
pub(super) struct Node {
    /// The types it accepts; all of them without `type`.
    pub(super) types: Types,
    /// Everything else, in the order in which problems are reported.
    pub(super) rules: Vec<Rule>,
    /// The schema resource it belongs to, for `$dynamicRef`.
    pub(super) resource: u32,
    /// What messages say about it.
    pub(super) hint: Hint,
}

/// One keyword, or a group of keywords for one type.
#[derive(Debug)]
pub(super) enum Rule {
    /// The schema `false`.
    Never,
    /// `enum`, or `const` with one value.
    Values(&'static str, Vec<Value>),
    Number(NumberRule),
    Text(TextRule),
    Array(ArrayRule),
    Object(Box<ObjectRule>),
    /// `$ref`.
    Reference(NodeId),
    /// `$dynamicRef`.
    Dynamic(Dynamic),
    AllOf(Vec<NodeId>),
    AnyOf(Vec<NodeId>),
    OneOf(Vec<NodeId>),
    Not(NodeId),
    If(Conditional),
    UnevaluatedItems(NodeId),
    UnevaluatedProperties(NodeId),
}

/// The annotations of a schema that help a reader.
#[derive(Debug, Default)]
pub(super) struct Hint {
    /// An example or the default, as JSON.
    pub(super) example: Option<String>,
    /// The first sentence of the description, or the title.
    pub(super) description: Option<String>,
}

/// All nodes of a schema.
#[derive(Debug)]
pub(super) struct Nodes(pub(super) Vec<Node>);

static REFUSES_ALL: Node = Node {
    types: Types::NONE,
    rules: Vec::new(),
    resource: 0,
    hint: Hint { example: None, description: None },
};

impl Nodes {
    /// The node with that number; the compiler hands out no other numbers.
    pub(super) fn get(&self, id: NodeId) -> &Node {
        let index = usize::try_from(id.0).unwrap_or(usize::MAX);
        self.0.get(index).unwrap_or(&REFUSES_ALL)
    }

    /// Whether the node is the schema `false`.
    pub(super) fn is_never(&self, id: NodeId) -> bool {
        matches!(self.get(id).rules.as_slice(), [Rule::Never])
    }
}

impl Hint {
    /// Reads the annotations; what has the wrong shape is no annotation.
    pub(super) fn of(map: &Map<String, Value>) -> Self {
        let examples = map.get("examples").and_then(Value::as_array);
        let example = examples
            .and_then(|examples| examples.first())
            .or_else(|| map.get("example"))
            .or_else(|| map.get("default").filter(|value| !value.is_null()));
        let text = |keyword| map.get(keyword).and_then(Value::as_str);
        Self {
            example: example.map(got::json),
            description: text("description").or_else(|| text("title")).and_then(first_sentence),
        }
    }
}

fn first_sentence(text: &str) -> Option<String> {
    let line = text.trim().lines().next()?.trim();
    let sentence = line.split_once(". ").map_or(line, |(sentence, _)| sentence);
    let sentence = sentence.trim_end_matches('.');
    (!sentence.is_empty()).then(|| got::escape(&got::cut(sentence, 80)).into_owned())
}

/// A set of JSON types.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Types(u8);

impl Types {
    pub(super) const NONE: Self = Self(0);
    pub(super) const ALL: Self = Self(0b111_1111);
    pub(super) const NULL: Self = Self(1);
    pub(super) const BOOLEAN: Self = Self(1 << 1);
    pub(super) const INTEGER: Self = Self(1 << 2);
    pub(super) const NUMBER: Self = Self(1 << 3);
    pub(super) const STRING: Self = Self(1 << 4);
    pub(super) const ARRAY: Self = Self(1 << 5);
    pub(super) const OBJECT: Self = Self(1 << 6);

    /// Each type with its name and its article, in the order in which messages list them.
    pub(super) const NAMED: [(Self, &'static str, &'static str); 7] = [
        (Self::STRING, "a", "string"),
        (Self::INTEGER, "an", "integer"),
        (Self::NUMBER, "a", "number"),
        (Self::BOOLEAN, "a", "boolean"),
        (Self::ARRAY, "an", "array"),
        (Self::OBJECT, "an", "object"),
        (Self::NULL, "", "null"),
    ];

    pub(super) fn named(name: &str) -> Option<Self> {
        Self::NAMED.iter().find(|(_, _, known)| *known == name).map(|(types, _, _)| *types)
    }

    pub(super) fn has(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    pub(super) fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    pub(super) fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// Whether a value is of one of the types.
    pub(super) fn accept(self, value: &Value) -> bool {
        match value {
            Value::Null => self.has(Self::NULL),
            Value::Bool(_) => self.has(Self::BOOLEAN),
            Value::Number(number) => {
                self.has(Self::NUMBER) || (self.has(Self::INTEGER) && number::is_integer(number))
            }
            Value::String(_) => self.has(Self::STRING),
            Value::Array(_) => self.has(Self::ARRAY),
            Value::Object(_) => self.has(Self::OBJECT),
        }
    }
}
