//! What is wrong with a value that none of several schemas accepts: about the one that was meant.

use serde_json::{Map, Value};

use super::{Report, describe, not_listed};
use crate::schema::equal;
use crate::schema::got;
use crate::schema::node::{NodeId, Nodes, Rule, Types};
use crate::schema::object::ObjectRule;
use crate::schema::problem::Problem;

/// How far references are followed to see what a branch is about.
const LEVELS: usize = 5;

/// A branch that was tried: its problems and what speaks against it, the weightiest first.
struct Tried {
    problems: Vec<Problem>,
    more: usize,
    against: (usize, usize, usize),
}

impl Report<'_> {
    pub(super) fn explain_one_of(&mut self, schemas: &[NodeId], value: &Value) {
        let matching: Vec<usize> = schemas
            .iter()
            .enumerate()
            .filter(|(_, id)| self.run.check(**id, value))
            .map(|(at, _)| at)
            .collect();
        let (Some(first), Some(second)) = (matching.first(), matching.get(1)) else {
            self.explain_choice("oneOf", schemas, value);
            return;
        };
        self.push("oneOf", || {
            let count = matching.len();
            format!(
                "matches {count} of {} alternatives (number {} and {} among them), expected \
                 exactly one",
                schemas.len(),
                first + 1,
                second + 1
            )
        });
    }

    pub(super) fn explain_choice(
        &mut self,
        keyword: &'static str,
        schemas: &[NodeId],
        value: &Value,
    ) {
        let nodes = self.run.nodes();
        let lists: Option<Vec<_>> =
            schemas.iter().map(|id| describe::allowed_values(nodes, *id)).collect();
        let values = lists.unwrap_or_default().concat();
        if !values.is_empty() && !values.iter().any(|known| equal::equal(known, value)) {
            self.push("enum", || not_listed(&values, value));
            return;
        }
        // Of "T or null" only T is worth a word, unless the value is null.
        let meant: Vec<NodeId> = schemas
            .iter()
            .copied()
            .filter(|id| value.is_null() || nodes.get(*id).types != Types::NULL)
            .collect();
        let fitting: Vec<NodeId> =
            meant.iter().copied().filter(|id| fits(nodes, *id, value, LEVELS)).collect();
        match fitting.as_slice() {
            [] => {
                let expected = describe::any_of(nodes, &meant);
                let count = schemas.len();
                self.push(keyword, || match expected {
                    Some(expected) => {
                        format!("expected {}, got {}", expected.whole(), got::got(value))
                    }
                    None => format!("fits none of {count} alternatives, got {}", got::got(value)),
                });
            }
            [only] => self.explain(*only, value),
            several => {
                let tagged = value.as_object().is_some_and(|map| self.by_tag(several, map, value));
                if !tagged {
                    self.by_likeness(keyword, several, value);
                }
            }
        }
    }

    /// Explains by the member whose value tells the branches apart; false when there is none.
    fn by_tag(&mut self, schemas: &[NodeId], map: &Map<String, Value>, value: &Value) -> bool {
        let nodes = self.run.nodes();
        let Some((tag, branches)) = tag(nodes, schemas) else { return false };
        let all: Vec<&Value> = branches.iter().flat_map(|(_, values)| values).copied().collect();
        let Some(given) = map.get(tag) else {
            self.at(tag, |report| {
                report.push("required", || {
                    format!("required value is missing ({})", describe::one_of(&all))
                });
            });
            return true;
        };
        let named = |values: &Vec<&Value>| values.iter().any(|known| equal::equal(known, given));
        match branches.iter().find(|(_, values)| named(values)) {
            Some((branch, _)) => self.explain(*branch, value),
            None => self.at(tag, |report| report.push("const", || not_listed(&all, given))),
        }
        true
    }

    /// Explains by the branch that the value is most like.
    fn by_likeness(&mut self, keyword: &'static str, schemas: &[NodeId], value: &Value) {
        let nodes = self.run.nodes();
        // Trying a branch may mean trying branches further down, so only the likeliest are tried.
        let unlikeness: Vec<usize> =
            schemas.iter().map(|id| unlikeness(nodes, *id, value, LEVELS)).collect();
        let fewest = unlikeness.iter().min().copied().unwrap_or_default();
        let likely = schemas.iter().zip(&unlikeness).filter(|(_, own)| **own == fewest);
        let mut tried: Vec<Tried> = likely.map(|(id, _)| self.attempt(*id, value)).collect();
        let Some(least) = tried.iter().map(|tried| tried.against).min() else { return };
        let nearest = tried.iter().filter(|tried| tried.against == least);
        // Branches that differ only in the key they ask for: name the keys.
        let keys: Option<Vec<String>> = nearest.map(|tried| self.only_missing(tried)).collect();
        if let Some(keys) = keys.filter(|keys| keys.len() > 1 && different(keys)) {
            let list = got::list(keys.iter().map(String::as_str));
            self.push(keyword, || {
                format!("expected one of the keys {list}, got {}", got::got(value))
            });
            return;
        }
        if let Some(at) = tried.iter().position(|tried| tried.against == least) {
            let best = tried.swap_remove(at);
            self.adopt(best);
        }
    }

    /// Explains one branch aside, to weigh what it says.
    fn attempt(&mut self, id: NodeId, value: &Value) -> Tried {
        let kept = std::mem::take(&mut self.problems);
        let more = std::mem::take(&mut self.more);
        self.explain(id, value);
        let problems = std::mem::replace(&mut self.problems, kept);
        let more = std::mem::replace(&mut self.more, more);
        let here = |problem: &&Problem| self.steps_below(problem) == 1;
        let shape = |problem: &&Problem| {
            matches!(problem.keyword, "required" | "additionalProperties" | "unevaluatedProperties")
        };
        let tag = |problem: &&Problem| matches!(problem.keyword, "const" | "enum");
        let tags = problems.iter().filter(here).filter(tag).count();
        let shapes = problems.iter().filter(here).filter(shape).count();
        let count = problems.len() + more;
        Tried { problems, more, against: (tags, shapes, count) }
    }

    fn adopt(&mut self, tried: Tried) {
        for problem in tried.problems {
            let length = self.path.len();
            let below = problem.path.get(length..).unwrap_or_default();
            self.path.push_str(below);
            self.push(problem.keyword, || problem.message);
            self.path.truncate(length);
        }
        self.more += tried.more;
    }

    /// How many steps below the current path a problem lies.
    fn steps_below(&self, problem: &Problem) -> usize {
        problem.path.get(self.path.len()..).unwrap_or_default().matches('/').count()
    }

    /// The key that a branch asks for, when a branch asks for one key that is absent.
    fn only_missing(&self, tried: &Tried) -> Option<String> {
        let mut missing = tried.problems.iter().filter(|problem| problem.keyword == "required");
        let (problem, None) = (missing.next()?, missing.next()) else { return None };
        let others = tried
            .problems
            .iter()
            .all(|problem| matches!(problem.keyword, "required" | "additionalProperties"));
        let below = problem.path.get(self.path.len()..)?.strip_prefix('/')?;
        (others && !below.contains('/')).then(|| below.replace("~1", "/").replace("~0", "~"))
    }
}

