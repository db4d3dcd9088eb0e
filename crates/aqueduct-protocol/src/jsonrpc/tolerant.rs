//! Lets a raw value be read from what serde buffers, where `serde_json` alone cannot.

use std::fmt;
use std::iter;

use serde::de::value::MapDeserializer;
use serde::de::{Deserialize, Deserializer, Error, MapAccess, Visitor};
use serde::forward_to_deserialize_any;
use serde_json::Value;

/// A deserializer that a `RawValue` can be read from even when it is not `serde_json`'s own.
///
/// `serde_json` hands the raw text over as a newtype struct with a name of its own.
/// Every other deserializer just offers its value; that is written as text and handed over in the
/// same way.
pub(super) struct Tolerant<D>(pub(super) D);

impl<'de, D: Deserializer<'de>> Deserializer<'de> for Tolerant<D> {
    type Error = D::Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, D::Error> {
        self.0.deserialize_any(visitor)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, D::Error> {
        self.0.deserialize_newtype_struct(name, Either { name, visitor })
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option
        unit unit_struct seq tuple tuple_struct map struct enum identifier ignored_any
    }
}

/// The visitor of a `RawValue`, and the name it is asked for by.
struct Either<V> {
    name: &'static str,
    visitor: V,
}

impl<'de, V: Visitor<'de>> Visitor<'de> for Either<V> {
    type Value = V::Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.visitor.expecting(f)
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<V::Value, A::Error> {
        self.visitor.visit_map(map)
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, inner: D) -> Result<V::Value, D::Error> {
        let text = Value::deserialize(inner)?.to_string();
        self.visitor
            .visit_map(MapDeserializer::<_, serde_json::Error>::new(iter::once((self.name, text))))
            .map_err(D::Error::custom)
    }
}
