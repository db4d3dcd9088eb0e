//! The schema of arguments: what is said of each in `#[arg(…)]` and in its documentation.

use std::marker::PhantomData;

use aqueduct_protocol::header::PARAM_KEYWORD;
use schemars::{Schema, SchemaGenerator};
use serde::Serialize;
use serde_json::{Map, Value};

use super::decode::Missing;
use super::{Argument, Parameter};

/// Describes the arguments of one function.
#[derive(Debug)]
pub struct Fields<'g> {
    generator: &'g mut SchemaGenerator,
    properties: Map<String, Value>,
    required: Vec<Value>,
}

impl<'g> Fields<'g> {
    pub(super) fn new(generator: &'g mut SchemaGenerator) -> Self {
        Self { generator, properties: Map::new(), required: Vec::new() }
    }

    /// Adds an argument that may be missing only if its type says so.
    pub fn add<P: Parameter>(
        &mut self,
        name: &'static str,
        rules: impl FnOnce(&mut Field<'_, P::Value>),
    ) {
        let missing = Missing::<serde::de::value::Error>::new(name);
        if P::Value::decode(missing).is_err() {
            self.required.push(name.into());
        }
        self.insert::<P>(name, rules);
    }

    /// Adds an argument with a default, which is published unless it cannot be written as JSON.
    pub fn add_with_default<P: Parameter>(
        &mut self,
        name: &'static str,
        default: Option<Value>,
        rules: impl FnOnce(&mut Field<'_, P::Value>),
    ) {
        self.insert::<P>(name, |field| {
            if let Some(default) = default {
                field.set("default", default);
            }
            rules(field);
        });
    }

    fn insert<P: Parameter>(
        &mut self,
        name: &'static str,
        describe: impl FnOnce(&mut Field<'_, P::Value>),
    ) {
        let mut schema = P::Value::schema(self.generator);
        describe(&mut rules(&mut schema));
        self.properties.insert(name.to_owned(), schema.to_value());
    }

    pub(super) fn finish(self) -> Schema {
        let mut schema = Map::new();
        schema.insert("type".to_owned(), "object".into());
        schema.insert("properties".to_owned(), self.properties.into());
        if !self.required.is_empty() {
            schema.insert("required".to_owned(), self.required.into());
        }
        schema.insert("additionalProperties".to_owned(), false.into());
        schema.into()
    }
}

/// The schema of one argument of type `T`.
#[derive(Debug)]
pub struct Field<'s, T> {
    schema: &'s mut Schema,
    of: PhantomData<T>,
}

/// The schema of an argument of type `T`, for changes.
pub fn rules<T>(schema: &mut Schema) -> Field<'_, T> {
    Field { schema, of: PhantomData }
}

impl<T> Field<'_, T> {
    fn set(&mut self, key: &str, value: impl Into<Value>) {
        self.schema.insert(key.to_owned(), value.into());
    }

    /// The schema that words constrain: of a list, its items.
    fn words(&mut self, key: &str, value: impl Into<Value>) {
        let lists = self.schema.get("items").is_some_and(Value::is_object);
        let items = if lists { self.schema.get_mut("items") } else { None };
        match items.and_then(Value::as_object_mut) {
            Some(items) => drop(items.insert(key.to_owned(), value.into())),
            None => self.set(key, value),
        }
    }

    /// What it is, for the model.
    pub fn description(&mut self, description: &str) {
        self.set("description", description.trim());
    }

    /// A name for people.
    pub fn title(&mut self, title: &str) {
        self.set("title", title);
    }

    /// The form of a text, such as `date-time`.
    pub fn format(&mut self, format: &str) {
        self.words("format", format);
    }

    /// What stands in when it is missing, unless that cannot be written as JSON.
    pub fn default(&mut self, default: Option<Value>) {
        if let Some(default) = default {
            self.set("default", default);
        }
    }

