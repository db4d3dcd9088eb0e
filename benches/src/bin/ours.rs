//! The same three requests on Aqueduct, written as a user writes a server.

use aqueduct::prelude::*;
use aqueduct::server::Run;
use benches::{Failure, surface};

/// Gives back the text that it was given.
#[tool]
async fn echo(text: String) -> String {
    text
}

/// What the tools take that are only listed.
#[args]
struct Filler {
    /// What to look at
    text: String,
    /// How far to go
    limit: Option<u32>,
}

/// A tool that makes the list as long as the figures want it.
fn filler(index: usize) -> Tool {
    Tool::new(surface::filler_name(index)).description(surface::filler_description(index)).handler(
        |Args(filler): Args<Filler>| async move {
            let limit = filler.limit.unwrap_or(u32::MAX).try_into().unwrap_or(usize::MAX);
            filler.text.chars().take(limit).collect::<String>()
        },
    )
}

fn main() -> Result<(), Failure> {
    let (run, rest) = Run::parse(std::env::args_os().skip(1))?;
    let tools = match rest.as_slice() {
        [] => surface::TOOLS,
        [flag, number] if flag == "--tools" => number.parse()?,
        other => return Err(format!("not known: {other:?}").into()),
    };
    let text = surface::text();
    let resource = Resource::new(surface::URI, "text")
        .mime_type("text/plain")
        .handler(|text: State<String>| async move { text.to_string() });
    let server = Server::new(surface::SERVER_NAME, surface::SERVER_VERSION)
        .tools(list![echo])
        .tools((1..tools).map(filler))
        // One page, as the bare server has it.
        .page_size(tools)
        .state(text)
        .resource(resource);
    // One thread, as the bare server has it.
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    Ok(runtime.block_on(server.run_with(run))?)
}
