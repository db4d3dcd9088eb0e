//! Variables into the struct that a handler takes, by serde.

use std::fmt;

use serde::de::value::{MapDeserializer, SeqDeserializer, StrDeserializer};
use serde::de::{self, DeserializeOwned, DeserializeSeed, IntoDeserializer, MapAccess, Visitor};
use serde::forward_to_deserialize_any;

use super::variables::{Entry, Value, Variables};

/// Why the variables of a URI do not fit a type; the message names the variable.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DecodeError {
    variable: Option<String>,
    message: String,
}

impl DecodeError {
    /// The variable whose value does not fit, if it is one.
    #[must_use]
    pub fn variable(&self) -> Option<&str> {
        self.variable.as_deref()
    }

    fn of(mut self, variable: &str) -> Self {
        self.variable.get_or_insert_with(|| variable.to_owned());
        self
    }
}

impl fmt::Display for DecodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.variable {
            Some(variable) => write!(f, "variable `{variable}`: {}", self.message),
            None => f.write_str(&self.message),
        }
    }
}

impl std::error::Error for DecodeError {}

impl de::Error for DecodeError {
    fn custom<T: fmt::Display>(message: T) -> Self {
        Self { variable: None, message: message.to_string() }
    }

    fn missing_field(field: &'static str) -> Self {
        Self { variable: Some(field.to_owned()), message: "the URI gives it no value".to_owned() }
    }

    fn unknown_field(field: &str, expected: &'static [&'static str]) -> Self {
        let message = format!("there is no field for it, only for {}", expected.join(", "));
        Self { variable: Some(field.to_owned()), message }
    }
}

impl Variables {
    /// The variables as a struct: one field a variable, text parsed into numbers, booleans,
    /// characters and unit variants, lists into sequences, absent variables into `None`.
    ///
    /// ```
    /// # #[derive(serde::Deserialize, PartialEq, Debug)]
    /// struct Item {
    ///     id: u32,
    ///     page: Option<u32>,
    ///     tag: Vec<String>,
    /// }
    ///
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let template: aqueduct::uri::UriTemplate = "shop://items/{id}{?page,tag*}".parse()?;
    /// let variables = template.matches("shop://items/7?tag=red&tag=new")?.unwrap_or_default();
    ///
    /// let item: Item = variables.decode()?;
    /// assert_eq!(item, Item { id: 7, page: None, tag: vec!["red".into(), "new".into()] });
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// When a field has no variable, or a value is not of the type of its field.
    pub fn decode<T: DeserializeOwned>(&self) -> Result<T, DecodeError> {
        T::deserialize(Top(self))
    }
}

struct Top<'a>(&'a Variables);

impl<'de> de::Deserializer<'de> for Top<'_> {
    type Error = DecodeError;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        visitor.visit_map(Entries { entries: self.0.entries().iter(), current: None })
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        visitor.visit_some(self)
    }

    fn deserialize_unit<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        visitor.visit_unit()
    }

    fn deserialize_unit_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        visitor: V,
    ) -> Result<V::Value, DecodeError> {
        visitor.visit_unit()
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        visitor: V,
    ) -> Result<V::Value, DecodeError> {
        visitor.visit_newtype_struct(self)
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf
        seq tuple tuple_struct map struct enum identifier ignored_any
    }
}

struct Entries<'a> {
    entries: std::slice::Iter<'a, Entry>,
    current: Option<&'a Entry>,
}

impl<'de> MapAccess<'de> for Entries<'_> {
    type Error = DecodeError;

    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, DecodeError> {
        self.current = self.entries.next();
        let Some(entry) = self.current else { return Ok(None) };
        seed.deserialize(StrDeserializer::new(&entry.name)).map(Some)
    }

    fn next_value_seed<S: DeserializeSeed<'de>>(
        &mut self,
        seed: S,
    ) -> Result<S::Value, DecodeError> {
        let Some(entry) = self.current else {
            return Err(de::Error::custom("a value was asked for before its name"));
        };
        seed.deserialize(Node::of(entry)).map_err(|error: DecodeError| error.of(&entry.name))
    }
}

