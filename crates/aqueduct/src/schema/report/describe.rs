//! What a schema expects, in a few words: "an integer between 1 and 100".

use serde_json::Value;

use crate::schema::array::ArrayRule;
use crate::schema::got;
use crate::schema::node::{Node, NodeId, Nodes, Rule, Types};
use crate::schema::number::NumberRule;
use crate::schema::object::ObjectRule;
use crate::schema::text::TextRule;

/// How far references and choices are followed for a description.
const LEVELS: usize = 4;
/// The most alternatives that are spelled out.
const SPELLED: usize = 5;
/// The most values that a choice may list.
const LOOKED_AT: usize = 300;

/// An expectation: a noun with what qualifies it, and its article.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Phrase {
    article: &'static str,
    text: String,
}

impl Phrase {
    fn new(article: &'static str, text: impl Into<String>) -> Self {
        Self { article, text: text.into() }
    }

    /// With its article.
    pub(super) fn whole(&self) -> String {
        if self.article.is_empty() {
            return self.text.clone();
        }
        format!("{} {}", self.article, self.text)
    }

    /// Without its article.
    pub(super) fn bare(&self) -> &str {
        &self.text
    }
}

/// What a subschema expects, where it can be said shortly.
pub(super) fn expectation(nodes: &Nodes, id: NodeId) -> Option<Phrase> {
    phrase(nodes, id, LEVELS)
}

/// What one of several subschemas expects: "a string or an integer".
pub(super) fn any_of(nodes: &Nodes, ids: &[NodeId]) -> Option<Phrase> {
    joined(nodes, ids, LEVELS)
}

/// What a node expects of a value of one type.
pub(super) fn of_type(nodes: &Nodes, node: &Node, types: Types) -> Phrase {
    let rule = |wanted: fn(&Rule) -> bool| node.rules.iter().find(|rule| wanted(rule));
    if types == Types::STRING {
        return match rule(|rule| matches!(rule, Rule::Text(_))) {
            Some(Rule::Text(rule)) => text(rule),
            _ => Phrase::new("a", "string"),
        };
    }
    if types == Types::ARRAY {
        return match rule(|rule| matches!(rule, Rule::Array(_))) {
            Some(Rule::Array(rule)) => array(nodes, rule),
            _ => Phrase::new("an", "array"),
        };
    }
    if types == Types::OBJECT {
        return match rule(|rule| matches!(rule, Rule::Object(_))) {
            Some(Rule::Object(rule)) => object(rule),
            _ => Phrase::new("an", "object"),
        };
    }
    let named = Types::NAMED.iter().find(|(known, _, _)| *known == types);
    let (_, article, name) = named.copied().unwrap_or((types, "a", "value"));
    match rule(|rule| matches!(rule, Rule::Number(_))) {
        Some(Rule::Number(rule)) if types.has(Types::NUMBER.with(Types::INTEGER)) => {
            number(rule, article, name)
        }
        _ => Phrase::new(article, name),
    }
}

/// The values that a subschema lists, through references and choices.
pub(super) fn allowed_values(nodes: &Nodes, id: NodeId) -> Option<Vec<&Value>> {
    values(nodes, id, LEVELS)
}

/// `"a"`, or `one of "a", "b"`.
pub(super) fn one_of(values: &[&Value]) -> String {
    let shown: Vec<String> = values.iter().take(got::NAMES).map(|value| got::json(value)).collect();
    let list = shown.join(", ");
    match values.len() {
        0 => "nothing at all".to_owned(),
        1 => list,
        count if count > got::NAMES => {
            format!("one of {list} and {} more", count - got::NAMES)
        }
        _ => format!("one of {list}"),
    }
}

fn values(nodes: &Nodes, id: NodeId, levels: usize) -> Option<Vec<&Value>> {
    let levels = levels.checked_sub(1)?;
    nodes.get(id).rules.iter().find_map(|rule| match rule {
        Rule::Values(_, values) => Some(values.iter().collect()),
        Rule::Reference(id) => values(nodes, *id, levels),
        Rule::AnyOf(ids) | Rule::OneOf(ids) => {
            let mut all = Vec::new();
            for id in ids {
                all.extend(values(nodes, *id, levels)?);
                if all.len() > LOOKED_AT {
                    return None;
                }
            }
            Some(all)
        }
        _ => None,
    })
}

fn phrase(nodes: &Nodes, id: NodeId, levels: usize) -> Option<Phrase> {
    let levels = levels.checked_sub(1)?;
    if let Some(values) = values(nodes, id, LEVELS) {
        return Some(Phrase::new("", one_of(&values)));
    }
    let node = nodes.get(id);
    let kinds: Vec<Phrase> =
        kinds(node).into_iter().map(|types| of_type(nodes, node, types)).collect();
    if !kinds.is_empty() {
        return Some(or(&kinds));
    }
    node.rules.iter().find_map(|rule| match rule {
        Rule::Never => Some(Phrase::new("", "nothing")),
        Rule::Reference(id) => phrase(nodes, *id, levels),
        Rule::Dynamic(dynamic) => phrase(nodes, dynamic.target, levels),
        Rule::AllOf(ids) => ids.iter().find_map(|id| phrase(nodes, *id, levels)),
        Rule::AnyOf(ids) | Rule::OneOf(ids) => joined(nodes, ids, levels),
        _ => None,
    })
}

