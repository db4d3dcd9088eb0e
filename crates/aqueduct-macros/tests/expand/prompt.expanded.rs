// Written by `UPDATE=1 cargo test -p aqueduct-macros`.

#[allow(clippy::too_many_arguments)]
/// Review a piece of code.
async fn review(code: String, language: Option<String>) -> String {
    code
}
#[doc(hidden)]
#[allow(non_camel_case_types, dead_code, missing_debug_implementations)]
struct review {}
const _: () = {
    struct __P0;
    #[automatically_derived]
    impl ::aqueduct::__private::Parameter for __P0 {
        type Value = String;
    }
    struct __P1;
    #[automatically_derived]
    impl ::aqueduct::__private::Parameter for __P1 {
        type Value = Option<String>;
    }
    struct __Arguments {
        p0: ::aqueduct::__private::Slot<__P0>,
        p1: ::aqueduct::__private::Slot<__P1>,
    }
    #[automatically_derived]
    impl ::aqueduct::__private::Arguments for __Arguments {
        type Values = (String, Option<String>);
        const NAME: &'static str = "review";
        const NAMES: &'static [&'static str] = &["code", "language"];
        fn place(name: &str) -> ::core::option::Option<::aqueduct::__private::Place> {
            match name {
                "code" => ::core::option::Option::Some(0usize),
                "language" => ::core::option::Option::Some(1usize),
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
                0usize => self.p0.read("code", map),
                1usize => self.p1.read("language", map),
                _ => ::core::result::Result::Ok(()),
            }
        }
        fn finish<E: ::aqueduct::__private::DecodeError>(
            self,
        ) -> ::core::result::Result<Self::Values, E> {
            let values = (self.p0.required("code")?, self.p1.required("language")?);
            ::core::result::Result::Ok(values)
        }
        fn describe(fields: &mut ::aqueduct::__private::Fields<'_>) {
            fields
                .add::<
                    __P0,
                >(
                    "code",
                    |field| {
                        field.description("The code to look at");
                    },
                );
            fields.add::<__P1>("language", |_| {});
        }
    }
    struct __Returned;
    #[automatically_derived]
    impl ::aqueduct::__private::PromptReturns for __Returned {
        type Value = String;
    }
    #[automatically_derived]
    impl ::aqueduct::__private::Listed for review {
        type Item = ::aqueduct::__private::Prompt;
        fn item() -> ::aqueduct::__private::Prompt {
            ::aqueduct::__private::Prompt::new("review")
                .title("Review")
                .description("Review a piece of code.")
                .complete("language", languages)
                .handler(
                    ::aqueduct::__private::handled(|
                        ::aqueduct::__private::Both(
                            ::aqueduct::__private::Given((__a0, __a1)),
                            ::aqueduct::__private::Nothing,
                        ): ::aqueduct::__private::Both<
                            ::aqueduct::__private::Given<__Arguments>,
                            ::aqueduct::__private::Nothing,
                        >|
                    async move {
                        ::aqueduct::__private::PromptAnswer::<
                            __Returned,
                        >(review(__a0, __a1).await)
                    }),
                )
        }
    }
};
