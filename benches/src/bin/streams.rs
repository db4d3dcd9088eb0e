//! A server whose listeners are counted and stirred: what `cargo xtask experiment` drives.

use std::time::{Duration, Instant};

use aqueduct::prelude::*;
use aqueduct::server::Run;
use aqueduct::transport::http::{ListenLimits, Listener};
use benches::Failure;

/// How many changes are made before the other tasks get their turn.
const TURN: u32 = 256;

/// How many listen now.
#[tool(read_only)]
async fn listeners(ctx: Context) -> String {
    ctx.notify().listeners().to_string()
}

/// Changes things so many times, and says how many microseconds that took.
#[tool(timeout = "10m")]
async fn stir(
    /// How many changes
    changes: u32,
    /// The first of the resources that change, one after the other; the set of tools otherwise
    uri: Option<String>,
    /// How many resources there are
    uris: Option<u32>,
    /// How many milliseconds lie between two changes
    pause: Option<u64>,
    /// Is it the set of resources that changes?
    #[arg(default = false)]
    resources: bool,
    ctx: Context,
) -> String {
    let start = Instant::now();
    let notify = ctx.notify();
    for nth in 0..changes {
        match &uri {
            Some(uri) => {
                notify.resource_updated(format!("{uri}/{}", nth % uris.unwrap_or(1).max(1)));
            }
            None if resources => notify.resources_changed(),
            None => notify.tools_changed(),
        }
        match pause {
            Some(pause) => tokio::time::sleep(Duration::from_millis(pause)).await,
            None if nth % TURN == 0 => tokio::task::yield_now().await,
            None => {}
        }
    }
    start.elapsed().as_micros().to_string()
}

fn main() -> Result<(), Failure> {
    let (run, rest) = Run::parse(std::env::args_os().skip(1))?;
    if let Some(unknown) = rest.first() {
        return Err(format!("not known: {unknown}").into());
    }
    let address = run.http.ok_or("say where: --http ADDR")?;
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(async {
        let resource = Resource::new("notes://a", "notes").handler(async || "a note".to_owned());
        let server =
            Server::new("streams", "1.0.0").tools(list![listeners, stir]).resource(resource);
        let http = server.build()?.into_http();
        // All listeners come from one machine, and those that stall are to stay until the end.
        let limits =
            ListenLimits::new().connections_per_peer(20_000).stall_time(Duration::from_secs(600));
        let listener = Listener::bind(&address).await?.limits(limits);
        tell(listener.local_addr()?)?;
        Ok(listener.serve(http).await?)
    })
}

fn tell(address: std::net::SocketAddr) -> std::io::Result<()> {
    use std::io::Write as _;
    writeln!(std::io::stderr(), "listening on http://{address}/mcp")
}