    /// An example.
    pub fn example(&mut self, example: &impl Serialize) {
        let Ok(example) = serde_json::to_value(example) else { return };
        match self.schema.get_mut("examples").and_then(Value::as_array_mut) {
            Some(examples) => examples.push(example),
            None => self.set("examples", vec![example]),
        }
    }

    /// The HTTP header that mirrors it (`x-mcp-header`, SEP-2243).
    pub fn header(&mut self, header: &str) {
        self.set(PARAM_KEYWORD, header);
    }
    // The bounds below stand on the methods and not on blocks of their own, because the compiler
    // then tells what the traits say instead of that there is no such method.

    /// The least and the greatest number.
    pub fn range(&mut self, least: Option<T::Number>, greatest: Option<T::Number>)
    where
        T: Ranged,
    {
        if let Some(least) = least {
            self.set("minimum", least);
        }
        if let Some(greatest) = greatest {
            self.set("maximum", greatest);
        }
    }

    /// The least number, and the one that all are below.
    pub fn range_below(&mut self, least: Option<T::Number>, end: T::Number)
    where
        T: Ranged,
    {
        self.range(least, None);
        let (key, value) = T::below(end);
        self.set(key, value);
    }

    /// The least and the greatest length.
    pub fn length(&mut self, least: Option<usize>, greatest: Option<usize>)
    where
        T: Measured,
    {
        if let Some(least) = least {
            self.set(T::KEYS.0, least);
        }
        if let Some(greatest) = greatest {
            self.set(T::KEYS.1, greatest);
        }
    }

    /// The regular expression that finds something in the text.
    pub fn pattern(&mut self, pattern: &str)
    where
        T: Worded,
    {
        self.words("pattern", pattern);
    }

    /// The texts that are allowed.
    pub fn values(&mut self, values: &[&str])
    where
        T: Worded,
    {
        let mut values: Vec<Value> = values.iter().copied().map(Value::from).collect();
        let nullable = self.schema.get("type").and_then(Value::as_array);
        if nullable.is_some_and(|types| types.iter().any(|kind| kind == "null")) {
            values.push(Value::Null);
        }
        self.words("enum", values);
    }
}

/// A type of numbers, which can have a range.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no range",
    label = "`range` is for numbers and `Option`s of them",
    note = "bound texts and lists with `length = 1..=80`"
)]
pub trait Ranged {
    /// The bare number.
    type Number: Into<Value>;

    /// How a schema says "below".
    fn below(end: Self::Number) -> (&'static str, Value);
}

macro_rules! whole_numbers {
    ($($number:ty)*) => {$(
        impl Ranged for $number {
            type Number = $number;

            // Said as a greatest number, because more hosts understand it.
            fn below(end: $number) -> (&'static str, Value) {
                match end.checked_sub(1) {
                    Some(greatest) => ("maximum", greatest.into()),
                    None => ("exclusiveMaximum", end.into()),
                }
            }
        }
    )*};
}

whole_numbers!(u8 u16 u32 u64 usize i8 i16 i32 i64 isize);

macro_rules! fractions {
    ($($number:ty)*) => {$(
        impl Ranged for $number {
            type Number = $number;

            fn below(end: $number) -> (&'static str, Value) {
                ("exclusiveMaximum", end.into())
            }
        }
    )*};
}

fractions!(f32 f64);

macro_rules! not_zero {
    ($($wrapper:ident($number:ty))*) => {$(
        impl Ranged for std::num::$wrapper {
            type Number = $number;

            fn below(end: $number) -> (&'static str, Value) {
                <$number as Ranged>::below(end)
            }
        }
    )*};
}

not_zero! {
    NonZeroU8(u8) NonZeroU16(u16) NonZeroU32(u32) NonZeroU64(u64) NonZeroUsize(usize)
    NonZeroI8(i8) NonZeroI16(i16) NonZeroI32(i32) NonZeroI64(i64) NonZeroIsize(isize)
}

impl<T: Ranged> Ranged for Option<T> {
    type Number = T::Number;

