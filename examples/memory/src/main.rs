//! The program: reads the command line, opens the memory and serves it.

use std::process::ExitCode;

use memory::{
    cli::{self, Command},
    store::Memory,
};

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            cli::complain(&*error);
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<(), Box<dyn std::error::Error>> {
    let options = match cli::command()? {
        Command::Help => return Ok(cli::show(cli::HELP)?),
        Command::Version => return Ok(cli::show(cli::VERSION)?),
        Command::Serve(options) => options,
    };
    let memory = Memory::open(&options.data)?;
    Err(format!("this build opens {} and has no transport yet", memory.path().display()).into())
}
