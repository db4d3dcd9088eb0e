//! The `aqueduct` program: one request to an MCP server, its answer on standard output.
//!
//! It speaks through the official Rust client, so that a daily tool of ours proves that our
//! servers answer clients we did not write.

mod args;
mod argument;
mod connect;
mod failure;
mod print;
mod request;

use std::process::ExitCode;

use clap::Parser as _;

use crate::{args::Args, failure::Failure};

fn main() -> ExitCode {
    let args = match Args::try_parse() {
        Ok(args) => args,
        Err(error) => return print::usage(&error),
    };
    let json = args.json;
    match run(args) {
        Ok(answer) => print::answer(&answer, json),
        Err(failure) => print::failure(&failure, json),
    }
}

fn run(args: Args) -> Result<request::Answer, Failure> {
    let timeout = args.timeout();
    let protocol = args.protocol;
    let (request, target) = args.command.split()?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        let exchange = async {
            let client = connect::connect(target, protocol).await?;
            let answer = request::send(request, &client).await;
            // Closing waits for a stdio server to end, so that nothing outlives this program.
            client.cancel().await.map_err(anyhow::Error::from)?;
            answer
        };
        tokio::time::timeout(timeout, exchange).await.map_err(|_| {
            Failure::Transport(anyhow::anyhow!("no answer within {} seconds", timeout.as_secs()))
        })?
    })
}
