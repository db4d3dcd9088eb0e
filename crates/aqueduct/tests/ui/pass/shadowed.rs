//! A user may call his own things as the standard library calls its.

#![expect(dead_code, reason = "the names are there to be in the way")]

use aqueduct::prelude::{Server, args, list, output, prompt, resource, tool, tools};

type String = std::string::String;
type Vec = ();
type Result<T> = std::result::Result<T, aqueduct::ToolError>;
struct None;
trait From {}
trait Default {}
trait Into {}
mod std_ {}
mod core {}
mod aqueduct_ {}

#[args]
struct Arguments {
    #[arg(default = 3, range = 1..=4)]
    n: u8,
}

#[output]
struct Tool {
    n: u8,
}

#[tool(read_only, timeout = "3s", tags("a"), requires(roots))]
async fn add(#[arg(default = 1, range = 1..=4)] a: u8, arguments: Arguments) -> String {
    format!("{a}{}", arguments.n)
}

#[prompt]
async fn ask(#[arg(default = "x")] field: String, __a0: Option<u8>) -> Result<String> {
    Ok(format!("{field}{__a0:?}"))
}

#[resource("a://{place}")]
async fn read(place: String) -> String {
    place
}

struct Group;

#[tools]
impl Group {
    #[tool]
    async fn this(&self, this: u8) -> String {
        this.to_string()
    }
}

fn main() {
    let server = Server::new("test", "1").tools(list![add]).prompts(list![ask]);
    drop(server.resources(list![read]).tools(Group.into_tools()));
}
