//! Two thousand who send nothing, a byte, or a byte now and then, beside ordinary calls.

use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::task::JoinSet;

use super::mark::{Figures, Mark, Pass};
use super::probe::{Probe, count};
use super::subject::Subject;
use super::{Experiment, open_files};
use crate::flags::Flags;

pub(super) const SLOW_SENDERS: Experiment = Experiment {
    name: "slow-senders",
    help: "2,000 connections that send little or nothing; [--connections N]",
    flags: &["--connections"],
    marks: &[
        Mark { figure: "connections", unit: "", pass: Pass::Exactly(2_000.0) },
        Mark { figure: "closed by the server", unit: "", pass: Pass::Exactly(2_000.0) },
        Mark { figure: "the last after", unit: "s", pass: Pass::AtMost(11.0) },
        Mark { figure: "ordinary calls", unit: "", pass: Pass::Told },
        Mark { figure: "of these failed", unit: "", pass: Pass::Exactly(0.0) },
        Mark { figure: "99 of 100 within", unit: "ms", pass: Pass::Told },
    ],
    run,
};

/// How long a connection is watched.
const WATCHED: Duration = Duration::from_secs(30);
/// How often a byte comes of those that dribble.
const DRIBBLE: Duration = Duration::from_millis(500);

/// How one sends.
#[derive(Clone, Copy, Debug)]
enum Way {
    Silent,
    OneByte,
    /// What a client of HTTP/2 begins with.
    Preface,
    Head,
    Body,
}

const WAYS: [Way; 5] = [Way::Silent, Way::OneByte, Way::Preface, Way::Head, Way::Body];

impl Way {
    /// What is sent at once, and what comes byte by byte.
    fn bytes(self, host: &str) -> (String, &'static str) {
        let head = format!(
            "POST /mcp HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\n\
             Accept: application/json, text/event-stream\r\nContent-Length: 100000\r\n\r\n"
        );
        match self {
            Self::Silent => (String::new(), ""),
            Self::OneByte => ("P".to_owned(), ""),
            Self::Preface => ("PRI * HTTP/2.0\r\n".to_owned(), ""),
            Self::Head => ("POST /mcp HTTP/1.1\r\n".to_owned(), "X-Header: dribbled "),
            Self::Body => (head, "                    "),
        }
    }
}

fn run(flags: &Flags) -> Result<Figures> {
    let connections: usize = flags.value("--connections").unwrap_or("2000").parse()?;
    open_files::ensure(u64::try_from(connections)? + 100)?;
    let subject = Subject::start("hard")?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let mut figures = Figures::default();
    runtime.block_on(measure(&subject, connections, &mut figures))?;
    Ok(figures)
}

async fn measure(subject: &Subject, connections: usize, figures: &mut Figures) -> Result<()> {
    let probe = Probe::start(&subject.host, Duration::from_millis(20));
    let mut open = JoinSet::new();
    for way in WAYS.into_iter().cycle().take(connections) {
        let tcp = TcpStream::connect(&subject.host).await.context("no connection")?;
        let (now, later) = way.bytes(&subject.host);
        open.spawn(async move { tokio::time::timeout(WATCHED, send(tcp, now, later)).await.ok() });
    }
    figures.note("connections", count(connections));
    let (mut closed, mut last) = (0, 0.0);
    while let Some(ended) = open.join_next().await {
        if let Some(seconds) = ended? {
            closed += 1;
            last = f64::max(last, seconds);
        }
    }
    figures.note("closed by the server", count(closed));
    figures.note("the last after", last);
    let (calls, failed, within) = probe.end().await?;
    figures.note("ordinary calls", calls);
    figures.note("of these failed", failed);
    figures.note("99 of 100 within", within);
    Ok(())
}

/// Sends until the server closes, and gives the seconds that it took.
async fn send(tcp: TcpStream, now: String, later: &'static str) -> f64 {
    let start = Instant::now();
    let (mut read, mut write) = tcp.into_split();
    let dribble = async {
        let mut alive = write.write_all(now.as_bytes()).await.is_ok();
        for byte in later.bytes().cycle() {
            tokio::time::sleep(DRIBBLE).await;
            alive = alive && write.write_all(&[byte]).await.is_ok();
        }
        std::future::pending::<()>().await;
    };
    let close = async {
        let mut piece = [0; 1024];
        while read.read(&mut piece).await.is_ok_and(|count| count > 0) {}
    };
    tokio::select! {
        () = dribble => {}
        () = close => {}
    }
    start.elapsed().as_secs_f64()
}
