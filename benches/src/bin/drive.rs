//! The load: keep-alive connections, a fixed count of requests, every answer compared.
//!
//! `drive load URL call|list|read CONNECTIONS REQUESTS TOOLS` prints how long it took, in seconds.
//! `drive start PROGRAM ARGS…` prints the milliseconds from the start of a server to its first answer.

use std::{
    cell::Cell,
    io::{BufRead as _, BufReader, Write as _},
    process::{Command, Stdio},
    rc::Rc,
    time::Instant,
};

use benches::{Failure, request::Kind, surface};
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpStream,
    task::{JoinSet, LocalSet},
};

fn main() -> Result<(), Failure> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let figure = match words.as_slice() {
        ["load", url, kind, connections, requests, tools] => {
            let load = Load {
                target: Target::parse(url)?,
                kind: Kind::named(kind)?,
                connections: connections.parse()?,
                requests: requests.parse()?,
                tools: tools.parse()?,
            };
            LocalSet::new().block_on(&runtime, load.run())?
        }
        ["start", program, args @ ..] => runtime.block_on(start(program, args))?,
        _ => return Err("drive load URL KIND CONNECTIONS REQUESTS TOOLS, or drive start …".into()),
    };
    writeln!(std::io::stdout(), "{figure}")?;
    Ok(())
}

#[derive(Clone)]
struct Target {
    authority: String,
    path: String,
}

impl Target {
    fn parse(url: &str) -> Result<Self, Failure> {
        let rest = url.trim().strip_prefix("http://").ok_or("the URL is not http")?;
        let (authority, path) = rest.split_once('/').ok_or("the URL has no path")?;
        Ok(Self { authority: authority.to_owned(), path: format!("/{path}") })
    }
}

struct Load {
    target: Target,
    kind: Kind,
    connections: usize,
    requests: usize,
    tools: usize,
}

impl Load {
    /// Sends every request and gives the seconds that it took.
    async fn run(self) -> Result<f64, Failure> {
        let request: Rc<[u8]> = self.kind.http(&self.target.authority, &self.target.path).into();
        let left = Rc::new(Cell::new(self.requests));
        let began = Instant::now();
        let mut connections = JoinSet::new();
        for _ in 0..self.connections {
            let mut stream = TcpStream::connect(&self.target.authority).await?;
            stream.set_nodelay(true)?;
            let (request, left) = (request.clone(), left.clone());
            let (kind, tools) = (self.kind, self.tools);
            connections.spawn_local(async move {
                let mut first: Option<Vec<u8>> = None;
                let mut buffer = Vec::with_capacity(128 * 1024);
                while let Some(rest) = left.get().checked_sub(1) {
                    left.set(rest);
                    let body = exchange(&mut stream, &request, &mut buffer).await?;
                    match &first {
                        None => {
                            kind.check(body, tools)?;
                            first = Some(body.to_vec());
                        }
                        Some(first) if first == body => {}
                        Some(_) => return Err("two answers to one request differ".into()),
                    }
                }
                Ok::<_, Failure>(())
            });
        }
        while let Some(done) = connections.join_next().await {
            done??;
        }
        Ok(began.elapsed().as_secs_f64())
    }
}

/// Sends the request and reads one whole answer; gives its body.
async fn exchange<'a>(
    stream: &mut TcpStream,
    request: &[u8],
    buffer: &'a mut Vec<u8>,
) -> Result<&'a [u8], Failure> {
    stream.write_all(request).await?;
    buffer.clear();
    let mut expected = None;
    loop {
        if stream.read_buf(buffer).await? == 0 {
            return Err("the server hung up".into());
        }
        if expected.is_none() {
            expected = head(buffer)?;
        }
        if let Some((start, end)) = expected
            && buffer.len() >= end
        {
            if buffer.len() > end {
                return Err("more came than the length says".into());
            }
            return Ok(buffer.get(start..end).unwrap_or_default());
        }
    }
}

/// Where the body begins and ends, once the head is whole.
fn head(buffer: &[u8]) -> Result<Option<(usize, usize)>, Failure> {
    let Some(end) = buffer.windows(4).position(|four| four == b"\r\n\r\n") else {
        return Ok(None);
    };
    let head = std::str::from_utf8(buffer.get(..end).unwrap_or_default())?;
    if !head.starts_with("HTTP/1.1 200 ") {
        return Err(format!("not a 200: {head}").into());
    }
    let length = head
        .lines()
        .filter_map(|line| line.split_once(':'))
        .find(|(name, _)| name.eq_ignore_ascii_case("content-length"))
        .ok_or_else(|| format!("no length: {head}"))?;
    let length: usize = length.1.trim().parse()?;
    Ok(Some((end + 4, end + 4 + length)))
}

/// Starts a server, asks it once, ends it; gives the milliseconds until the answer was whole.
async fn start(program: &str, args: &[&str]) -> Result<f64, Failure> {
    let began = Instant::now();
    let mut command = Command::new(program);
    command.args(args).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
    let mut server = command.spawn()?;
    let answered = first_answer(&mut server, began).await;
    // It may have ended by itself, which the answer tells.
    server.kill().ok();
    server.wait()?;
    answered
}

async fn first_answer(server: &mut std::process::Child, began: Instant) -> Result<f64, Failure> {
    let stderr = server.stderr.take().ok_or("the server has no stderr")?;
    let line = BufReader::new(stderr)
        .lines()
        .find(|line| line.as_ref().map_or(true, |line| line.contains("listening on ")))
        .ok_or("the server never listened")??;
    let (_, url) = line.split_once("listening on ").ok_or("the server never listened")?;
    let target = Target::parse(url)?;
    let mut stream = TcpStream::connect(&target.authority).await?;
    let request = Kind::Call.http(&target.authority, &target.path);
    let mut buffer = Vec::new();
    let body = exchange(&mut stream, &request, &mut buffer).await?;
    let elapsed = began.elapsed().as_secs_f64() * 1_000.0;
    Kind::Call.check(body, surface::TOOLS)?;
    Ok(elapsed)
}
