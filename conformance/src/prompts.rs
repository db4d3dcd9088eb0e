//! The prompts that the suite asks for, and those of the faults.

use aqueduct::prelude::*;
use aqueduct::reply;
use aqueduct::resource::ResourceContents;
use aqueduct::schemars::JsonSchema;
use serde::Deserialize;

use crate::tools::PNG;

/// All of them, in the order in which they are listed.
pub(crate) fn all() -> Vec<Prompt> {
    vec![simple(), with_arguments(), with_resource(), with_image(), review(), hello()]
}

fn simple() -> Prompt {
    Prompt::new("test_simple_prompt")
        .description("A prompt without arguments")
        .handler(|| async { "This is a simple prompt for testing." })
}

#[derive(Deserialize, JsonSchema)]
#[schemars(crate = "aqueduct::schemars")]
struct Two {
    /// First test argument
    arg1: String,
    /// Second test argument
    arg2: String,
}

fn with_arguments() -> Prompt {
    Prompt::new("test_prompt_with_arguments")
        .description("A prompt with two arguments")
        .complete_by("arg1", Completer::fixed(["test", "testing", "other"]))
        .handler(|Args(two): Args<Two>| async move {
            format!("Prompt with arguments: arg1='{}', arg2='{}'", two.arg1, two.arg2)
        })
}

#[derive(Deserialize, JsonSchema)]
#[schemars(crate = "aqueduct::schemars")]
struct Embedded {
    /// URI of the resource to embed
    #[serde(rename = "resourceUri")]
    resource_uri: String,
}

fn with_resource() -> Prompt {
    Prompt::new("test_prompt_with_embedded_resource")
        .description("A prompt that holds the contents of a resource")
        .handler(|Args(embedded): Args<Embedded>| async move {
            let text = "Embedded resource content for testing.";
            let contents = ResourceContents::text(embedded.resource_uri, text);
            [
                reply::user(ContentBlock::resource(contents.mime_type("text/plain"))),
                reply::user(reply::text("Please process the embedded resource above.")),
            ]
        })
}

fn with_image() -> Prompt {
    Prompt::new("test_prompt_with_image").description("A prompt that holds a picture").handler(
        || async {
            [
                reply::user(reply::image(PNG, "image/png")),
                reply::user(reply::text("Please analyze the image above.")),
            ]
        },
    )
}

#[derive(Deserialize, JsonSchema)]
#[schemars(crate = "aqueduct::schemars")]
struct Review {
    /// The code to look at
    code: String,
    /// The language that it is written in
    lang: Option<String>,
}

/// Its completer shows what the client has settled already.
fn review() -> Prompt {
    Prompt::new("review")
        .description("Reviews a piece of code")
        .complete("lang", |Settled(settled): Settled, Prefix(typed): Prefix| async move {
            let code = settled.get("code").unwrap_or("nothing").to_owned();
            vec![format!("{typed}rust"), format!("for {code}")]
        })
        .handler(|Args(review): Args<Review>| async move {
            let lang = review.lang.as_deref().unwrap_or("unknown");
            format!("Review this {lang} code:\n{}", review.code)
        })
}

#[derive(Deserialize, JsonSchema)]
#[schemars(crate = "aqueduct::schemars")]
struct Hello {
    who: String,
}

fn hello() -> Prompt {
    Prompt::new("hello").description("Greets somebody").handler(
        |Args(hello): Args<Hello>| async move {
            [reply::user(reply::text(format!("Greet {}", hello.who)))]
        },
    )
}
