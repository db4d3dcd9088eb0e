//! The grammar of RFC 6570, section 2: text into literals and expressions.

use super::error::Fault;
use super::percent;

/// Longer templates are refused: they come with code, but also from remote documents.
const MAX_TEMPLATE_BYTES: usize = 16 * 1024;
/// More variables than this in one template are refused.
const MAX_VARIABLES: usize = 64;

#[derive(Debug, Clone)]
pub(super) enum Part {
    Literal { at: usize, text: String },
    Expression(Expression),
}

#[derive(Debug, Clone)]
pub(super) struct Expression {
    pub(super) at: usize,
    pub(super) operator: Operator,
    pub(super) specs: Vec<Spec>,
}

#[derive(Debug, Clone)]
pub(super) struct Spec {
    pub(super) at: usize,
    pub(super) name: String,
    pub(super) modifier: Modifier,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Modifier {
    None,
    Explode,
    Prefix(u16),
}

/// The operators of [RFC 6570, 2.2](https://www.rfc-editor.org/rfc/rfc6570#section-2.2); the
/// methods are the columns of the table in its appendix A.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Operator {
    Simple,
    Reserved,
    Fragment,
    Label,
    Path,
    Parameter,
    Query,
    Continuation,
}

impl Operator {
    fn from_char(char: char) -> Option<Self> {
        Some(match char {
            '+' => Self::Reserved,
            '#' => Self::Fragment,
            '.' => Self::Label,
            '/' => Self::Path,
            ';' => Self::Parameter,
            '?' => Self::Query,
            '&' => Self::Continuation,
            _ => return None,
        })
    }

    /// What stands before the first value.
    pub(super) const fn lead(self) -> Option<u8> {
        match self {
            Self::Simple | Self::Reserved => None,
            Self::Fragment => Some(b'#'),
            Self::Label => Some(b'.'),
            Self::Path => Some(b'/'),
            Self::Parameter => Some(b';'),
            Self::Query => Some(b'?'),
            Self::Continuation => Some(b'&'),
        }
    }

    /// What stands between two values.
    pub(super) const fn separator(self) -> u8 {
        match self {
            Self::Simple | Self::Reserved | Self::Fragment => b',',
            Self::Label => b'.',
            Self::Path => b'/',
            Self::Parameter => b';',
            Self::Query | Self::Continuation => b'&',
        }
    }

    /// Whether values come with their names.
    pub(super) const fn is_named(self) -> bool {
        matches!(self, Self::Parameter | Self::Query | Self::Continuation)
    }

    /// Whether reserved characters of a value stay as they are.
    pub(super) const fn keeps_reserved(self) -> bool {
        matches!(self, Self::Reserved | Self::Fragment)
    }
}

pub(super) fn parse(template: &str) -> Result<Vec<Part>, Fault> {
    if template.len() > MAX_TEMPLATE_BYTES {
        let problem = format!("a template has at most {MAX_TEMPLATE_BYTES} bytes");
        return Err(Fault::new(MAX_TEMPLATE_BYTES, problem, "shorten it"));
    }
    let mut parts = Vec::new();
    let mut variables = 0_usize;
    let mut cursor = Cursor { rest: template, at: 0 };
    while let Some(char) = cursor.peek() {
        if char != '{' {
            parts.push(literal(&mut cursor)?);
            continue;
        }
        let expression = expression(&mut cursor)?;
        variables = variables.saturating_add(expression.specs.len());
        if variables > MAX_VARIABLES {
            let problem = format!("a template has at most {MAX_VARIABLES} variables");
            return Err(Fault::new(expression.at, problem, "split it into several templates"));
        }
        parts.push(Part::Expression(expression));
    }
    Ok(parts)
}

struct Cursor<'a> {
    rest: &'a str,
    at: usize,
}

impl Cursor<'_> {
    fn peek(&self) -> Option<char> {
        self.rest.chars().next()
    }

    fn bump(&mut self) -> Option<char> {
        let mut chars = self.rest.chars();
        let char = chars.next()?;
        self.rest = chars.as_str();
        self.at += char.len_utf8();
        Some(char)
    }

    fn take(&mut self, char: char) -> bool {
        let found = self.peek() == Some(char);
        if found {
            self.bump();
        }
        found
    }

    fn found(&self) -> String {
        match self.peek() {
            None => "the end".to_owned(),
            Some(' ') => "a space".to_owned(),
            Some(char) => format!("`{}`", char.escape_debug()),
        }
    }
}

