//! The common form of all options: `flag`, `name = value`, `name(value, …)`.

use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::ext::IdentExt;
use syn::parse::{Parse, ParseStream, Parser};
use syn::punctuated::Punctuated;
use syn::{Error, Expr, ExprLit, Ident, Lit, LitStr, Token, parenthesized};

use crate::ctxt::Ctxt;

/// One option.
pub(crate) struct Entry {
    pub(crate) name: Ident,
    value: Value,
}

enum Value {
    /// `name`
    Nothing,
    /// `name = …`
    One(Box<Expr>),
    /// `name(…, …)`
    Many(Vec<Expr>),
}

/// The options of one attribute, perhaps after a bare text.
#[derive(Default)]
pub(crate) struct Entries {
    pub(crate) first: Option<LitStr>,
    pub(crate) entries: Vec<Entry>,
}

impl Parse for Entry {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        if input.peek(LitStr) {
            return Err(input.error(
                "this text has no name; a description is a doc comment, or \
                                    `description = \"…\"`",
            ));
        }
        let name = input.call(Ident::parse_any)?;
        let value = if input.is_empty() || input.peek(Token![,]) {
            Value::Nothing
        } else if input.peek(syn::token::Paren) {
            let content;
            parenthesized!(content in input);
            let values = Punctuated::<Expr, Token![,]>::parse_terminated(&content)?;
            Value::Many(values.into_iter().collect())
        } else if input.peek(Token![=]) {
            input.parse::<Token![=]>()?;
            if input.is_empty() || input.peek(Token![,]) {
                return Err(Error::new(name.span(), format!("`{name} =` lacks its value")));
            }
            Value::One(Box::new(input.parse()?))
        } else {
            return Err(input.error(format!("an option is written `{name}` or `{name} = …`")));
        };
        Ok(Self { name, value })
    }
}

impl Entries {
    /// Reads options; those before a syntax error are kept.
    pub(crate) fn parse(tokens: TokenStream, takes_text: bool, ctxt: &mut Ctxt) -> Self {
        let mut all = Self::default();
        let parsed = (|input: ParseStream<'_>| {
            if takes_text && input.peek(LitStr) {
                all.first = Some(input.parse()?);
                all.comma(input)?;
            }
            while !input.is_empty() {
                let entry: Entry = input.parse()?;
                all.entries.push(entry);
                all.comma(input)?;
            }
            Ok(())
        })
        .parse2(tokens);
        if let Err(error) = parsed {
            ctxt.syntax(error);
        }
        all.refuse_repeats(ctxt);
        all
    }

    fn comma(&self, input: ParseStream<'_>) -> syn::Result<()> {
        if input.is_empty() {
            return Ok(());
        }
        input.parse::<Token![,]>().map(drop).map_err(|error| {
            let after = self.entries.last().map_or("the text", |entry| match entry.value {
                Value::Nothing => "the option",
                Value::One(_) | Value::Many(_) => "the value",
            });
            Error::new(error.span(), format!("expected a comma after {after}"))
        })
    }

    fn refuse_repeats(&mut self, ctxt: &mut Ctxt) {
        let mut seen: Vec<String> = Vec::new();
        self.entries.retain(|entry| {
            let name = entry.name.to_string();
            let first = !seen.contains(&name) || matches!(name.as_str(), "icon" | "layer");
            if first {
                seen.push(name);
            } else {
                ctxt.error(&entry.name, format!("`{name}` is said twice"));
            }
            first
        });
    }
}

impl Entry {
    pub(crate) fn is(&self, name: &str) -> bool {
        self.name == name
    }

    /// The value of `name = value`.
    pub(crate) fn expr(&self, ctxt: &mut Ctxt) -> Option<Expr> {
        match &self.value {
            Value::One(value) => Some((**value).clone()),
            Value::Nothing | Value::Many(_) => {
                let name = &self.name;
                ctxt.error(name, format!("`{name}` needs a value: `{name} = …`"));
                None
            }
        }
    }

    /// The value of `name = "text"`.
    pub(crate) fn text(&self, ctxt: &mut Ctxt) -> Option<LitStr> {
        let value = self.expr(ctxt)?;
        let text = as_text(&value);
        if text.is_none() {
            let name = &self.name;
            ctxt.error(&value, format!("`{name}` takes a text in quotes: `{name} = \"…\"`"));
        }
        text
    }

    /// Whether a flag is said: `name`, `name = true` or `name = false`.
    pub(crate) fn flag(&self, ctxt: &mut Ctxt) -> Option<bool> {
        let value: &dyn ToTokens = match &self.value {
            Value::Nothing => return Some(true),
            Value::One(value) => match &**value {
                Expr::Lit(ExprLit { lit: Lit::Bool(flag), .. }) => return Some(flag.value),
                other => other,
            },
            Value::Many(_) => &self.name,
        };
        let name = &self.name;
        ctxt.error(value, format!("write `{name}`, `{name} = true` or `{name} = false`"));
        None
    }

    /// The values of `name(value, …)`.
    pub(crate) fn many(&self, ctxt: &mut Ctxt) -> Vec<Expr> {
        match &self.value {
            Value::Many(values) if !values.is_empty() => values.clone(),
            Value::Many(_) | Value::Nothing | Value::One(_) => {
                let name = &self.name;
                ctxt.error(name, format!("`{name}` takes values in parentheses: `{name}(…, …)`"));
                Vec::new()
            }
        }
    }

    /// The values of `name("text", …)`.
    pub(crate) fn texts(&self, ctxt: &mut Ctxt) -> Vec<LitStr> {
        let mut texts = Vec::new();
        for value in self.many(ctxt) {
            match as_text(&value) {
                Some(text) => texts.push(text),
                None => ctxt.error(&value, format!("`{}` takes texts in quotes", self.name)),
            }
        }
        texts
    }

    /// The value of `name`, if it has one, for options that work with and without.
    pub(crate) fn maybe(&self, ctxt: &mut Ctxt) -> Option<Expr> {
        match &self.value {
            Value::Nothing => None,
            Value::One(_) | Value::Many(_) => self.expr(ctxt),
        }
    }
}

pub(crate) fn as_text(expr: &Expr) -> Option<LitStr> {
    match expr {
        Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) => Some(text.clone()),
        Expr::Group(group) => as_text(&group.expr),
        _ => None,
    }
}
