//! What authorization adds to a call, with a token that is verified anew and with one that is known.

#![expect(clippy::print_stdout, reason = "the figures go to standard output")]

use std::time::{Duration, Instant};

use aqueduct::auth::{Issuer, ResourceServer};
use aqueduct::prelude::*;
use aqueduct::server::Service as Served;
use aqueduct::testing::idp::Idp;
use aqueduct::transport::http::HttpService;
use bytes::Bytes;
use http::Request;
use http_body_util::{BodyExt as _, Full};
use hyper::service::Service as _;
use hyper_util::service::TowerToHyperService;

const RESOURCE: &str = "https://mcp.example.com/mcp";
const ROUNDS: usize = 7;
const CALLS: usize = 500;

type Error = Box<dyn std::error::Error>;

const CALL: &str = r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"ping","arguments":{},"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}"#;

fn request(token: Option<&str>) -> Result<Request<Full<Bytes>>, Error> {
    let mut request = Request::post("/mcp")
        .header("host", "127.0.0.1")
        .header("content-type", "application/json")
        .header("accept", "application/json, text/event-stream")
        .header("mcp-protocol-version", "2026-07-28")
        .header("mcp-method", "tools/call")
        .header("mcp-name", "ping");
    if let Some(token) = token {
        request = request.header("authorization", format!("Bearer {token}"));
    }
    Ok(request.body(Full::from(CALL))?)
}

fn server() -> Result<HttpService<Served>, Error> {
    let ping = Tool::new("ping").handler(|| async { "pong" });
    Ok(Server::new("bench", "1.0.0").tool(ping).build()?.into_http())
}

/// How long a call takes, on average of many.
async fn timed(
    http: &HttpService<Served>,
    tokens: impl Iterator<Item = Option<&str>>,
) -> Result<Duration, Error> {
    let requests = tokens.map(request).collect::<Result<Vec<_>, _>>()?;
    let count = u32::try_from(requests.len())?;
    let http = TowerToHyperService::new(http.clone());
    let began = Instant::now();
    for request in requests {
        let response = http.call(request).await?;
        if !response.status().is_success() {
            return Err(format!("answered {}", response.status()).into());
        }
        response.into_body().collect().await?;
    }
    Ok(began.elapsed() / count)
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times.get(times.len() / 2).copied().unwrap_or_default()
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Error> {
    let mut idp = [Idp::start().await?, Idp::start().await?, Idp::start().await?];
    let [_, ed25519, rsa] = &mut idp;
    ed25519.rotate_ed25519()?;
    rsa.rotate_rsa()?;
    for (name, idp) in ["es256", "ed25519", "rs256"].into_iter().zip(&idp) {
        let open = server()?;
        let keys = Issuer::keys(idp.issuer(), idp.jwks().to_string());
        let auth = ResourceServer::new(RESOURCE).issuer(keys).build()?;
        let closed = server()?.auth(auth);
        let (mut verified, mut cached) = (Vec::new(), Vec::new());
        for round in 0..=ROUNDS {
            let token = |n| idp.token(RESOURCE).claim("jti", format!("{round}-{n}")).sign();
            let tokens = (0..CALLS).map(token).collect::<Result<Vec<_>, _>>()?;
            let plain = timed(&open, (0..CALLS).map(|_| None)).await?.as_secs_f64();
            let fresh = timed(&closed, tokens.iter().map(|one| Some(one.as_str()))).await?;
            let known = tokens.first().map(String::as_str);
            let again = timed(&closed, (0..CALLS).map(|_| known)).await?;
            // The first round only warms up.
            if round > 0 {
                verified.push((fresh.as_secs_f64() - plain) * 1e6);
                cached.push((again.as_secs_f64() - plain) * 1e6);
            }
        }
        println!("auth_{name}_verified_us {:.1}", median(verified));
        println!("auth_{name}_cached_us {:.1}", median(cached));
    }
    Ok(())
}
