// Written by `UPDATE=1 cargo test -p aqueduct-macros`.

#[allow(clippy::too_many_arguments)]
async fn note(name: String, notes: State<Notes>) -> Result<String> {
    notes.read(&name)
}
#[doc(hidden)]
#[allow(non_camel_case_types, dead_code, missing_debug_implementations)]
struct note {}
const _: () = {
    struct __P0;
    #[automatically_derived]
    impl ::aqueduct::__private::Parameter for __P0 {
        type Value = String;
    }
    struct __Arguments {
        p0: ::aqueduct::__private::Slot<__P0>,
    }
    #[automatically_derived]
    impl ::aqueduct::__private::Arguments for __Arguments {
        type Values = (String,);
        const NAME: &'static str = "note";
        const NAMES: &'static [&'static str] = &["name"];
        fn place(name: &str) -> ::core::option::Option<::aqueduct::__private::Place> {
            match name {
                "name" => ::core::option::Option::Some(0usize),
                _ => ::core::option::Option::None,
            }
        }
        fn empty() -> Self {
            Self {
                p0: ::aqueduct::__private::Slot::empty(),
            }
        }
        fn read<'de, A: ::aqueduct::__private::MapAccess<'de>>(
            &mut self,
            place: ::aqueduct::__private::Place,
            map: &mut A,
        ) -> ::core::result::Result<(), A::Error> {
            match place {
                0usize => self.p0.read("name", map),
                _ => ::core::result::Result::Ok(()),
            }
        }
        fn finish<E: ::aqueduct::__private::DecodeError>(
            self,
        ) -> ::core::result::Result<Self::Values, E> {
            let values = (self.p0.required("name")?,);
            ::core::result::Result::Ok(values)
        }
        fn describe(fields: &mut ::aqueduct::__private::Fields<'_>) {
            fields.add::<__P0>("name", |_| {});
        }
    }
    struct __X1;
    #[automatically_derived]
    impl ::aqueduct::__private::Takes for __X1 {
        type Value = State<Notes>;
    }
    struct __Returned;
    #[automatically_derived]
    impl ::aqueduct::__private::ResourceReturns for __Returned {
        type Value = Result<String>;
    }
    #[automatically_derived]
    impl ::aqueduct::__private::Listed for note {
        type Item = ::aqueduct::__private::AnyResource;
        fn item() -> ::aqueduct::__private::AnyResource {
            ::core::convert::From::from(
                ::aqueduct::__private::ResourceTemplate::new("notes://{name}", "note")
                    .mime_type("text/plain")
                    .cache(::aqueduct::__private::CacheHint::public(60_000))
                    .handler(
                        ::aqueduct::__private::handled(|
                            ::aqueduct::__private::Both(
                                ::aqueduct::__private::Given((__a0,)),
                                ::aqueduct::__private::Both(
                                    ::aqueduct::__private::Taken(__a1),
                                    ::aqueduct::__private::Nothing,
                                ),
                            ): ::aqueduct::__private::Both<
                                ::aqueduct::__private::Given<__Arguments>,
                                ::aqueduct::__private::Both<
                                    ::aqueduct::__private::Taken<__X1>,
                                    ::aqueduct::__private::Nothing,
                                >,
                            >|
                        async move {
                            ::aqueduct::__private::ResourceAnswer::<
                                __Returned,
                            >(note(__a0, __a1).await)
                        }),
                    ),
            )
        }
    }
};
