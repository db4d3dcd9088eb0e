//! Explaining a refusal: the walk over the parts that failed, one sentence for each.
//!
//! Only what the check refuses is walked, and the check decides.
//! A report therefore cannot disagree with [`Run::check`]; it can only be more or less helpful.

mod array;
mod choice;
mod describe;
mod nearest;
mod object;

pub(crate) use self::nearest::nearest;

use serde_json::Value;

use super::equal;
use super::got;
use super::keyword::push_segment;
use super::limit::MAX_PROBLEMS;
use super::node::{Node, NodeId, Rule, Types};
use super::problem::Problem;
use super::run::Run;
use super::text;

/// The most characters of a key that a path repeats.
const SHOWN_KEY: usize = 64;

/// The steps that a message costs, so that the bound on steps also bounds the text that is made.
const MESSAGE_STEPS: u64 = 50;

/// The one problem of a value whose check was given up.
pub(super) fn given_up() -> Vec<Problem> {
    let message = "checking this against its schema takes too much work, send a smaller value";
    vec![Problem::new("", "", message)]
}

/// The problems of a value that the root refuses.
pub(super) fn problems(run: Run<'_>, root: NodeId, value: &Value) -> Vec<Problem> {
    let mut report =
        Report { run, path: String::new(), owner: None, problems: Vec::new(), more: 0 };
    report.explain(root, value);
    let mut problems = report.problems;
    // Out of steps the explanation may have found nothing; the refusal stands all the same.
    if problems.is_empty() {
        problems.push(Problem::new("", "", "does not match its schema"));
    }
    if report.more > 0 {
        problems.push(Problem::more(report.more));
    }
    problems
}

/// A report in the making.
#[derive(Debug)]
pub(super) struct Report<'v> {
    run: Run<'v>,
    path: String,
    /// The first subschema that was explained at the path, which knows what may stand there.
    owner: Option<NodeId>,
    problems: Vec<Problem>,
    /// How many problems were found beyond the first [`MAX_PROBLEMS`].
    more: usize,
}

impl<'v> Report<'v> {
    /// Explains why the subschema refuses the value; nothing when it accepts it.
    fn explain(&mut self, id: NodeId, value: &Value) {
        let Some((node, entered)) = self.run.enter(id) else { return };
        self.owner = self.owner.or(Some(id));
        if node.types.accept(value) {
            self.explain_rules(id, node, value);
        } else {
            let nodes = self.run.nodes();
            self.push("type", || {
                let expected = describe::expectation(nodes, id);
                let expected = expected.map_or_else(|| "another type".to_owned(), |e| e.whole());
                wrong_type(&expected, node.types, value)
            });
        }
        self.run.leave(entered);
    }

    fn explain_rules(&mut self, id: NodeId, node: &'v Node, value: &Value) {
        for rule in &node.rules {
            if rule.accepts(&mut self.run, id, value) || self.run.exhausted() {
                continue;
            }
            self.explain_rule(id, node, rule, value);
            // Beside a value that is not one of the listed ones, everything else is noise.
            if matches!(rule, Rule::Values(..) | Rule::Never) {
                return;
            }
        }
    }

    fn explain_rule(&mut self, id: NodeId, node: &'v Node, rule: &'v Rule, value: &Value) {
        let nodes = self.run.nodes();
        match (rule, value) {
            (Rule::Never, _) => self.push("false", || "is not allowed here".to_owned()),
            (Rule::Values(keyword, values), _) => {
                let values: Vec<&Value> = values.iter().collect();
                self.push(keyword, || not_listed(&values, value));
            }
            (Rule::Number(rule), Value::Number(number)) => {
                let whole = node.types.has(Types::INTEGER) && !node.types.has(Types::NUMBER);
                let types = if whole { Types::INTEGER } else { Types::NUMBER };
                let expected = describe::of_type(nodes, node, types).whole();
                self.push(rule.failed(number), || format!("expected {expected}, got {number}"));
            }
            (Rule::Text(rule), Value::String(text)) => {
                let formats = self.run.formats();
                let keyword = rule.failed(text, formats).unwrap_or("pattern");
                let expected = describe::of_type(nodes, node, Types::STRING).whole();
                self.push(keyword, || wrong_text(&expected, keyword, text));
            }
            (Rule::Array(rule), Value::Array(items)) => self.explain_array(node, rule, items),
            (Rule::Object(rule), Value::Object(map)) => self.explain_object(node, rule, map, value),
            (Rule::Reference(id), _) => self.explain(*id, value),
            (Rule::Dynamic(dynamic), _) => {
                self.explain(self.run.dynamic(dynamic.target, &dynamic.overrides), value);
            }
            (Rule::AllOf(schemas), _) => {
                for schema in schemas {
                    self.explain(*schema, value);
                }
            }
            (Rule::AnyOf(schemas), _) => self.explain_choice("anyOf", schemas, value),
            (Rule::OneOf(schemas), _) => self.explain_one_of(schemas, value),
            (Rule::Not(schema), _) => self.explain_not(*schema, value),
            (Rule::If(conditional), _) => {
                if let Some(schema) = conditional.consequence(&mut self.run, value) {
                    self.explain(schema, value);
                }
            }
            (Rule::UnevaluatedItems(schema), Value::Array(items)) => {
                self.explain_unevaluated_items(id, *schema, items, value);
            }
            (Rule::UnevaluatedProperties(schema), Value::Object(map)) => {
                self.explain_unevaluated(id, *schema, map, value);
            }
            // A rule about another type accepts the value, so it never gets here.
            _ => {}
        }
    }

