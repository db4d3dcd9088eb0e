//! What `#[form]` makes of a struct: its fields with what is said of them.

use serde::Serialize;
use serde_json::{Map, Value, json};

use crate::context::Amount;
use crate::input::{FormField, FormSpec, RequestedSchema};

/// The fields of a form, one after the other.
#[derive(Debug, Default)]
pub struct FormFields {
    schema: RequestedSchema,
    required: Vec<String>,
}

impl FormFields {
    /// Adds a field; one with a default may be left out like an optional one.
    pub fn add<F: FormField>(
        &mut self,
        name: &str,
        has_default: bool,
        say: impl FnOnce(&mut FormRules),
    ) {
        let base = serde_json::to_value(F::field()).unwrap_or_default();
        let mut rules = FormRules(match base {
            Value::Object(map) => map,
            _ => Map::new(),
        });
        say(&mut rules);
        let described = serde_json::from_value(Value::Object(rules.0));
        let field = described.unwrap_or_else(|_| F::field());
        let schema = std::mem::take(&mut self.schema);
        self.schema = schema.field(name, field);
        if !F::OPTIONAL && !has_default {
            self.required.push(name.to_owned());
        }
    }

    /// The form.
    #[must_use]
    pub fn spec(self) -> FormSpec {
        let mut schema = self.schema;
        schema.required = (!self.required.is_empty()).then_some(self.required);
        FormSpec::new(schema)
    }
}

/// What is said of one field.
#[derive(Debug)]
pub struct FormRules(Map<String, Value>);

impl FormRules {
    fn put(&mut self, key: &str, value: Value) {
        self.0.insert(key.to_owned(), value);
    }

    /// A name for people.
    pub fn title(&mut self, title: &str) {
        self.put("title", title.into());
    }

    /// What is to be filled in.
    pub fn description(&mut self, description: &str) {
        self.put("description", description.into());
    }

    /// What stands there already.
    pub fn default(&mut self, default: &impl Serialize) {
        if let Ok(default) = serde_json::to_value(default) {
            self.put("default", default);
        }
    }

    /// How small and how large a number may be.
    pub fn range<A: Amount, B: Amount>(&mut self, least: Option<A>, most: Option<B>) {
        if let Some(least) = least {
            self.put("minimum", json!(least.to_f64()));
        }
        if let Some(most) = most {
            self.put("maximum", json!(most.to_f64()));
        }
    }

    /// How short and how long a text may be, or how many may be chosen.
    pub fn length(&mut self, least: Option<u64>, most: Option<u64>) {
        let many = self.0.get("type").is_some_and(|kind| kind == "array");
        let (low, high) = if many { ("minItems", "maxItems") } else { ("minLength", "maxLength") };
        if let Some(least) = least {
            self.put(low, least.into());
        }
        if let Some(most) = most {
            self.put(high, most.into());
        }
    }

    /// What kind of text it is.
    pub fn format(&mut self, format: &str) {
        self.put("format", format.into());
    }
}
