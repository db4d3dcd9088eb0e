//! The program: reads the command line, opens the memory and serves it.

use std::{
    error::Error,
    io::{self, Write},
    path::Path,
    process::ExitCode,
};

use aqueduct::{
    auth::{Auth, ResourceServer},
    server::Service,
    store,
    transport::http::Listener,
};
use memory::{
    cli::{self, Command, Options, Transport},
    import::{self, Folder},
    server::{READ, WRITE, protected, server},
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
    let auth = options.auth.as_deref().map(auth).transpose()?;
    let mut server = match auth {
        Some(_) => protected(&memory, options.page_size),
        None => server(&memory, options.page_size),
    };
    if let Some(folder) = &options.import_from {
        let tools = import::tools().map(|tool| match auth {
            Some(_) => tool.scopes([WRITE]),
            None => tool,
        });
        server = server.state(Folder::open(folder)?).tools(tools);
    }
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    if let Some(address) = &options.store {
        let backend = runtime.block_on(store::open(address));
        server = server.backend(backend.map_err(|error| format!("--store: {error}"))?);
    }
    runtime.block_on(serve(server.build()?, auth, options))
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

/// Whom to let in, as the file says; what may be done with which scope is the memory's to say.
fn auth(file: &Path) -> Result<Auth, Box<dyn Error>> {
    let text = std::fs::read_to_string(file)
        .map_err(|error| format!("{} cannot be read: {error}", file.display()))?;
    let described = ResourceServer::from_toml(&text)
        .map_err(|error| format!("{}: {error}", file.display()))?
        .baseline_scopes([READ])
        .supported_scopes([WRITE])
        .scope_implies(WRITE, [READ]);
    Ok(described.build().map_err(|error| format!("{}: {error}", file.display()))?)
}

async fn serve(
    service: Service,
    auth: Option<Auth>,
    options: Options,
) -> Result<(), Box<dyn Error>> {
    let address = match options.transport {
        Transport::Stdio => return Ok(service.serve_stdio().await?),
        Transport::Http(address) => address,
    };
    let mut http = service.into_http();
    if let Some(auth) = auth {
        http = http.auth(auth);
    }
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