    fn explain_not(&mut self, schema: NodeId, value: &Value) {
        let refused = describe::expectation(self.run.nodes(), schema);
        self.push("not", || match refused {
            Some(refused) => format!("must not be {}, got {}", refused.whole(), got::got(value)),
            None => format!("is a value that is not allowed here, got {}", got::got(value)),
        });
    }

    /// Notes a problem at the current path, unless the same one was noted before.
    fn push(&mut self, keyword: &'static str, message: impl FnOnce() -> String) {
        if self.problems.len() >= MAX_PROBLEMS {
            self.more += 1;
            return;
        }
        self.run.spend(MESSAGE_STEPS);
        let problem = Problem::new(self.path.clone(), keyword, message());
        let known =
            |other: &Problem| other.path == problem.path && other.message == problem.message;
        if !self.problems.iter().any(known) {
            self.problems.push(problem);
        }
    }

    /// Runs `body` one step further down in the value.
    fn at(&mut self, segment: &str, body: impl FnOnce(&mut Self)) {
        let length = self.path.len();
        let owner = self.owner.take();
        push_segment(&mut self.path, &got::cut(segment, SHOWN_KEY));
        body(self);
        self.owner = owner;
        self.path.truncate(length);
    }
}

/// A value of another type than the schema wants.
fn wrong_type(expected: &str, types: Types, value: &Value) -> String {
    let mut message = format!("expected {expected}, got {}", got::got(value));
    let Value::String(text) = value else {
        let whole = value.as_f64().is_some_and(|number| number.fract() == 0.0);
        if whole && types.has(Types::INTEGER) {
            message.push_str(" (beyond 64 bits, where digits are lost)");
        }
        return message;
    };
    let bracket = text.trim_start().chars().next();
    let meant = (types.has(Types::ARRAY) && bracket == Some('['))
        || (types.has(Types::OBJECT) && bracket == Some('{'));
    if meant {
        message.push_str(" (send it as JSON, not as text)");
    }
    message
}

/// A value that is none of the listed ones.
fn not_listed(values: &[&Value], value: &Value) -> String {
    let mut message = format!("expected {}, got {}", describe::one_of(values), got::plain(value));
    let Value::String(text) = value else { return message };
    let known = values.iter().filter_map(|value| value.as_str());
    if let Some(meant) = nearest(text, known).filter(|_| values.len() > 1) {
        got::push(&mut message, format_args!(", did you mean {}?", got::quote(meant)));
    } else if values.iter().any(|value| alike(value, text)) {
        message.push_str(" (send it as JSON, not as text)");
    }
    message
}

/// Whether a listed value was sent as the text that spells it.
fn alike(listed: &Value, text: &str) -> bool {
    const LONGEST: usize = 64;
    !listed.is_string()
        && text.len() <= LONGEST
        && serde_json::from_str::<Value>(text).is_ok_and(|value| equal::equal(&value, listed))
}

fn wrong_text(expected: &str, keyword: &str, text: &str) -> String {
    let mut message = format!("expected {expected}, got {}", got::quote(text));
    if matches!(keyword, "minLength" | "maxLength") && !text.is_empty() {
        let count = got::count(text::length(text), "character", "characters");
        got::push(&mut message, format_args!(" ({count})"));
    }
    message
}
