//! The kinds of fields that a form can have.

use serde::de::{self, Deserializer};
use serde::ser::Serializer;
use serde::{Deserialize, Serialize};

use crate::jsonrpc::{RawJson, decoded};
use crate::record::{record, words};

record! {
    /// A field for text.
    #[derive(Default, Eq)]
    #[serde(tag = "type", rename = "string")]
    StringSchema {
        /// Its name for people.
        title: Option<String>,
        /// What goes there.
        description: Option<String>,
        /// The fewest characters.
        min_length: Option<u64>,
        /// The most characters.
        max_length: Option<u64>,
        /// What kind of text.
        format: Option<StringFormat>,
        /// What stands there at first.
        default: Option<String>,
    }
}

words! {
    /// What kind of text a field is for.
    StringFormat {
        /// A day.
        Date = "date",
        /// A moment.
        DateTime = "date-time",
        /// A mail address.
        Email = "email",
        /// An address on the web or elsewhere.
        Uri = "uri",
    }
}

record! {
    /// A field for a number.
    NumberSchema {
        /// Whether it may have a fraction.
        #[serde(rename = "type")]
        kind: NumberKind,
        /// Its name for people.
        title: Option<String>,
        /// What goes there.
        description: Option<String>,
        /// The least number.
        #[serde(serialize_with = "crate::number::write_some")]
        minimum: Option<f64>,
        /// The greatest number.
        #[serde(serialize_with = "crate::number::write_some")]
        maximum: Option<f64>,
        /// What stands there at first.
        #[serde(serialize_with = "crate::number::write_some")]
        default: Option<f64>,
    }
}

words! {
    /// Whether a number may have a fraction.
    NumberKind {
        /// It may.
        Number = "number",
        /// It may not.
        Integer = "integer",
    }
}

impl NumberSchema {
    /// A field for a number that may have a fraction.
    #[must_use]
    pub fn number() -> Self {
        Self::new(NumberKind::Number)
    }

    /// A field for a whole number.
    #[must_use]
    pub fn integer() -> Self {
        Self::new(NumberKind::Integer)
    }
}

record! {
    /// A field for yes or no.
    #[derive(Default, Eq)]
    #[serde(tag = "type", rename = "boolean")]
    BooleanSchema {
        /// Its name for people.
        title: Option<String>,
        /// What is asked.
        description: Option<String>,
        /// What stands there at first.
        default: Option<bool>,
    }
}

record! {
    /// A choice, and what people call it.
    #[derive(Eq)]
    EnumOption {
        /// The value.
        #[serde(rename = "const")]
        value: String,
        /// What people call it.
        title: String,
    }
}

record! {
    /// A field for one of several words.
    #[derive(Eq)]
    #[serde(tag = "type", rename = "string")]
    UntitledSingleSelectEnumSchema {
        /// Its name for people.
        title: Option<String>,
        /// What is chosen.
        description: Option<String>,
        /// The words.
        #[serde(rename = "enum")]
        options: Vec<String>,
        /// What is chosen at first.
        default: Option<String>,
    }
}

record! {
    /// A field for one of several choices that have names for people.
    #[derive(Eq)]
    #[serde(tag = "type", rename = "string")]
    TitledSingleSelectEnumSchema {
        /// Its name for people.
        title: Option<String>,
        /// What is chosen.
        description: Option<String>,
        /// The choices.
        #[serde(rename = "oneOf")]
        options: Vec<EnumOption>,
        /// What is chosen at first.
        default: Option<String>,
    }
}

record! {
    /// A field for some of several words.
    #[derive(Eq)]
    #[serde(tag = "type", rename = "array")]
    UntitledMultiSelectEnumSchema {
        /// Its name for people.
        title: Option<String>,
        /// What is chosen.
        description: Option<String>,
        /// The fewest that may be chosen.
        min_items: Option<u64>,
        /// The most that may be chosen.
        max_items: Option<u64>,
        /// The words.
        items: UntitledItems,
        /// What is chosen at first.
        default: Option<Vec<String>>,
    }
}

record! {
    /// The words of an [`UntitledMultiSelectEnumSchema`].
    #[derive(Eq)]
    #[serde(tag = "type", rename = "string")]
    UntitledItems {
        /// The words.
        #[serde(rename = "enum")]
        options: Vec<String>,
    }
}

record! {
    /// A field for some of several choices that have names for people.
    #[derive(Eq)]
    #[serde(tag = "type", rename = "array")]
    TitledMultiSelectEnumSchema {
        /// Its name for people.
        title: Option<String>,
        /// What is chosen.
        description: Option<String>,
        /// The fewest that may be chosen.
        min_items: Option<u64>,
        /// The most that may be chosen.
        max_items: Option<u64>,
        /// The choices.
        items: TitledItems,
        /// What is chosen at first.
        default: Option<Vec<String>>,
    }
}

record! {
    /// The choices of a [`TitledMultiSelectEnumSchema`].
    #[derive(Eq)]
    TitledItems {
        /// The choices.
        #[serde(rename = "anyOf")]
        options: Vec<EnumOption>,
    }
}

