//! RFC 6570, section 3: values into a URI.

use super::parse::{Expression, Modifier, Operator, Part, Spec};
use super::percent;
use super::variables::{Value, Variables};

pub(super) fn expand(parts: &[Part], variables: &Variables) -> String {
    let mut out = String::new();
    for part in parts {
        match part {
            Part::Literal { text, .. } => percent::encode_reserved(&mut out, text),
            Part::Expression(expression) => expand_expression(&mut out, expression, variables),
        }
    }
    out
}

fn expand_expression(out: &mut String, expression: &Expression, variables: &Variables) {
    let operator = expression.operator;
    let mut lead = operator.lead();
    for spec in &expression.specs {
        let Some(value) = variables.value(&spec.name) else { continue };
        if value.is_undefined() {
            continue;
        }
        out.extend(lead.map(char::from));
        lead = Some(operator.separator());
        Writer { out, operator, spec }.value(value);
    }
}

struct Writer<'a> {
    out: &'a mut String,
    operator: Operator,
    spec: &'a Spec,
}

impl Writer<'_> {
    fn value(&mut self, value: &Value) {
        let explode = self.spec.modifier == Modifier::Explode;
        match value {
            Value::Text(text) => self.text(text),
            Value::List(items) if explode => self.exploded_list(items),
            Value::List(items) => self.joined(items.iter().map(String::as_str)),
            Value::Pairs(pairs) if explode => self.exploded_pairs(pairs),
            Value::Pairs(pairs) => {
                self.joined(pairs.iter().flat_map(|(name, value)| [name.as_str(), value]));
            }
        }
    }

    fn text(&mut self, text: &str) {
        let cut = match self.spec.modifier {
            Modifier::Prefix(length) if self.operator.keeps_reserved() => {
                prefix_of_escaped(text, length.into())
            }
            Modifier::Prefix(length) => prefix(text, length.into()),
            Modifier::None | Modifier::Explode => text,
        };
        self.name(cut.is_empty());
        self.encode(cut);
    }

    /// Composite values without `*`: items between commas. `:n` does not apply to them
    /// (section 2.4.1), so it is passed over.
    fn joined<'i>(&mut self, items: impl Iterator<Item = &'i str>) {
        self.name(false);
        for (index, item) in items.enumerate() {
            if index > 0 {
                self.out.push(',');
            }
            self.encode(item);
        }
    }

    fn exploded_list(&mut self, items: &[String]) {
        for (index, item) in items.iter().enumerate() {
            self.separator(index);
            self.name(item.is_empty());
            self.encode(item);
        }
    }

    fn exploded_pairs(&mut self, pairs: &[(String, String)]) {
        for (index, (name, value)) in pairs.iter().enumerate() {
            self.separator(index);
            self.encode(name);
            if !self.operator.is_named() || !value.is_empty() {
                self.out.push('=');
            } else {
                self.equals(true);
            }
            self.encode(value);
        }
    }

    fn separator(&mut self, index: usize) {
        if index > 0 {
            self.out.push(char::from(self.operator.separator()));
        }
    }

    fn name(&mut self, value_is_empty: bool) {
        if self.operator.is_named() {
            percent::encode_reserved(self.out, &self.spec.name);
            self.equals(value_is_empty);
        }
    }

    /// `;x` for an empty value, but `?x=`.
    fn equals(&mut self, value_is_empty: bool) {
        if !value_is_empty || self.operator != Operator::Parameter {
            self.out.push('=');
        }
    }

    fn encode(&mut self, text: &str) {
        if self.operator.keeps_reserved() {
            percent::encode_reserved(self.out, text);
        } else {
            percent::encode(self.out, text);
        }
    }
}

/// The first `length` characters.
fn prefix(text: &str, length: usize) -> &str {
    let end = text.char_indices().nth(length).map_or(text.len(), |(at, _)| at);
    text.get(..end).unwrap_or(text)
}

/// The first `length` characters, where escapes that stay as they are stand for the character that
/// they encode (the last step of appendix A).
fn prefix_of_escaped(text: &str, length: usize) -> &str {
    let (mut rest, mut left) = (text, length);
    loop {
        let (taken, continues) = match percent::escaped_byte(rest.as_bytes()) {
            Some(byte) => (3, byte & 0xC0 == 0x80),
            None => (rest.chars().next().map_or(0, char::len_utf8), false),
        };
        let Some((_, after)) = rest.split_at_checked(taken) else { return text };
        if taken == 0 || (left == 0 && !continues) {
            return text.strip_suffix(rest).unwrap_or(text);
        }
        left -= usize::from(!continues && left > 0);
        rest = after;
    }
}