/// The types a node is about: those it declares, or those it has rules for.
fn kinds(node: &Node) -> Vec<Types> {
    let about = if node.types == Types::ALL {
        node.rules.iter().fold(Types::NONE, |about, rule| {
            about.with(match rule {
                Rule::Number(_) => Types::NUMBER,
                Rule::Text(_) => Types::STRING,
                Rule::Array(_) => Types::ARRAY,
                Rule::Object(_) => Types::OBJECT,
                _ => Types::NONE,
            })
        })
    } else if node.types.has(Types::NUMBER) {
        node.types.without(Types::INTEGER)
    } else {
        node.types
    };
    Types::NAMED.iter().map(|(types, _, _)| *types).filter(|types| about.has(*types)).collect()
}

fn joined(nodes: &Nodes, ids: &[NodeId], levels: usize) -> Option<Phrase> {
    let mut phrases: Vec<Phrase> = Vec::new();
    for id in ids {
        let phrase = phrase(nodes, *id, levels)?;
        if !phrases.contains(&phrase) {
            phrases.push(phrase);
        }
        if phrases.len() > SPELLED {
            return Some(Phrase::new("", format!("one of {} alternatives", ids.len())));
        }
    }
    (!phrases.is_empty()).then(|| or(&phrases))
}

fn or(phrases: &[Phrase]) -> Phrase {
    if let [only] = phrases {
        return only.clone();
    }
    let mut texts: Vec<String> = phrases.iter().map(Phrase::whole).collect();
    let last = texts.pop().unwrap_or_default();
    Phrase::new("", format!("{} or {last}", texts.join(", ")))
}

fn number(rule: &NumberRule, article: &'static str, name: &str) -> Phrase {
    let mut bounds = Vec::new();
    if let (Some(least), Some(most)) = (&rule.minimum, &rule.maximum) {
        bounds.push(format!("between {least} and {most}"));
    } else {
        bounds.extend(rule.minimum.as_ref().map(|least| format!("of at least {least}")));
        bounds.extend(rule.maximum.as_ref().map(|most| format!("of at most {most}")));
    }
    bounds.extend(rule.above.as_ref().map(|above| format!("above {above}")));
    bounds.extend(rule.below.as_ref().map(|below| format!("below {below}")));
    let mut text = name.to_owned();
    if !bounds.is_empty() {
        got::push(&mut text, format_args!(" {}", bounds.join(" and ")));
    }
    if let Some(divisor) = &rule.multiple_of {
        got::push(&mut text, format_args!(" that is a multiple of {divisor}"));
    }
    Phrase::new(article, text)
}

fn text(rule: &TextRule) -> Phrase {
    let mut text = "string".to_owned();
    match (rule.shortest, rule.longest) {
        (Some(1), None) => text.insert_str(0, "non-empty "),
        (shortest, longest) => {
            if let Some(count) = amount(shortest, longest, "character", "characters") {
                got::push(&mut text, format_args!(" of {count}"));
            }
        }
    }
    if let Some(pattern) = &rule.pattern {
        let source = got::cut(pattern.source(), 120);
        got::push(&mut text, format_args!(" matching {}", got::escape(&source)));
    }
    if let Some(format) = rule.format {
        let (name, example) = (format.name(), format.example());
        got::push(&mut text, format_args!(" in the format {name} (e.g. \"{example}\")"));
    }
    Phrase::new("a", text)
}

fn array(nodes: &Nodes, rule: &ArrayRule) -> Phrase {
    let name = rule.items.filter(|_| rule.prefix.is_empty()).and_then(|id| item_name(nodes, id));
    let (one, many) = match name {
        Some(name) => (name.to_owned(), format!("{name}s")),
        None => ("item".to_owned(), "items".to_owned()),
    };
    let different = if rule.unique { "different " } else { "" };
    match (rule.fewest, rule.most) {
        (None, None) if name.is_none() && !rule.unique => Phrase::new("an", "array"),
        (None, None) => Phrase::new("an", format!("array of {different}{many}")),
        (Some(1), None) if name.is_none() && !rule.unique => Phrase::new("a", "non-empty array"),
        (Some(1), None) => Phrase::new("a", format!("non-empty array of {different}{many}")),
        (fewest, most) => {
            let one = format!("{different}{one}");
            let many = format!("{different}{many}");
            let count = amount(fewest, most, &one, &many).unwrap_or_default();
            Phrase::new("an", format!("array of {count}"))
        }
    }
}

fn item_name(nodes: &Nodes, id: NodeId) -> Option<&'static str> {
    let node = nodes.get(id);
    match node.rules.as_slice() {
        [Rule::Reference(id)] => item_name_of(nodes.get(*id)),
        _ => item_name_of(node),
    }
}

fn item_name_of(node: &Node) -> Option<&'static str> {
    let known = Types::NAMED.iter().filter(|(types, _, _)| *types != Types::NULL);
    known.filter(|(types, _, _)| *types == node.types).map(|(_, _, name)| *name).next()
}

fn object(rule: &ObjectRule) -> Phrase {
    let required = rule.required.iter().map(String::as_str);
    match rule.required.len() {
        0 => Phrase::new("an", "object"),
        1 => Phrase::new("an", format!("object with the key {}", got::list(required))),
        _ => Phrase::new("an", format!("object with the keys {}", got::list(required))),
    }
}

/// "exactly 2 items", "1 to 5 items", "at least 1 item".
pub(super) fn amount(
    least: Option<u64>,
    most: Option<u64>,
    one: &str,
    many: &str,
) -> Option<String> {
    match (least, most) {
        (None, None) => None,
        (Some(least), Some(most)) if least == most => {
            Some(format!("exactly {}", got::count(least, one, many)))
        }
        (Some(0) | None, Some(most)) => Some(format!("at most {}", got::count(most, one, many))),
        (Some(least), None) => Some(format!("at least {}", got::count(least, one, many))),
        (Some(least), Some(most)) => Some(format!("{least} to {}", got::count(most, one, many))),
    }
}
