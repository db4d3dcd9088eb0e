//! Types that are no answer.

use aqueduct::prelude::*;

struct Plain;

#[tool]
async fn value() -> Plain { //~ wrap a value that serialises in `Json(…)`
    Plain
}

#[tool]
async fn result() -> Result<Plain> { //~ cannot become a tool's result
    Ok(Plain)
}

#[tool]
async fn both() -> Result<Plain, ToolError> { //~ cannot become a tool's result
    Ok(Plain)
}

#[tool]
async fn number() -> u32 { //~ wrap a value that serialises in `Json(…)`
    1
}

#[tool]
async fn hidden() -> Json<Plain> { //~ mark a type of your own with `#[output]`
    Json(Plain)
}

#[prompt]
async fn prompt() -> Plain { //~ return text (one message of the user)
    Plain
}

#[resource("plain://plain")]
async fn resource() -> Plain { //~ bytes (they are sent as base64)
    Plain
}

fn main() {
    let _ = (list![value, result, both, number, hidden], list![prompt], list![resource]);
}
