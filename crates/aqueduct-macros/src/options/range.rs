//! Ranges such as `1..=100`.

use syn::{Expr, ExprLit, ExprUnary, Ident, Lit, RangeLimits, UnOp};

use super::Entry;
use crate::ctxt::Ctxt;

/// The ends of a range.
#[derive(Clone)]
pub(crate) struct Range {
    /// The option's name.
    pub(crate) word: Ident,
    pub(crate) start: Option<Expr>,
    pub(crate) end: Option<Expr>,
    /// Whether the end belongs to it.
    pub(crate) inclusive: bool,
}

impl Range {
    pub(crate) fn read(entry: &Entry, ctxt: &mut Ctxt) -> Option<Self> {
        let name = &entry.name;
        let value = entry.expr(ctxt)?;
        let Expr::Range(range) = &value else {
            let mend = format!("`{name}` takes a range: `{name} = 1..=100`, `1..` or `..=100`");
            ctxt.error(&value, mend);
            return None;
        };
        let read = Self {
            word: name.clone(),
            start: range.start.as_deref().cloned(),
            end: range.end.as_deref().cloned(),
            inclusive: matches!(range.limits, RangeLimits::Closed(_)),
        };
        if read.start.is_none() && read.end.is_none() {
            ctxt.error(&value, format!("this range holds everything; leave `{name}` out"));
            return None;
        }
        if read.is_empty() {
            ctxt.error(&value, "this range holds nothing: its start lies beyond its end");
            return None;
        }
        Some(read)
    }

    fn is_empty(&self) -> bool {
        let ends = (self.start.as_ref().and_then(number), self.end.as_ref().and_then(number));
        let (Some(start), Some(end)) = ends else { return false };
        if self.inclusive { start > end } else { start >= end }
    }

    /// Whether a number that is written out lies outside.
    pub(crate) fn excludes(&self, value: &Expr) -> bool {
        let Some(value) = number(value) else { return false };
        let below = self.start.as_ref().and_then(number).is_some_and(|start| value < start);
        let above = self
            .end
            .as_ref()
            .and_then(number)
            .is_some_and(|end| if self.inclusive { value > end } else { value >= end });
        below || above
    }
}

/// A number that is written out; big ones lose their last digits, which no comparison here needs.
fn number(expr: &Expr) -> Option<f64> {
    match expr {
        Expr::Lit(ExprLit { lit: Lit::Int(number), .. }) => number.base10_parse().ok(),
        Expr::Lit(ExprLit { lit: Lit::Float(number), .. }) => number.base10_parse().ok(),
        Expr::Unary(ExprUnary { op: UnOp::Neg(_), expr, .. }) => number(expr).map(|n| -n),
        Expr::Group(group) => number(&group.expr),
        Expr::Paren(paren) => number(&paren.expr),
        _ => None,
    }
}
