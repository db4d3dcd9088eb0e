// Written by `UPDATE=1 cargo test -p aqueduct-macros`.

#[allow(clippy::too_many_arguments)]
fn ping() {}
#[doc(hidden)]
#[allow(non_camel_case_types, dead_code, missing_debug_implementations)]
struct ping {}
const _: () = {
    #[automatically_derived]
    impl ::aqueduct::__private::Listed for ping {
        type Item = ::aqueduct::__private::Tool;
        fn item() -> ::aqueduct::__private::Tool {
            ::aqueduct::__private::Tool::new("ping")
                .handler(
                    ::aqueduct::__private::handled(|
                        ::aqueduct::__private::Nothing: ::aqueduct::__private::Nothing|
                    async move { ping() }),
                )
        }
    }
};