    fn below(end: T::Number) -> (&'static str, Value) {
        T::below(end)
    }
}

/// A type whose values have a length.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no length",
    label = "`length` is for texts, lists, maps and `Option`s of them",
    note = "bound numbers with `range = 1..=80`"
)]
pub trait Measured {
    /// The words for the least and the greatest length.
    const KEYS: (&'static str, &'static str);
}

const TEXT: (&str, &str) = ("minLength", "maxLength");
const LIST: (&str, &str) = ("minItems", "maxItems");
const MAP: (&str, &str) = ("minProperties", "maxProperties");

macro_rules! measured {
    ($($keys:ident: [$($generic:ident)*] $kind:ty;)*) => {$(
        impl<$($generic),*> Measured for $kind {
            const KEYS: (&'static str, &'static str) = $keys;
        }
    )*};
}

measured! {
    TEXT: [] String;
    TEXT: [] Box<str>;
    TEXT: [] std::sync::Arc<str>;
    TEXT: [] std::borrow::Cow<'_, str>;
    LIST: [T] Vec<T>;
    LIST: [T] Box<[T]>;
    LIST: [T] std::collections::VecDeque<T>;
    LIST: [T] std::collections::BTreeSet<T>;
    LIST: [T S] std::collections::HashSet<T, S>;
    MAP: [K V] std::collections::BTreeMap<K, V>;
    MAP: [K V S] std::collections::HashMap<K, V, S>;
    MAP: [] Map<String, Value>;
}

impl<T: Measured> Measured for Option<T> {
    const KEYS: (&'static str, &'static str) = T::KEYS;
}

/// A type of texts, or of lists of texts.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not text",
    label = "`pattern` and `values` are for `String`, and for lists and `Option`s of it",
    note = "an enum marked with `#[args]` says which words it takes by itself"
)]
pub trait Worded {}

impl Worded for String {}
impl Worded for Box<str> {}
impl Worded for std::sync::Arc<str> {}
impl Worded for std::borrow::Cow<'_, str> {}
impl<T: Worded> Worded for Option<T> {}
impl<T: Worded> Worded for Vec<T> {}
impl<T: Worded> Worded for std::collections::BTreeSet<T> {}
impl<T: Worded, S> Worded for std::collections::HashSet<T, S> {}

/// A default that is published when it can be: `Published(value).value()` finds this method when
/// the value serialises, and that of [`Unpublished`] when it does not.
#[derive(Debug)]
pub struct Published<T>(pub T);

impl<T: Serialize> Published<T> {
    /// The default as JSON.
    #[must_use]
    pub fn value(self) -> Option<Value> {
        serde_json::to_value(self.0).ok()
    }
}

/// A choice that only goes in, and knows how it would be written.
pub trait Mirrored {
    /// The value as JSON.
    fn mirrored(&self) -> Option<Value>;
}

impl<T: Mirrored> Mirrored for Option<T> {
    fn mirrored(&self) -> Option<Value> {
        self.as_ref().map_or(Some(Value::Null), Mirrored::mirrored)
    }
}

impl<T: Mirrored> Mirrored for Vec<T> {
    fn mirrored(&self) -> Option<Value> {
        self.iter().map(Mirrored::mirrored).collect::<Option<Vec<_>>>().map(Value::from)
    }
}

/// A default that does not serialise and knows how it would be written.
pub trait MirroredDefault: Sized {
    /// The default as JSON.
    fn value(self) -> Option<Value>;
}

impl<T: Mirrored> MirroredDefault for Published<T> {
    fn value(self) -> Option<Value> {
        self.0.mirrored()
    }
}

/// A default that cannot be written as JSON; found last, because it takes a reference.
pub trait Unpublished: Sized {
    /// Nothing.
    fn value(self) -> Option<Value> {
        None
    }
}

impl<T> Unpublished for &Published<T> {}
