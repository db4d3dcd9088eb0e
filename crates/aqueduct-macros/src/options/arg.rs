//! The options of `#[arg]`, on a parameter or on a field.

use syn::{Attribute, Expr, Ident, LitStr, Meta, Path};

use super::{Entries, Entry, Range};
use crate::ctxt::Ctxt;

/// Their values.
#[derive(Default)]
pub(crate) struct Arg {
    pub(crate) default: Option<Default>,
    pub(crate) rename: Option<LitStr>,
    pub(crate) title: Option<Expr>,
    pub(crate) description: Option<Expr>,
    pub(crate) range: Option<Range>,
    pub(crate) length: Option<Range>,
    pub(crate) pattern: Option<LitStr>,
    pub(crate) format: Option<LitStr>,
    pub(crate) examples: Vec<Expr>,
    pub(crate) values: Vec<LitStr>,
    pub(crate) header: Option<(Ident, LitStr)>,
    pub(crate) complete: Option<(Ident, Path)>,
    pub(crate) check: Option<(Ident, Path)>,
    pub(crate) not_secret: Option<Ident>,
}

/// What stands in for a missing value.
pub(crate) enum Default {
    /// `Default::default()`, asked for by this word.
    OfType(Ident),
    Expr(Box<Expr>),
}

const NAMES: [&str; 14] = [
    "default",
    "rename",
    "title",
    "description",
    "range",
    "length",
    "pattern",
    "format",
    "examples",
    "values",
    "header",
    "complete",
    "check",
    "not_secret",
];

impl Arg {
    /// Reads all `#[arg]` attributes of one parameter.
    pub(crate) fn read(attrs: &[Attribute], ctxt: &mut Ctxt) -> Self {
        let mut options = Self::default();
        for attr in attrs {
            let tokens = match &attr.meta {
                Meta::Path(_) => continue,
                Meta::List(list) => list.tokens.clone(),
                Meta::NameValue(pair) => {
                    ctxt.error(pair, "options stand in parentheses: `#[arg(default = 20)]`");
                    continue;
                }
            };
            for entry in &Entries::parse(tokens, false, ctxt).entries {
                options.take(entry, ctxt);
            }
        }
        options.check(ctxt);
        options
    }

    fn take(&mut self, entry: &Entry, ctxt: &mut Ctxt) {
        match entry.name.to_string().as_str() {
            "default" => {
                self.default = Some(match entry.maybe(ctxt) {
                    Some(value) => Default::Expr(Box::new(value)),
                    None => Default::OfType(entry.name.clone()),
                });
            }
            "rename" => self.rename = entry.text(ctxt),
            "title" => self.title = entry.expr(ctxt),
            "description" => self.description = entry.expr(ctxt),
            "range" => self.range = Range::read(entry, ctxt),
            "length" => self.length = Range::read(entry, ctxt),
            "pattern" => self.pattern = entry.text(ctxt),
            "format" => self.format = entry.text(ctxt),
            "examples" => self.examples = entry.many(ctxt),
            "values" => self.values = entry.texts(ctxt),
            "header" => {
                self.header = entry.text(ctxt).map(|header| (entry.name.clone(), header));
            }
            "complete" => self.complete = function(entry, "an async function: `cities`", ctxt),
            "check" => self.check = function(entry, "a function: `is_even`", ctxt),
            "not_secret" => {
                self.not_secret = (entry.flag(ctxt) == Some(true)).then(|| entry.name.clone());
            }
            _ => ctxt.unknown(&entry.name, "`#[arg]`", &NAMES),
        }
    }

    /// Refuses what only the fields of a form can say.
    pub(crate) fn of_no_form(&self, ctxt: &mut Ctxt) {
        if let Some(word) = &self.not_secret {
            ctxt.error(word, "`not_secret` is for the fields of a form; arguments may be secrets");
        }
    }

    fn check(&self, ctxt: &mut Ctxt) {
        if let (Some(Default::Expr(value)), Some(range)) = (&self.default, &self.range)
            && range.excludes(value)
        {
            ctxt.error(value, "the default lies outside of the range");
        }
        if let Some(rename) = &self.rename
            && rename.value().is_empty()
        {
            ctxt.error(rename, "the name is empty");
        }
    }
}

/// The path of a function.
fn function(entry: &Entry, what: &str, ctxt: &mut Ctxt) -> Option<(Ident, Path)> {
    match entry.expr(ctxt)? {
        Expr::Path(path) => Some((entry.name.clone(), path.path)),
        other => {
            let name = &entry.name;
            ctxt.error(other, format!("`{name}` takes the path of {what}"));
            None
        }
    }
}
