//! A parsed template into the steps that a URI is walked along, or the reason why it has none.

use super::error::Fault;
use super::parse::{Expression, Modifier, Operator, Part, Spec};
use super::percent::Decoded;

/// Steps are numbered in 64 bits, two a step, and one bit means "at the end".
const MAX_STEPS: usize = 31;

/// What [`walk`](super::walk::walk) needs.
#[derive(Debug, Clone)]
pub(super) struct Matcher {
    /// The literal at the start, often enough to tell that a URI belongs to another template.
    pub(super) prefix: Decoded,
    pub(super) steps: Vec<Step>,
    pub(super) variables: Vec<MatchVariable>,
}

#[derive(Debug, Clone)]
pub(super) enum Step {
    Literal(Decoded),
    /// The delimiter before a value that may be missing; `absent` is the step to go on with then.
    Lead {
        byte: u8,
        absent: usize,
    },
    /// A value of at least one byte, up to a stop; with `repeat`, more of them after that byte.
    Capture {
        variable: usize,
        stops: Stops,
        repeat: Option<u8>,
    },
    /// Members with names in any order: nothing, or `lead` and whatever comes up to a stop.
    Members {
        lead: u8,
        separator: u8,
        stops: Stops,
        first: usize,
        last: usize,
    },
}

#[derive(Debug, Clone)]
pub(super) struct MatchVariable {
    pub(super) name: String,
    /// The name as it stands in a query, decoded.
    pub(super) label: String,
    pub(super) exploded: bool,
    /// Whether an unescaped comma separates the items of a list.
    pub(super) commas: bool,
    pub(super) guard: Guard,
}

/// What a decoded value must not be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Guard {
    /// One segment of a path: no slash, backslash or NUL, and neither `.` nor `..`.
    Segment,
    /// A relative path that stays below where it starts.
    Path,
    /// Any text without NUL.
    Text,
}

/// The bare ASCII bytes that end a value.
#[derive(Debug, Clone, Copy)]
pub(super) struct Stops(u128);

impl Stops {
    fn of(bytes: &[u8]) -> Self {
        let ascii = bytes.iter().filter(|byte| byte.is_ascii());
        Self(ascii.fold(0, |set, &byte| set | 1 << byte))
    }

    const fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    pub(super) const fn has(self, byte: u8) -> bool {
        byte.is_ascii() && self.0 >> byte & 1 == 1
    }
}

pub(super) fn compile(parts: &[Part]) -> Result<Matcher, Fault> {
    let mut compiler = Compiler::new(parts);
    for part in parts {
        match part {
            Part::Literal { at, text } => compiler.literal(*at, text)?,
            Part::Expression(expression) => compiler.expression(expression)?,
        }
    }
    compiler.finish()
}

struct Compiler {
    steps: Vec<Step>,
    /// Where in the template each step comes from.
    origins: Vec<usize>,
    variables: Vec<MatchVariable>,
    /// What ends a value of one segment, and what a value that may hold slashes.
    segment_stops: Stops,
    path_stops: Stops,
}

impl Compiler {
    fn new(parts: &[Part]) -> Self {
        let has = |wanted: Operator, literal: Option<char>| {
            parts.iter().any(|part| match part {
                Part::Literal { text, .. } => literal.is_some_and(|char| text.contains(char)),
                Part::Expression(expression) => expression.operator == wanted,
            })
        };
        let stop = |there: bool, byte: u8| if there { Stops::of(&[byte]) } else { Stops::of(&[]) };
        let continuation = stop(has(Operator::Continuation, None), b'&');
        let parameter = stop(has(Operator::Parameter, None), b';');
        let query = stop(has(Operator::Query, Some('?')), b'?');
        let fragment = stop(has(Operator::Fragment, Some('#')), b'#');
        Self {
            steps: Vec::new(),
            origins: Vec::new(),
            variables: Vec::new(),
            segment_stops: Stops::of(b"/?#").and(continuation).and(parameter),
            path_stops: query.and(fragment),
        }
    }

    fn push(&mut self, at: usize, step: Step) {
        self.steps.push(step);
        self.origins.push(at);
    }

    fn literal(&mut self, at: usize, text: &str) -> Result<(), Fault> {
        let Ok(literal) = Decoded::new(text) else {
            let mend = "escape the bytes of UTF-8, as in `caf%C3%A9`";
            return Err(Fault::new(at, "the escapes of this literal are not UTF-8", mend));
        };
        self.push(at, Step::Literal(literal));
        Ok(())
    }

    fn expression(&mut self, expression: &Expression) -> Result<(), Fault> {
        if expression.operator.is_named() {
            return self.members(expression);
        }
        let several = expression.specs.len() > 1;
        let first = self.steps.len();
        let leads = expression.specs.len() - usize::from(expression.operator.lead().is_none());
        let absent = first + leads + expression.specs.len();
        let separator = expression.operator.separator();
        for (index, spec) in expression.specs.iter().enumerate() {
            let exploded = spec.modifier == Modifier::Explode;
            if exploded && index + 1 < expression.specs.len() {
                let problem =
                    format!("`{}*` takes every value, so none is left after it", spec.name);
                return Err(Fault::new(spec.at, problem, "move it to the end of the expression"));
            }
            let lead = if index == 0 { expression.operator.lead() } else { Some(separator) };
            if let Some(byte) = lead {
                self.push(expression.at, Step::Lead { byte, absent });
            }
            let reserved = expression.operator.keeps_reserved();
            let mut stops = if reserved { self.path_stops } else { self.segment_stops };
            if several || exploded {
                stops = stops.and(Stops::of(&[separator]));
            }
            let variable = self.variable(expression.operator, spec)?;
            let repeat = exploded.then_some(separator);
            let at = if index == 0 { expression.at } else { spec.at };
            self.push(at, Step::Capture { variable, stops, repeat });
        }
        Ok(())
    }

