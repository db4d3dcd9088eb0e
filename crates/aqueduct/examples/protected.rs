//! A protected server with a provider of its own, to try a client's flow with; for tests only.

use std::io::Write as _;

use aqueduct::auth::{Issuer, ResourceServer};
use aqueduct::prelude::*;
use aqueduct::testing::idp::Idp;
use aqueduct::transport::http::Listener;

/// Say who calls.
#[tool(read_only)]
async fn whoami(caller: Principal) -> String {
    format!("{} may {}", caller.subject, caller.scopes.join(" "))
}

/// Publish a note.
#[tool(scopes("notes:write"))]
async fn publish(note: String) -> String {
    format!("published {note}")
}

#[tokio::main]
async fn main() -> Result<()> {
    let idp = Idp::start().await?;
    let listener = Listener::bind("127.0.0.1:0").await?;
    let resource = format!("http://{}/mcp", listener.local_addr()?);
    let auth = ResourceServer::new(&resource)
        .issuer(Issuer::discover(idp.issuer()))
        .baseline_scopes(["notes:read"])
        .scope_implies("notes:write", ["notes:read"])
        .loopback_issuers()
        .build()?;
    let server = Server::new("protected", "1.0.0").tools(list![whoami, publish]).build()?;
    writeln!(std::io::stderr(), "listening on {resource}")?;
    Ok(listener.serve(server.into_http().auth(auth)).await?)
}
