// Written by `UPDATE=1 cargo test -p aqueduct-macros`.

#[allow(clippy::too_many_arguments)]
/// Search the catalogue.
pub async fn search(
    query: &str,
    limit: u32,
    State(db): State<Db>,
    ctx: &Context,
) -> Result<Json<Vec<Hit>>, Failure> {
    db.search(query, limit).await
}
#[doc(hidden)]
#[allow(non_camel_case_types, dead_code, missing_debug_implementations)]
pub struct search {}
const _: () = {
    struct __P0;
    #[automatically_derived]
    impl ::aqueduct::__private::Parameter for __P0 {
        type Value = ::std::string::String;
    }
    struct __P1;
    #[automatically_derived]
    impl ::aqueduct::__private::Parameter for __P1 {
        type Value = u32;
    }
    fn __default1() -> u32 {
        20
    }
    struct __Arguments {
        p0: ::aqueduct::__private::Slot<__P0>,
        p1: ::aqueduct::__private::Slot<__P1>,
    }
    #[automatically_derived]
    impl ::aqueduct::__private::Arguments for __Arguments {
        type Values = (::std::string::String, u32);
        const NAME: &'static str = "search";
        const NAMES: &'static [&'static str] = &["query", "limit"];
        fn place(name: &str) -> ::core::option::Option<::aqueduct::__private::Place> {
            match name {
                "query" => ::core::option::Option::Some(0usize),
                "limit" => ::core::option::Option::Some(1usize),
                _ => ::core::option::Option::None,
            }
        }
        fn empty() -> Self {
            Self {
                p0: ::aqueduct::__private::Slot::empty(),
                p1: ::aqueduct::__private::Slot::empty(),
            }
        }
        fn read<'de, A: ::aqueduct::__private::MapAccess<'de>>(
            &mut self,
            place: ::aqueduct::__private::Place,
            map: &mut A,
        ) -> ::core::result::Result<(), A::Error> {
            match place {
                0usize => self.p0.read("query", map),
                1usize => self.p1.read("limit", map),
                _ => ::core::result::Result::Ok(()),
            }
        }
        fn finish<E: ::aqueduct::__private::DecodeError>(
            self,
        ) -> ::core::result::Result<Self::Values, E> {
            let values = (self.p0.required("query")?, self.p1.or_else(__default1));
            ::core::result::Result::Ok(values)
        }
        fn describe(fields: &mut ::aqueduct::__private::Fields<'_>) {
            fields
                .add::<
                    __P0,
                >(
                    "query",
                    |field| {
                        field.description("Words to look for");
                    },
                );
            fields
                .add_with_default::<
                    __P1,
                >(
                    "limit",
                    {
                        #[allow(unused_imports)]
                        use ::aqueduct::__private::{
                            MirroredDefault as _, Unpublished as _,
                        };
                        ::aqueduct::__private::Published(__default1()).value()
                    },
                    |field| {
                        field
                            .range(
                                ::core::option::Option::Some(1),
                                ::core::option::Option::Some(100),
                            );
                    },
                );
        }
    }
    struct __X2;
    #[automatically_derived]
    impl ::aqueduct::__private::Takes for __X2 {
        type Value = State<Db>;
    }
    struct __X3;
    #[automatically_derived]
    impl ::aqueduct::__private::Takes for __X3 {
        type Value = Context;
    }
    struct __Returned;
    #[automatically_derived]
    impl ::aqueduct::__private::ToolReturns for __Returned {
        type Value = Json<Vec<Hit>>;
    }
    struct __Failed;
    #[automatically_derived]
    impl ::aqueduct::__private::Fails for __Failed {
        type Error = Failure;
    }
    #[automatically_derived]
    impl ::aqueduct::__private::Listed for search {
        type Item = ::aqueduct::__private::Tool;
        fn item() -> ::aqueduct::__private::Tool {
            ::aqueduct::__private::Tool::new("search")
                .description("Search the catalogue.")
                .tag("books")
                .read_only()
                .timeout(::core::time::Duration::from_millis(30000u64))
                .requires(
                    ::aqueduct::__private::capabilities(
                        &[::aqueduct::__private::Capability::Sampling],
                    ),
                )
                .handler(
                    ::aqueduct::__private::handled(|
                        ::aqueduct::__private::Both(
                            ::aqueduct::__private::Given((__a0, __a1)),
                            ::aqueduct::__private::Both(
                                ::aqueduct::__private::Taken(__a2),
                                ::aqueduct::__private::Both(
                                    ::aqueduct::__private::Taken(__a3),
                                    ::aqueduct::__private::Nothing,
                                ),
                            ),
                        ): ::aqueduct::__private::Both<
                            ::aqueduct::__private::Given<__Arguments>,
                            ::aqueduct::__private::Both<
                                ::aqueduct::__private::Taken<__X2>,
                                ::aqueduct::__private::Both<
                                    ::aqueduct::__private::Taken<__X3>,
                                    ::aqueduct::__private::Nothing,
                                >,
                            >,
                        >|
                    async move {
                        search(&__a0, __a1, __a2, &__a3)
                            .await
                            .map(::aqueduct::__private::ToolAnswer::<__Returned>)
                            .map_err(::aqueduct::__private::failure::<__Failed>)
                    }),
                )
        }
    }
};
