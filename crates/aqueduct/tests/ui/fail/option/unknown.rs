//! Options that there are not.

use aqueduct::prelude::*;

#[tool(readonly, desc = "x", colour = "red")] //~ did you mean `read_only`? //~ did you mean `description`? //~ it takes `read_only`, `destructive`
async fn tool(
    #[arg(dflt = 1, ranges = 1..)] n: u8, //~ `#[arg]` has no option `dflt` //~ did you mean `range`?
) {
}

#[prompt(titel = "x", read_only)] //~ did you mean `title`? //~ `#[prompt]` has no option `read_only`
async fn prompt() -> String {
    String::new()
}

#[resource("a://b", mime = "text/plain")] //~ did you mean `mime_type`?
async fn resource() -> String {
    String::new()
}

struct Group;

#[tools(prefixes = "x")] //~ did you mean `prefix`?
impl Group {
    #[tool(requires(elicit, flying))] //~ did you mean `elicitation`? //~ there are `elicitation`
    async fn method(&self) {}
}

#[args(rename = "x")] //~ did you mean `rename_all`?
struct Args1 {
    n: u8,
}

fn main() {
    let _ = (list![tool], list![prompt], list![resource]);
}
