//! The program: reads the command line, opens the memory and serves it.

use std::{
    error::Error,
    io::{self, Write},
    process::ExitCode,
};

use aqueduct::{server::Service, store, transport::http::Listener};
use memory::{
    cli::{self, Command, Options, Transport},
    import::{self, Folder},
    server::server,
    store::Memory,
};
use tracing::level_filters::LevelFilter;

/// The variable that says how much is logged: off, error, warn, info, debug or trace.
const LOG_VARIABLE: &str = "MEMORY_LOG";

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            cli::complain(&*error);
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<(), Box<dyn Error>> {
    let options = match cli::command()? {
        Command::Help => return Ok(cli::show(cli::HELP)?),
        Command::Version => return Ok(cli::show(cli::VERSION)?),
        Command::Serve(options) => options,
    };
    log()?;
    let memory = Memory::open(&options.data)?;
    let mut server = server(&memory, options.page_size);
    if let Some(folder) = &options.import_from {
        server = server.state(Folder::open(folder)?).tools(import::tools());
    }
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    if let Some(address) = &options.store {
        let backend = runtime.block_on(store::open(address));
        server = server.backend(backend.map_err(|error| format!("--store: {error}"))?);
    }
    runtime.block_on(serve(server.build()?, options))
}

/// Logs go to standard error; standard output may be the wire.
fn log() -> Result<(), Box<dyn Error>> {
    let level = match std::env::var(LOG_VARIABLE) {
        Ok(level) => level.parse().map_err(|_| {
            format!("{LOG_VARIABLE} is off, error, warn, info, debug or trace, not \"{level}\"")
        })?,
        Err(_) => LevelFilter::WARN,
    };
    tracing_subscriber::fmt().with_writer(io::stderr).with_ansi(false).with_max_level(level).init();
    Ok(())
}

async fn serve(service: Service, options: Options) -> Result<(), Box<dyn Error>> {
    let address = match options.transport {
        Transport::Stdio => return Ok(service.serve_stdio().await?),
        Transport::Http(address) => address,
    };
    let mut http = service.into_http();
    for origin in &options.allowed_origins {
        http = http.allow_origin(origin)?;
    }
    for host in &options.allowed_hosts {
        http = http.allow_host(host)?;
    }
    let listener = Listener::bind(&address.to_string()).await?;
    writeln!(io::stderr(), "listening on http://{}/mcp", listener.local_addr()?)?;
    Ok(listener.serve(http).await?)
}
