//! The parameters of a marked function that the caller of the tool fills in.

use std::any::type_name;
use std::borrow::Cow;
use std::marker::PhantomData;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::Deserialize;
use serde::de::{DeserializeOwned, Deserializer, Error, MapAccess};

use super::Fields;
use super::decode::{Missing, Reader, Value};
use crate::context::Context;
use crate::extract::{Args, Extract, Needs, Rejection};

/// A type whose values come from the caller.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be an argument of a tool, a prompt or a resource",
    label = "cannot be read from the arguments of a call",
    note = "mark a type of your own with `#[args]`, or derive `Deserialize` and `JsonSchema` of \
            `aqueduct::schemars` for it",
    note = "a value that does not come from the caller is `State<T>`, `Context`, `Headers`, \
            `Extension<T>`, `Handles` or `Principal`, and in a completer `Prefix` or `Settled`; mark an extractor of your own with `#[extract]`"
)]
pub trait Argument: Sized {
    /// Decodes a value.
    ///
    /// # Errors
    /// When it is not of this type.
    fn decode<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error>;

    /// The schema of all values.
    fn schema(generator: &mut SchemaGenerator) -> Schema;
}

// The two are no supertraits, because then the compiler would name each of them that is missing
// instead of what `Argument` says.
#[diagnostic::do_not_recommend]
impl<T: DeserializeOwned + JsonSchema> Argument for T {
    fn decode<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        T::deserialize(deserializer)
    }

    fn schema(generator: &mut SchemaGenerator) -> Schema {
        generator.subschema_for::<T>()
    }
}

/// One parameter.
pub trait Parameter {
    /// Its type, made owned.
    type Value: Argument;
}

/// The parameters of one function.
pub trait Arguments: Sized {
    /// The values, in the order of the parameters.
    type Values;

    /// What the function is called, for the schema.
    const NAME: &'static str;

    /// The names on the wire.
    const NAMES: &'static [&'static str];

    /// The place of a name among [`Self::NAMES`].
    fn place(name: &str) -> Option<Place>;

    /// All slots, empty.
    fn empty() -> Self;

    /// Reads the value that comes next into its slot.
    ///
    /// # Errors
    /// When it is not of the parameter's type, or the second of its name.
    fn read<'de, A: MapAccess<'de>>(&mut self, place: Place, map: &mut A) -> Result<(), A::Error>;

    /// The values, with what is missing replaced by defaults.
    ///
    /// # Errors
    /// When a parameter is missing that must be there.
    fn finish<E: Error>(self) -> Result<Self::Values, E>;

    /// Describes the parameters.
    fn describe(fields: &mut Fields<'_>);
}

/// Which of the parameters, counted from 0.
pub type Place = usize;

/// A parameter's value while the arguments are being read.
pub struct Slot<P: Parameter>(Option<P::Value>);

impl<P: Parameter> Slot<P> {
    /// Nothing yet.
    #[must_use]
    pub const fn empty() -> Self {
        Self(None)
    }

    /// Reads the value.
    ///
    /// # Errors
    /// When it is not of the parameter's type, or the second of its name.
    pub fn read<'de, A: MapAccess<'de>>(
        &mut self,
        name: &'static str,
        map: &mut A,
    ) -> Result<(), A::Error> {
        if self.0.is_some() {
            return Err(A::Error::duplicate_field(name));
        }
        self.0 = Some(map.next_value_seed(Value::<P>(PhantomData))?);
        Ok(())
    }

    /// The value, or what the type makes of a missing one: `None` for an `Option`.
    ///
    /// # Errors
    /// When it is missing and the type makes nothing of that.
    pub fn required<E: Error>(self, name: &'static str) -> Result<P::Value, E> {
        match self.0 {
            Some(value) => Ok(value),
            None => P::Value::decode(Missing::new(name)),
        }
    }

    /// The value, or a default.
    pub fn or_else(self, default: impl FnOnce() -> P::Value) -> P::Value {
        self.0.unwrap_or_else(default)
    }
}

impl<P: Parameter> std::fmt::Debug for Slot<P> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Slot")
    }
}

/// The arguments of a call, read.
pub struct Given<A: Arguments>(pub A::Values);

impl<A: Arguments> std::fmt::Debug for Given<A> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Given")
    }
}

impl<A: Arguments> Extract for Given<A> {
    fn describe(needs: &mut Needs) {
        Args::<Self>::describe(needs);
    }

    fn extract(ctx: &Context) -> Result<Self, Rejection> {
        Args::extract(ctx).map(|Args(given)| given)
    }
}

impl<'de, A: Arguments> Deserialize<'de> for Given<A> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let reader = Reader::<A>(PhantomData);
        deserializer.deserialize_struct(A::NAME, A::NAMES, reader).map(Self)
    }
}

impl<A: Arguments> JsonSchema for Given<A> {
    fn schema_name() -> Cow<'static, str> {
        A::NAME.into()
    }

    fn schema_id() -> Cow<'static, str> {
        type_name::<A>().into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let mut fields = Fields::new(generator);
        A::describe(&mut fields);
        fields.finish()
    }
}
