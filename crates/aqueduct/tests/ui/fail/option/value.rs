//! Options with values that they do not take.

use aqueduct::prelude::*;

#[tool(name = 5, title, tags = "x", timeout = "soon")] //~ a text in quotes //~ needs a value: `title = …` //~ `tags(…, …)` //~ "soon" is no time
async fn a() {}

#[tool(read_only = 1, destructive("x"), idempotent = false)] //~ write `read_only` //~ write `destructive` //~ leave it out
async fn b() {}

#[tool(read_only, destructive)] //~ destroys nothing; keep one
async fn c() {}

#[tool(name = "two words")] //~ call it "two_words"
async fn d() {}

#[tool(name = "")] //~ the name is empty
async fn e() {}

#[tool(icon = "http://example.com/i.png")] //~ `https:` and `data:` addresses only
async fn f() {}

#[tool(title = "a", title = "b")] //~ `title` is said twice
async fn g() {}

#[tool("A description")] //~ a description is a doc comment
async fn h() {}

#[tool(name: "x")] //~ an option is written `name` or `name = …`
async fn i() {}

#[tool(read_only title = "x")] //~ an option is written `read_only` or `read_only = …`
async fn j() {}

#[tool(title = )] //~ lacks its value
async fn k() {}

#[tool(ui = "https://a/b")] //~ is no address of a page
async fn page() {}

#[tool(app_only, model_only)] //~ leave both out
async fn both() {}

#[tool(rename_all = "shouting")] //~ no way to spell names is called "shouting"
async fn l() {}

#[tool(timeout = "0s")] //~ no call ends in no time
async fn m() {}

fn main() {
    let _ = list![a, b, c, d, e, f, g, h, i, j, k, l, m];
}
