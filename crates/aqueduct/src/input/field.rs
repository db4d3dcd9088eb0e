//! The types that a field of a form can have.

use aqueduct_protocol::elicitation::{
    BooleanSchema, EnumOption, NumberSchema, PrimitiveSchemaDefinition, StringSchema, TitledItems,
    TitledMultiSelectEnumSchema, TitledSingleSelectEnumSchema,
};

/// A type that a field of a form can have.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a field of a form",
    label = "not a plain value",
    note = "a form is flat: `String`, integers, `f64`, `bool`, an enum marked with `#[form]`, \
            `Vec` of such an enum, and `Option` of these"
)]
pub trait FormField {
    /// May it be left out?
    const OPTIONAL: bool = false;

    /// Its schema, without title and description.
    fn field() -> PrimitiveSchemaDefinition;
}

/// An enum without data, as the values of a choice with their titles; made by `#[form]`.
pub trait Choices {
    /// The values and what people read, in order.
    const CHOICES: &'static [(&'static str, &'static str)];
}

impl FormField for String {
    fn field() -> PrimitiveSchemaDefinition {
        StringSchema::new().into()
    }
}

impl FormField for bool {
    fn field() -> PrimitiveSchemaDefinition {
        BooleanSchema::new().into()
    }
}

macro_rules! numbers {
    ($($kind:ty: $schema:expr;)*) => {$(
        impl FormField for $kind {
            fn field() -> PrimitiveSchemaDefinition {
                $schema.into()
            }
        }
    )*};
}

numbers! {
    f64: NumberSchema::number();
    f32: NumberSchema::number();
    i64: NumberSchema::integer();
    u64: NumberSchema::integer().minimum(0.0);
    usize: NumberSchema::integer().minimum(0.0);
    i32: NumberSchema::integer().minimum(f64::from(i32::MIN)).maximum(f64::from(i32::MAX));
    u32: NumberSchema::integer().minimum(0.0).maximum(f64::from(u32::MAX));
    i16: NumberSchema::integer().minimum(f64::from(i16::MIN)).maximum(f64::from(i16::MAX));
    u16: NumberSchema::integer().minimum(0.0).maximum(f64::from(u16::MAX));
    i8: NumberSchema::integer().minimum(f64::from(i8::MIN)).maximum(f64::from(i8::MAX));
    u8: NumberSchema::integer().minimum(0.0).maximum(f64::from(u8::MAX));
}

fn options<C: Choices>() -> Vec<EnumOption> {
    C::CHOICES.iter().map(|(value, title)| EnumOption::new(*value, *title)).collect()
}

impl<C: Choices> FormField for C {
    fn field() -> PrimitiveSchemaDefinition {
        TitledSingleSelectEnumSchema::new(options::<C>()).into()
    }
}

impl<C: Choices> FormField for Vec<C> {
    fn field() -> PrimitiveSchemaDefinition {
        TitledMultiSelectEnumSchema::new(TitledItems::new(options::<C>())).into()
    }
}

impl<F: FormField> FormField for Option<F> {
    const OPTIONAL: bool = true;

    fn field() -> PrimitiveSchemaDefinition {
        F::field()
    }
}