fn different(keys: &[String]) -> bool {
    keys.iter().enumerate().all(|(at, key)| !keys.iter().take(at).any(|earlier| earlier == key))
}

/// Whether a branch accepts values of this type at all.
fn fits(nodes: &Nodes, id: NodeId, value: &Value, levels: usize) -> bool {
    let Some(levels) = levels.checked_sub(1) else { return true };
    let node = nodes.get(id);
    node.types.accept(value)
        && node.rules.iter().all(|rule| match rule {
            Rule::Never => false,
            Rule::Reference(id) => fits(nodes, *id, value, levels),
            Rule::AllOf(ids) => ids.iter().all(|id| fits(nodes, *id, value, levels)),
            Rule::AnyOf(ids) | Rule::OneOf(ids) => {
                ids.iter().any(|id| fits(nodes, *id, value, levels))
            }
            Rule::Values(_, values) => values
                .iter()
                .any(|known| std::mem::discriminant(known) == std::mem::discriminant(value)),
            _ => true,
        })
}

/// How many keys of a value are missing, unknown, or fixed to another value in a branch.
///
/// It looks at one level only, which costs little and settles most choices.
fn unlikeness(nodes: &Nodes, id: NodeId, value: &Value, levels: usize) -> usize {
    let (Some(levels), Value::Object(map)) = (levels.checked_sub(1), value) else { return 0 };
    let rules = nodes.get(id).rules.iter();
    rules.fold(0, |sum, rule| {
        sum + match rule {
            Rule::Object(rule) => unlike(nodes, rule, map),
            Rule::Reference(id) => unlikeness(nodes, *id, value, levels),
            Rule::AllOf(ids) => ids.iter().map(|id| unlikeness(nodes, *id, value, levels)).sum(),
            _ => 0,
        }
    })
}

fn unlike(nodes: &Nodes, rule: &ObjectRule, map: &Map<String, Value>) -> usize {
    let missing = rule.required.iter().filter(|name| !map.contains_key(*name)).count();
    let closed = rule.additional.is_some_and(|id| nodes.is_never(id));
    let unknown = map.keys().filter(|name| closed && !rule.covers(name)).count();
    let other = rule.properties.iter().filter(|(name, id)| {
        let fixed = describe::allowed_values(nodes, *id);
        let given = map.get(name);
        fixed
            .zip(given)
            .is_some_and(|(fixed, given)| !fixed.iter().any(|known| equal::equal(known, given)))
    });
    missing + unknown + other.count()
}

type Branches<'v> = Vec<(NodeId, Vec<&'v Value>)>;

/// The member that every branch fixes to values of its own, with those values.
fn tag<'v>(nodes: &'v Nodes, schemas: &[NodeId]) -> Option<(&'v str, Branches<'v>)> {
    let first = object(nodes, *schemas.first()?, LEVELS)?;
    first.properties.iter().find_map(|(name, _)| {
        let mut branches: Branches<'v> = Vec::new();
        for id in schemas {
            let property = object(nodes, *id, LEVELS)?.property(name)?;
            let values = describe::allowed_values(nodes, property)?;
            let taken = |value: &&Value| {
                branches
                    .iter()
                    .any(|(_, known)| known.iter().any(|other| equal::equal(other, value)))
            };
            if values.iter().any(taken) {
                return None;
            }
            branches.push((*id, values));
        }
        Some((name.as_str(), branches))
    })
}

/// The first object rule of a branch that names properties.
fn object(nodes: &Nodes, id: NodeId, levels: usize) -> Option<&ObjectRule> {
    let levels = levels.checked_sub(1)?;
    nodes.get(id).rules.iter().find_map(|rule| match rule {
        Rule::Object(rule) if !rule.properties.is_empty() => Some(rule.as_ref()),
        Rule::Reference(id) => object(nodes, *id, levels),
        Rule::AllOf(ids) => ids.iter().find_map(|id| object(nodes, *id, levels)),
        _ => None,
    })
}