    fn members(&mut self, expression: &Expression) -> Result<(), Fault> {
        let operator = expression.operator;
        let first = self.variables.len();
        for spec in &expression.specs {
            self.variable(operator, spec)?;
        }
        let now = self.variables.len();
        let separator = operator.separator();
        if let Some(Step::Members { separator: before, last, .. }) = self.steps.last_mut()
            && *before == separator
            && operator != Operator::Query
        {
            *last = now;
            return Ok(());
        }
        let stops =
            if operator == Operator::Parameter { Stops::of(b"/?#") } else { Stops::of(b"#") };
        let lead = operator.lead().unwrap_or(separator);
        let step = Step::Members { lead, separator, stops, first, last: now };
        self.push(expression.at, step);
        Ok(())
    }

    fn variable(&mut self, operator: Operator, spec: &Spec) -> Result<usize, Fault> {
        let name = &spec.name;
        if let Modifier::Prefix(length) = spec.modifier {
            let problem = format!(
                "`{name}:{length}` sends only the first {length} characters, so the value cannot \
                 be read back"
            );
            let mend = format!("write `{name}` and check its length in the handler");
            return Err(Fault::new(spec.at, problem, mend));
        }
        if self.variables.iter().any(|variable| variable.name == *name) {
            let problem = format!("the variable `{name}` stands here a second time");
            return Err(Fault::new(spec.at, problem, "give each place its own name"));
        }
        let label = Decoded::new(name).ok().and_then(|d| d.text(0, d.len()).map(str::to_owned));
        let Some(label) = label else {
            let problem = format!("the escapes of the name `{name}` are not UTF-8");
            return Err(Fault::new(spec.at, problem, "name it with letters, digits and `_`"));
        };
        let guard = match operator {
            Operator::Reserved => Guard::Path,
            Operator::Fragment | Operator::Query | Operator::Continuation => Guard::Text,
            Operator::Simple | Operator::Label | Operator::Path | Operator::Parameter => {
                Guard::Segment
            }
        };
        let exploded = spec.modifier == Modifier::Explode;
        let commas = !exploded && !operator.keeps_reserved();
        self.variables.push(MatchVariable { name: name.clone(), label, exploded, commas, guard });
        Ok(self.variables.len() - 1)
    }

    fn finish(mut self) -> Result<Matcher, Fault> {
        for step in 0..self.steps.len() {
            self.check_followers(step)?;
        }
        let mut prefix = Decoded::default();
        if let Some(Step::Literal(literal)) = self.steps.first_mut() {
            prefix = std::mem::take(literal);
        }
        if let Some(&at) = self.origins.get(MAX_STEPS) {
            let problem = format!("this template has more than {MAX_STEPS} parts");
            return Err(Fault::new(
                at,
                problem,
                "move some variables into a query, as in `{?a,b}`",
            ));
        }
        Ok(Matcher { prefix, steps: self.steps, variables: self.variables })
    }

    /// Refuses a value of which nobody could tell where it ends: each step that can come next must
    /// begin with a byte that the value cannot hold, or be a literal.
    fn check_followers(&self, step: usize) -> Result<(), Fault> {
        let ends = match self.steps.get(step) {
            Some(Step::Capture { stops, repeat, .. }) => Ends { stops: *stops, repeat: *repeat },
            Some(Step::Members { stops, .. }) => Ends { stops: *stops, repeat: None },
            Some(Step::Literal(_) | Step::Lead { .. }) | None => return Ok(()),
        };
        let is_capture = matches!(self.steps.get(step), Some(Step::Capture { .. }));
        let mut next = step + 1;
        while let Some(follower) = self.steps.get(next) {
            let (told_apart, after) = match follower {
                Step::Literal(_) if is_capture => (true, None),
                Step::Literal(text) => {
                    (text.bare().first().is_some_and(|&byte| ends.at(byte)), None)
                }
                Step::Capture { .. } => (false, None),
                // `{name}{.suffix}` is too useful to refuse for the dots in `name`: the walk gives
                // `name` as little as it can.
                Step::Lead { byte: b'.', absent } if is_capture && ends.at(b'/') => {
                    (ends.repeat != Some(b'.'), Some(*absent))
                }
                Step::Lead { byte, absent } => (ends.at(*byte), Some(*absent)),
                Step::Members { lead, .. } => (ends.at(*lead), Some(next + 1)),
            };
            if !told_apart {
                return Err(self.touching(step, next));
            }
            let Some(after) = after else { break };
            next = after;
        }
        Ok(())
    }

    fn touching(&self, step: usize, next: usize) -> Fault {
        let at = self.origins.get(next).copied().unwrap_or_default();
        let name = match self.steps.get(step) {
            Some(Step::Capture { variable, .. }) => self.variables.get(*variable),
            Some(Step::Members { last, .. }) => self.variables.get(last.saturating_sub(1)),
            Some(Step::Literal(_) | Step::Lead { .. }) | None => None,
        };
        let name = name.map_or("", |variable| variable.name.as_str());
        let problem =
            format!("what stands here can also be part of the value of `{name}` before it");
        let mend = if matches!(self.steps.get(step), Some(Step::Members { separator: b'&', .. })) {
            "put everything else of the query before it, as in `?all=1{&page}`"
        } else {
            "put a literal between the two, as in `{a}/{b}`"
        };
        Fault::new(at, problem, mend)
    }
}

#[derive(Clone, Copy)]
struct Ends {
    stops: Stops,
    repeat: Option<u8>,
}

impl Ends {
    const fn at(self, byte: u8) -> bool {
        self.stops.has(byte) && !matches!(self.repeat, Some(repeat) if repeat == byte)
    }
}
