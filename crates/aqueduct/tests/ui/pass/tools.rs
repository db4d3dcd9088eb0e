//! Tools in all forms, under lints that warn about what a macro could leave behind.

#![warn(
    missing_debug_implementations,
    missing_docs,
    rust_2018_idioms,
    single_use_lifetimes,
    trivial_casts,
    unnameable_types,
    unreachable_pub,
    unused_lifetimes,
    unused_qualifications
)]

use std::borrow::Cow;

use aqueduct::prelude::*;

/// A module whose items are seen from outside.
pub mod public {
    use aqueduct::prelude::*;

    /// A point.
    #[derive(Debug)]
    #[args]
    pub struct Point {
        /// Across
        #[arg(default = 1, range = 0..=9)]
        pub x: u8,
    }

    /// A tool that is seen from outside.
    #[tool]
    pub async fn seen(
        /// Where
        point: Point,
        #[arg(default, length = ..4)] list: Vec<u8>,
    ) -> Json<u8> {
        Json(point.x.saturating_add(list.len() as u8))
    }
}

mod private {
    use aqueduct::prelude::*;

    #[tool]
    pub(crate) fn inner(text: &str, _unused: Option<u8>) -> String {
        text.to_owned()
    }

    #[derive(Debug, Default)]
    pub(crate) struct Group;

    #[tools]
    impl Group {
        #[tool]
        async fn method(&self) {}

        #[prompt]
        fn prompt(&self) -> &'static str {
            "x"
        }
    }
}

#[tool]
async fn many(
    a: u8,
    b: u8,
    c: u8,
    d: u8,
    e: u8,
    f: u8,
    g: u8,
    h: u8,
    i: Cow<'_, str>,
    mut j: String,
    ctx: &Context,
) -> Result<String> {
    let _ = ctx;
    j.push_str(&i);
    Ok(format!("{}{j}", a + b + c + d + e + f + g + h))
}

fn main() {
    let tools = list![public::seen, private::inner, many];
    let group = std::sync::Arc::new(private::Group);
    let server = Server::new("test", "1").tools(tools).tools(group.to_tools());
    drop(server.prompts(group.to_prompts()));
}
