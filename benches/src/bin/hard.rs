//! A server whose tools misbehave as handlers do: what the experiments of load and of chaos drive.

use std::time::Duration;

use aqueduct::prelude::*;
use aqueduct::server::Run;
use aqueduct::transport::http::{ListenLimits, Listener};
use benches::Failure;

/// Say the same.
#[tool(read_only)]
async fn echo(text: String) -> String {
    text
}

/// Take some time.
#[tool(read_only, timeout = "10m")]
async fn nap(milliseconds: u64) -> String {
    tokio::time::sleep(Duration::from_millis(milliseconds)).await;
    "rested".to_owned()
}

/// Fail as no handler should.
#[tool]
async fn fall(late: Option<bool>, ctx: Context) -> String {
    ctx.progress(1);
    if late == Some(true) {
        tokio::task::yield_now().await;
    }
    assert!(ctx.is_cancelled(), "on purpose");
    "stood".to_owned()
}

/// Answer with more than anybody wants.
#[tool]
async fn huge(bytes: usize) -> String {
    "x".repeat(bytes)
}

/// Report a step a hundred thousand times.
#[tool]
async fn flood(ctx: Context) -> String {
    for step in 1..=100_000_u32 {
        ctx.progress(step);
        if step.is_multiple_of(1_000) {
            tokio::task::yield_now().await;
        }
    }
    "done".to_owned()
}

/// Leave a task behind that ends with the call.
#[tool]
async fn leave(ctx: Context) -> String {
    tokio::spawn(async move { ctx.cancelled().await });
    "left".to_owned()
}

/// How many tasks there are.
#[tool(read_only)]
async fn tasks() -> String {
    tokio::runtime::Handle::current().metrics().num_alive_tasks().to_string()
}

/// How many listen now.
#[tool(read_only)]
async fn listeners(ctx: Context) -> String {
    ctx.notify().listeners().to_string()
}

fn main() -> Result<(), Failure> {
    let (run, rest) = Run::parse(std::env::args_os().skip(1))?;
    if let Some(unknown) = rest.first() {
        return Err(format!("not known: {unknown}").into());
    }
    let address = run.http.ok_or("say where: --http ADDR")?;
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(async {
        let server = Server::new("hard", "1.0.0");
        let server = server.tools(list![echo, nap, fall, huge, flood, leave, tasks, listeners]);
        let http = server.build()?.into_http();
        // All connections come from one machine.
        let limits = ListenLimits::new().connections_per_peer(20_000);
        let listener = Listener::bind(&address).await?.limits(limits);
        tell(listener.local_addr()?)?;
        Ok(listener.serve(http).await?)
    })
}

fn tell(address: std::net::SocketAddr) -> std::io::Result<()> {
    use std::io::Write as _;
    writeln!(std::io::stderr(), "listening on http://{address}/mcp")
}