/// The value of one variable, or an item of one.
#[derive(Clone, Copy)]
enum Node<'a> {
    One(&'a str),
    Many { items: &'a [String], joined: Option<&'a str> },
    Pairs(&'a [(String, String)]),
}

impl<'a> Node<'a> {
    fn of(entry: &'a Entry) -> Self {
        match &entry.value {
            Value::Text(text) => Self::One(text),
            Value::List(items) => Self::Many { items, joined: entry.joined.as_deref() },
            Value::Pairs(pairs) => Self::Pairs(pairs),
        }
    }

    fn text(self, expected: &str) -> Result<&'a str, DecodeError> {
        match self {
            Self::One(text) | Self::Many { joined: Some(text), .. } => Ok(text),
            Self::Many { joined: None, .. } | Self::Pairs(_) => {
                Err(de::Error::custom(format_args!("expected {expected}, found several values")))
            }
        }
    }
}

impl<'de> IntoDeserializer<'de, DecodeError> for Node<'_> {
    type Deserializer = Self;

    fn into_deserializer(self) -> Self {
        self
    }
}

fn parse<T: std::str::FromStr>(text: &str, expected: &str) -> Result<T, DecodeError> {
    // `str::parse` takes `+5`, which nobody means and which `expand` would not write.
    let parsed = if text.starts_with('+') { None } else { text.parse().ok() };
    parsed.ok_or_else(|| de::Error::custom(format_args!("expected {expected}, found {text:?}")))
}

macro_rules! parsed {
    ($($method:ident $visit:ident $expected:literal,)*) => {$(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DecodeError> {
            visitor.$visit(parse(self.text($expected)?, $expected)?)
        }
    )*};
}

impl<'de> de::Deserializer<'de> for Node<'_> {
    type Error = DecodeError;

    parsed! {
        deserialize_bool visit_bool "`true` or `false`",
        deserialize_i8 visit_i8 "a whole number that fits i8",
        deserialize_i16 visit_i16 "a whole number that fits i16",
        deserialize_i32 visit_i32 "a whole number that fits i32",
        deserialize_i64 visit_i64 "a whole number that fits i64",
        deserialize_i128 visit_i128 "a whole number that fits i128",
        deserialize_u8 visit_u8 "a whole number that fits u8",
        deserialize_u16 visit_u16 "a whole number that fits u16",
        deserialize_u32 visit_u32 "a whole number that fits u32",
        deserialize_u64 visit_u64 "a whole number that fits u64",
        deserialize_u128 visit_u128 "a whole number that fits u128",
        deserialize_f32 visit_f32 "a number",
        deserialize_f64 visit_f64 "a number",
        deserialize_char visit_char "one character",
    }

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        match self {
            Self::One(text) => visitor.visit_str(text),
            Self::Many { .. } => self.deserialize_seq(visitor),
            Self::Pairs(_) => self.deserialize_map(visitor),
        }
    }

    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        visitor.visit_str(self.text("one value")?)
    }

    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        self.deserialize_str(visitor)
    }

    fn deserialize_identifier<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        self.deserialize_str(visitor)
    }

    fn deserialize_bytes<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        visitor.visit_bytes(self.text("one value")?.as_bytes())
    }

    fn deserialize_byte_buf<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        self.deserialize_bytes(visitor)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        visitor.visit_some(self)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        visitor: V,
    ) -> Result<V::Value, DecodeError> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _name: &'static str,
        _variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, DecodeError> {
        visitor.visit_enum(self.text("one value")?.into_deserializer())
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        match self {
            Self::One(text) => visit_items(visitor, [Self::One(text)].into_iter()),
            Self::Many { items, .. } => {
                visit_items(visitor, items.iter().map(|item| Self::One(item)))
            }
            Self::Pairs(_) => Err(de::Error::custom("expected a list, found names with values")),
        }
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        let Self::Pairs(pairs) = self else {
            return Err(de::Error::custom("expected names with values"));
        };
        let pairs = pairs.iter().map(|(name, value)| (name.as_str(), Self::One(value)));
        visitor.visit_map(MapDeserializer::new(pairs))
    }

    fn deserialize_tuple<V: Visitor<'de>>(
        self,
        _len: usize,
        visitor: V,
    ) -> Result<V::Value, DecodeError> {
        self.deserialize_seq(visitor)
    }

    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        _len: usize,
        visitor: V,
    ) -> Result<V::Value, DecodeError> {
        self.deserialize_seq(visitor)
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        _fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, DecodeError> {
        self.deserialize_map(visitor)
    }

    forward_to_deserialize_any! { unit unit_struct ignored_any }
}

fn visit_items<'de, 'a, V: Visitor<'de>>(
    visitor: V,
    items: impl Iterator<Item = Node<'a>>,
) -> Result<V::Value, DecodeError> {
    let mut items = SeqDeserializer::new(items);
    let value = visitor.visit_seq(&mut items)?;
    items.end()?;
    Ok(value)
}