record! {
    /// A field for one of several words, as clients before 2025-11-25 know it (deprecated).
    #[derive(Eq)]
    #[serde(tag = "type", rename = "string")]
    LegacyTitledEnumSchema {
        /// Its name for people.
        title: Option<String>,
        /// What is chosen.
        description: Option<String>,
        /// The words.
        #[serde(rename = "enum")]
        options: Vec<String>,
        /// What people call them, in the same order; not JSON Schema.
        enum_names: Option<Vec<String>>,
        /// What is chosen at first.
        default: Option<String>,
    }
}

/// A set of kinds, one of which a field is of.
macro_rules! kinds {
    ($($(#[$about:meta])* $name:ident { $($(#[$doc:meta])* $variant:ident($kind:ident),)+ })+) => {$(
        $(#[$about])*
        #[derive(Clone, Debug, PartialEq)]
        #[non_exhaustive]
        pub enum $name {
            $($(#[$doc])* $variant($kind),)+
        }

        $(impl From<$kind> for $name {
            fn from(kind: $kind) -> Self {
                Self::$variant(kind)
            }
        })+

        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                match self {
                    $(Self::$variant(kind) => kind.serialize(serializer),)+
                }
            }
        }
    )+};
}

kinds! {
    /// A field of a form.
    PrimitiveSchemaDefinition {
        /// For text.
        String(StringSchema),
        /// For a number.
        Number(NumberSchema),
        /// For yes or no.
        Boolean(BooleanSchema),
        /// For a choice.
        Enum(EnumSchema),
    }

    /// A field for a choice.
    EnumSchema {
        /// For one of several.
        SingleSelect(SingleSelectEnumSchema),
        /// For some of several.
        MultiSelect(MultiSelectEnumSchema),
        /// For one of several, as clients before 2025-11-25 know it (deprecated).
        Legacy(LegacyTitledEnumSchema),
    }

    /// A field for one of several.
    SingleSelectEnumSchema {
        /// Words.
        Untitled(UntitledSingleSelectEnumSchema),
        /// Choices that have names for people.
        Titled(TitledSingleSelectEnumSchema),
    }

    /// A field for some of several.
    MultiSelectEnumSchema {
        /// Words.
        Untitled(UntitledMultiSelectEnumSchema),
        /// Choices that have names for people.
        Titled(TitledMultiSelectEnumSchema),
    }
}

/// Lets each kind of choice stand where any field is wanted.
macro_rules! fields {
    ($($kind:ident => $group:ident),+) => {$(
        impl From<$kind> for PrimitiveSchemaDefinition {
            fn from(kind: $kind) -> Self {
                Self::Enum($group::from(kind).into())
            }
        }
    )+};
}

fields!(
    UntitledSingleSelectEnumSchema => SingleSelectEnumSchema,
    TitledSingleSelectEnumSchema => SingleSelectEnumSchema,
    UntitledMultiSelectEnumSchema => MultiSelectEnumSchema,
    TitledMultiSelectEnumSchema => MultiSelectEnumSchema,
    LegacyTitledEnumSchema => EnumSchema
);

/// The members that tell the kinds apart; what stands in them is the kinds' to check.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Shape {
    r#type: String,
    r#enum: Option<de::IgnoredAny>,
    one_of: Option<de::IgnoredAny>,
    enum_names: Option<de::IgnoredAny>,
    items: Option<Items>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Items {
    any_of: Option<de::IgnoredAny>,
}

impl<'de> Deserialize<'de> for PrimitiveSchemaDefinition {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let raw = RawJson::deserialize(deserializer)?;
        let shape: Shape = decoded(&raw)?;
        match (shape.r#type.as_str(), &shape.items) {
            ("boolean", _) => decoded(&raw).map(Self::Boolean),
            ("number" | "integer", _) => decoded(&raw).map(Self::Number),
            ("array", Some(Items { any_of: Some(_) })) => {
                decoded::<TitledMultiSelectEnumSchema, _>(&raw).map(Self::from)
            }
            ("array", _) => decoded::<UntitledMultiSelectEnumSchema, _>(&raw).map(Self::from),
            ("string", _) if shape.one_of.is_some() => {
                decoded::<TitledSingleSelectEnumSchema, _>(&raw).map(Self::from)
            }
            ("string", _) if shape.enum_names.is_some() => {
                decoded::<LegacyTitledEnumSchema, _>(&raw).map(Self::from)
            }
            ("string", _) if shape.r#enum.is_some() => {
                decoded::<UntitledSingleSelectEnumSchema, _>(&raw).map(Self::from)
            }
            ("string", _) => decoded(&raw).map(Self::String),
            _ => Err(de::Error::custom("a field must be a string, number, boolean or choice")),
        }
    }
}

impl<'de> Deserialize<'de> for EnumSchema {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match PrimitiveSchemaDefinition::deserialize(deserializer)? {
            PrimitiveSchemaDefinition::Enum(choice) => Ok(choice),
            _ => Err(de::Error::custom("the field is not a choice")),
        }
    }
}

impl<'de> Deserialize<'de> for SingleSelectEnumSchema {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match EnumSchema::deserialize(deserializer)? {
            EnumSchema::SingleSelect(choice) => Ok(choice),
            _ => Err(de::Error::custom("the field is not a choice of one")),
        }
    }
}

impl<'de> Deserialize<'de> for MultiSelectEnumSchema {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match EnumSchema::deserialize(deserializer)? {
            EnumSchema::MultiSelect(choice) => Ok(choice),
            _ => Err(de::Error::custom("the field is not a choice of several")),
        }
    }
}
