//! `#[prompt]`.

use aqueduct::prelude::*;
use aqueduct::reply::{assistant, user};
use aqueduct::testing::{TestClient, TestError};
use serde_json::json;

use super::{client, only};

/// How hard to look.
#[args(rename_all = "lowercase")]
enum Depth {
    Quick,
    Deep,
}

async fn languages(Prefix(typed): Prefix, names: State<Vec<String>>) -> Vec<String> {
    names.iter().filter(|name| name.starts_with(&typed)).cloned().collect()
}

/// Review a piece of code.
#[prompt(title = "Review", icon = "https://example.com/review.png")]
async fn review(
    /// The code to look at
    code: String,
    /// What it is written in
    #[arg(title = "Language", complete = languages)]
    language: Option<String>,
    #[arg(default = 3)] points: u8,
    strict: Option<bool>,
    depth: Option<Depth>,
    ctx: Context,
) -> Result<Vec<PromptMessage>> {
    let depth = match depth {
        Some(Depth::Deep) => "deep",
        Some(Depth::Quick) | None => "quick",
    };
    let text = format!("{code} {language:?} {points} {strict:?} {depth} {}", ctx.is_cancelled());
    Ok(vec![user(ContentBlock::text(text)), assistant(ContentBlock::text("Well."))])
}

fn reviewer() -> TestClient {
    let names: Vec<String> = ["rust", "ruby", "go"].map(str::to_owned).into();
    client(Server::new("test", "1").state(names).prompts(list![review]))
}

#[tokio::test]
async fn a_prompt_is_listed() {
    let answer = reviewer().request("prompts/list", json!({})).await.unwrap();
    let prompt = &answer.result["prompts"][0];
    assert_eq!(prompt["name"], "review");
    assert_eq!(prompt["title"], "Review");
    assert_eq!(prompt["description"], "Review a piece of code.");
    assert_eq!(prompt["icons"][0]["src"], "https://example.com/review.png");
    let argument = |name: &str| {
        let arguments = prompt["arguments"].as_array().unwrap();
        arguments.iter().find(|argument| argument["name"] == name).unwrap()
    };
    assert_eq!(
        *argument("code"),
        json!({ "name": "code", "description": "The code to look at", "required": true })
    );
    assert_eq!(
        *argument("language"),
        json!({ "name": "language", "title": "Language", "description": "What it is written in" })
    );
    for name in ["points", "strict", "depth"] {
        assert_eq!(argument(name)["required"], json!(null), "{name}");
    }
}

#[tokio::test]
async fn texts_become_the_types_of_the_parameters() {
    let get = async |arguments: &[(&str, &str)]| {
        let pairs = arguments.iter().map(|(name, value)| ((*name).into(), (*value).into()));
        let result = reviewer().get_prompt("review", pairs.collect()).await?;
        let result = serde_json::to_value(result).unwrap();
        Ok::<_, TestError>(result["messages"][0]["content"]["text"].as_str().unwrap().to_owned())
    };
    assert_eq!(get(&[("code", "x")]).await.unwrap(), "x None 3 None quick false");
    let all =
        [("code", "7"), ("language", "go"), ("points", "5"), ("strict", "true"), ("depth", "deep")];
    assert_eq!(get(&all).await.unwrap(), r#"7 Some("go") 5 Some(true) deep false"#);
    let refused = get(&[("code", "x"), ("points", "many")]).await.unwrap_err();
    assert!(refused.to_string().contains("points"), "{refused}");
    let refused = get(&[]).await.unwrap_err();
    assert!(refused.to_string().contains("code"), "{refused}");
}

#[tokio::test]
async fn an_argument_is_completed() {
    let params = json!({
        "ref": { "type": "ref/prompt", "name": "review" },
        "argument": { "name": "language", "value": "ru" },
    });
    let answer = reviewer().request("completion/complete", params).await.unwrap();
    assert_eq!(answer.result["completion"]["values"], json!(["rust", "ruby"]));
}

#[prompt(name = "hello", description = "Greet")]
fn plain() -> &'static str {
    "Say hello"
}

#[tokio::test]
async fn a_prompt_may_take_nothing() {
    let test = client(Server::new("test", "1").prompt(only(list![plain])));
    let result = test.get_prompt("hello", [].into()).await.unwrap();
    assert_eq!(serde_json::to_value(result).unwrap()["messages"][0]["role"], "user");
}
