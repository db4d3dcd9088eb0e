// Written by `UPDATE=1 cargo test -p aqueduct-macros`.

#[allow(clippy::too_many_arguments)]
/// Wrong in several places.
async fn wrong<T>((a, b): (u8, u8), n: u8, good: String) -> &str {
    "x"
}
::core::compile_error! {
    "`#[tool]` has no option `readonly`; did you mean `read_only`?"
}
::core::compile_error! {
    "\"soon\" is no time; write `\"500ms\"`, `\"30s\"`, `\"5m\"` or `\"1h\"`"
}
::core::compile_error! {
    "a tool is one function and cannot be generic; write out the types"
}
::core::compile_error! {
    "what is returned outlives the call and cannot borrow from it; return `String` for `&str`, or say `&'static str`"
}
::core::compile_error! {
    "an argument needs a name; take it apart inside of the function (patterns such as `State(db): State<Db>` are for extractors)"
}
::core::compile_error! {
    "`#[arg]` has no option `rang`; did you mean `range`?"
}
#[doc(hidden)]
#[allow(non_camel_case_types, dead_code, missing_debug_implementations)]
struct wrong {}
const _: () = {
    #[automatically_derived]
    impl ::aqueduct::__private::Listed for wrong {
        type Item = ::aqueduct::__private::Tool;
        fn item() -> ::aqueduct::__private::Tool {
            ::aqueduct::__private::Tool::new("wrong")
        }
    }
};
