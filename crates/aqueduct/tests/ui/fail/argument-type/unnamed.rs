//! Parameters whose types are not written out.

use aqueduct::prelude::*;

#[tool]
async fn any(text: impl Into<String>) {} //~ write out a type, such as `String`

#[tool]
async fn object(text: &dyn ToString) {} //~ write out a type, such as `String`

#[tool]
async fn deep(text: Option<Box<dyn ToString>>) {} //~ write out a type, such as `String`

fn main() {
    let _ = list![any, object, deep];
}
