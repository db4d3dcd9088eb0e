// Written by `UPDATE=1 cargo test -p aqueduct-macros`.

#[derive(
    ::aqueduct::__private::serde::Deserialize,
    ::aqueduct::__private::schemars::JsonSchema
)]
#[serde(crate = "::aqueduct::__private::serde", deny_unknown_fields)]
#[schemars(crate = "::aqueduct::__private::schemars")]
/// A page.
struct Page<T: Clone> {
    /// How many
    #[serde(default = "Page::<T>::__default0")]
    #[schemars(
        transform = |schema:&mut::aqueduct::__private::Schema|{let
        mut
        field = ::aqueduct::__private::rules::<u32>(
            schema
        );field.range(
            ::core::option::Option::Some(1),
            ::core::option::Option::Some(100)
        );field.default(
            {#[allow(unused_imports)]use::aqueduct::__private::{MirroredDefault
            as
            _,
            Unpublished
            as
            _};::aqueduct::__private::Published(Page::<T>::__default0()).value()}
        );}
    )]
    size: u32,
    #[serde(rename = "sort-by")]
    #[schemars(
        transform = |schema:&mut::aqueduct::__private::Schema|{let
        mut
        field = ::aqueduct::__private::rules::<Option<T>>(
            schema
        );field.values(&["name", "age"]);}
    )]
    sort_by: Option<T>,
}
#[automatically_derived]
impl<T: Clone> Page<T> {
    fn __default0() -> u32 {
        20
    }
}
#[derive(
    ::aqueduct::__private::serde::Serialize,
    ::aqueduct::__private::schemars::JsonSchema
)]
#[serde(crate = "::aqueduct::__private::serde", rename_all = "camelCase")]
#[schemars(crate = "::aqueduct::__private::schemars")]
#[derive(Debug)]
struct Hit {
    book_title: String,
}
#[derive(
    ::aqueduct::__private::serde::Deserialize,
    ::aqueduct::__private::serde::Serialize,
    ::aqueduct::__private::schemars::JsonSchema
)]
#[serde(crate = "::aqueduct::__private::serde", deny_unknown_fields)]
#[schemars(crate = "::aqueduct::__private::schemars")]
enum Both {
    One,
    Two {
        #[serde(default = "Both::__default0")]
        #[schemars(
            transform = |schema:&mut::aqueduct::__private::Schema|{let
            mut
            field = ::aqueduct::__private::rules::<u8>(
                schema
            );field.default(
                {#[allow(unused_imports)]use::aqueduct::__private::{MirroredDefault
                as
                _,
                Unpublished
                as
                _};::aqueduct::__private::Published(Both::__default0()).value()}
            );}
        )]
        n: u8,
    },
}
#[automatically_derived]
impl Both {
    fn __default0() -> u8 {
        ::core::default::Default::default()
    }
}