/// Section 2.1, with two allowances: `'` (erratum 6937) and the space, which authors write and
/// which can only mean `%20`.
fn literal(cursor: &mut Cursor<'_>) -> Result<Part, Fault> {
    let at = cursor.at;
    let mut text = String::new();
    while let Some(char) = cursor.peek() {
        match char {
            '{' => break,
            '}' => {
                let mend = "add its `{`, or write the brace itself as `%7D`";
                return Err(Fault::new(cursor.at, "this `}` closes nothing", mend));
            }
            '%' if !percent::is_escape(cursor.rest.as_bytes()) => {
                let problem = "expected two hexadecimal digits after `%`";
                return Err(Fault::new(cursor.at, problem, "write the sign itself as `%25`"));
            }
            '"' | '<' | '>' | '\\' | '^' | '`' | '|' => {
                let problem = format!("`{char}` cannot stand in a URI");
                let mend = format!("write it as `%{:02X}`", u32::from(char));
                return Err(Fault::new(cursor.at, problem, mend));
            }
            _ if char.is_control() => {
                let problem = format!("`{}` cannot stand in a URI", char.escape_debug());
                return Err(Fault::new(cursor.at, problem, "remove the control character"));
            }
            _ => text.extend(cursor.bump()),
        }
    }
    Ok(Part::Literal { at, text })
}

fn expression(cursor: &mut Cursor<'_>) -> Result<Expression, Fault> {
    let at = cursor.at;
    cursor.bump();
    let operator = match cursor.peek() {
        Some(char @ ('=' | ',' | '!' | '@' | '|')) => {
            let problem = format!("the operator `{char}` is reserved by RFC 6570");
            let mend = "use none, or one of `+ # . / ; ? &`";
            return Err(Fault::new(cursor.at, problem, mend));
        }
        Some(char) => Operator::from_char(char),
        None => None,
    };
    if operator.is_some() {
        cursor.bump();
    }
    let mut specs = Vec::new();
    loop {
        specs.push(spec(cursor)?);
        if cursor.take('}') {
            break;
        }
        if !cursor.take(',') {
            return Err(unfinished(cursor, specs.last()));
        }
    }
    Ok(Expression { at, operator: operator.unwrap_or(Operator::Simple), specs })
}

/// What to say when neither `,` nor `}` follows a variable.
fn unfinished(cursor: &Cursor<'_>, spec: Option<&Spec>) -> Fault {
    let name = spec.map_or("", |spec| spec.name.as_str());
    let problem =
        format!("expected `,` or `}}` after the variable `{name}`, found {}", cursor.found());
    let mend = match cursor.peek() {
        None => "close the expression with `}`",
        Some('{') => "close the expression before opening the next",
        Some(':' | '*') => "a variable takes one modifier, `*` or `:` and a length",
        Some(_) => "names are made of letters, digits, `_` and `.`",
    };
    Fault::new(cursor.at, problem, mend)
}

fn spec(cursor: &mut Cursor<'_>) -> Result<Spec, Fault> {
    let at = cursor.at;
    let name = name(cursor)?;
    let modifier = if cursor.take('*') {
        Modifier::Explode
    } else if cursor.take(':') {
        Modifier::Prefix(length(cursor)?)
    } else {
        Modifier::None
    };
    Ok(Spec { at, name, modifier })
}

fn name(cursor: &mut Cursor<'_>) -> Result<String, Fault> {
    let mut name = String::new();
    loop {
        match cursor.peek() {
            Some('%') if percent::is_escape(cursor.rest.as_bytes()) => {
                for _ in 0..3 {
                    name.extend(cursor.bump());
                }
            }
            Some('.') if !name.is_empty() && !name.ends_with('.') => name.extend(cursor.bump()),
            Some(char) if char.is_ascii_alphanumeric() || char == '_' => name.extend(cursor.bump()),
            _ => break,
        }
    }
    if name.is_empty() || name.ends_with('.') {
        let problem = format!("expected a variable name, found {}", cursor.found());
        let mend =
            "name it with letters, digits and `_`, with single dots between, as in `{user.id}`";
        return Err(Fault::new(cursor.at, problem, mend));
    }
    Ok(name)
}

/// `max-length`: 1 to 9999 without a leading zero.
fn length(cursor: &mut Cursor<'_>) -> Result<u16, Fault> {
    let at = cursor.at;
    let mut length = 0_u16;
    while let Some(digit) = cursor.peek().and_then(|char| char.to_digit(10)) {
        let next = u16::try_from(u32::from(length) * 10 + digit).unwrap_or(u16::MAX);
        if next == 0 || next > 9999 {
            return Err(bad_length(at, cursor));
        }
        length = next;
        cursor.bump();
    }
    if length == 0 { Err(bad_length(at, cursor)) } else { Ok(length) }
}

fn bad_length(at: usize, cursor: &Cursor<'_>) -> Fault {
    let problem = format!("expected a length from 1 to 9999 after `:`, found {}", cursor.found());
    Fault::new(at, problem, "write it as in `{id:3}`, or leave the `:` out")
}
