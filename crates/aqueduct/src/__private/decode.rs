//! How the arguments of a call are read into slots, in one pass.

use std::fmt;
use std::marker::PhantomData;

use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, Visitor};
use serde::forward_to_deserialize_any;

use super::{Argument, Arguments, Parameter, Place};

/// Reads all arguments.
pub(super) struct Reader<A>(pub(super) PhantomData<A>);

impl<'de, A: Arguments> Visitor<'de> for Reader<A> {
    type Value = A::Values;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the arguments of {}, by name", A::NAME)
    }

    fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<A::Values, M::Error> {
        let mut slots = A::empty();
        while let Some(place) = map.next_key_seed(Name::<A>(PhantomData))? {
            slots.read(place, &mut map)?;
        }
        slots.finish()
    }
}

/// Reads the name of one argument.
struct Name<A>(PhantomData<A>);

impl<'de, A: Arguments> DeserializeSeed<'de> for Name<A> {
    type Value = Place;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Place, D::Error> {
        deserializer.deserialize_identifier(self)
    }
}

impl<A: Arguments> Visitor<'_> for Name<A> {
    type Value = Place;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the name of an argument")
    }

    fn visit_str<E: Error>(self, name: &str) -> Result<Place, E> {
        A::place(name).ok_or_else(|| E::unknown_field(name, A::NAMES))
    }
}

/// Reads the value of one argument.
pub(super) struct Value<P>(pub(super) PhantomData<P>);

impl<'de, P: Parameter> DeserializeSeed<'de> for Value<P> {
    type Value = P::Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<P::Value, D::Error> {
        P::Value::decode(deserializer)
    }
}

/// Stands for a value that is not there.
pub(super) struct Missing<E> {
    name: &'static str,
    error: PhantomData<E>,
}

impl<E> Missing<E> {
    pub(super) const fn new(name: &'static str) -> Self {
        Self { name, error: PhantomData }
    }
}

impl<'de, E: Error> Deserializer<'de> for Missing<E> {
    type Error = E;

    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, E> {
        Err(E::missing_field(self.name))
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, E> {
        visitor.visit_none()
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf
        unit unit_struct newtype_struct seq tuple tuple_struct map struct enum identifier
        ignored_any
    }
}
