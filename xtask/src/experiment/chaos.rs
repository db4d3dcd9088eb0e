//! Handlers that panic, sleep, flood, leave tasks behind and answer too much, and clients that go.

use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use serde_json::{Value, json};
use tokio::io::AsyncWriteExt as _;
use tokio::net::TcpStream;
use tokio::task::JoinSet;

use super::mark::{Figures, Mark, Pass};
use super::peer::call_bytes;
use super::probe::{Probe, count, send};
use super::subject::Subject;
use super::{Experiment, open_files};
use crate::flags::Flags;

pub(super) const CHAOS: Experiment = Experiment {
    name: "chaos",
    help: "10,000 panics, 10,000 clients that go, floods and far too long answers; [--rounds N]",
    flags: &["--rounds"],
    marks: &[
        Mark { figure: "calls that panicked", unit: "", pass: Pass::Exactly(10_000.0) },
        Mark { figure: "clients that went", unit: "", pass: Pass::Exactly(10_000.0) },
        Mark { figure: "answered in no known way", unit: "", pass: Pass::Exactly(0.0) },
        Mark { figure: "tasks left behind", unit: "", pass: Pass::Exactly(0.0) },
        Mark { figure: "files left open", unit: "", pass: Pass::Exactly(0.0) },
        Mark { figure: "ordinary calls", unit: "", pass: Pass::Told },
        Mark { figure: "of these failed", unit: "", pass: Pass::Exactly(0.0) },
        Mark { figure: "99 of 100 within", unit: "ms", pass: Pass::Told },
    ],
    run,
};

const AT_ONCE: usize = 64;
/// How long the server may take to see that all have gone.
const GOING: Duration = Duration::from_secs(10);

fn run(flags: &Flags) -> Result<Figures> {
    let rounds = flags.value("--rounds").unwrap_or("10000").parse()?;
    open_files::ensure(1_000)?;
    let subject = Subject::start("hard")?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let mut figures = Figures::default();
    runtime.block_on(measure(&subject, rounds, &mut figures))?;
    Ok(figures)
}

async fn measure(subject: &Subject, rounds: usize, figures: &mut Figures) -> Result<()> {
    let host = &subject.host;
    subject.number("tasks", json!({})).await?;
    let (tasks, files) = (subject.number("tasks", json!({})).await?, subject.files()?);
    let probe = Probe::start(host, Duration::from_millis(20));
    let falls = [json!({}), json!({ "late": true })];
    let odd = calls(host, "fall", &falls, rounds).await?;
    figures.note("calls that panicked", count(rounds));
    let odd = odd + calls(host, "huge", &[json!({ "bytes": 100_000_000 })], 20).await?;
    let odd = odd + calls(host, "flood", &[json!({})], 20).await?;
    let odd = odd + calls(host, "leave", &[json!({})], 200).await?;
    go(host, rounds).await?;
    figures.note("clients that went", count(rounds));
    figures.note("answered in no known way", count(odd));
    let (asked, failed, within) = probe.end().await?;
    let start = Instant::now();
    let left = loop {
        let left = (subject.number("tasks", json!({})).await? - tasks, subject.files()? - files);
        if (left.0 <= 0.0 && left.1 <= 0.0) || start.elapsed() > GOING {
            break left;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    };
    figures.note("tasks left behind", left.0.max(0.0));
    figures.note("files left open", left.1.max(0.0));
    figures.note("ordinary calls", asked);
    figures.note("of these failed", failed);
    figures.note("99 of 100 within", within);
    Ok(())
}

/// Calls a tool so often and counts the answers that are none of a server that lives.
async fn calls(host: &str, tool: &str, arguments: &[Value], rounds: usize) -> Result<usize> {
    let mut running = JoinSet::new();
    let mut odd = 0;
    for arguments in arguments.iter().cycle().take(rounds) {
        let (host, bytes) = (host.to_owned(), call_bytes(host, tool, arguments));
        running.spawn(async move { send(&host, &bytes).await });
        if running.len() >= AT_ONCE {
            let told = running.join_next().await.context("nothing runs")??;
            odd += usize::from(!told.is_ok_and(|told| told.status == 200));
        }
    }
    while let Some(told) = running.join_next().await {
        odd += usize::from(!told?.is_ok_and(|told| told.status == 200));
    }
    Ok(odd)
}

/// Clients that call a tool which sleeps for an hour, and go: half of them with a reset.
async fn go(host: &str, rounds: usize) -> Result<()> {
    let bytes = call_bytes(host, "nap", &json!({ "milliseconds": 3_600_000 }));
    let mut running = JoinSet::new();
    for nth in 0..rounds {
        let (host, bytes) = (host.to_owned(), bytes.clone());
        running.spawn(async move {
            let mut tcp = TcpStream::connect(&host).await?;
            tcp.write_all(&bytes).await?;
            tokio::time::sleep(Duration::from_millis(u64::try_from(nth % 7).unwrap_or(0))).await;
            if nth % 2 == 0 {
                tcp.set_zero_linger()?;
            }
            std::io::Result::Ok(())
        });
        if running.len() >= AT_ONCE {
            running.join_next().await.context("nothing runs")???;
        }
    }
    while let Some(one) = running.join_next().await {
        one??;
    }
    Ok(())
}
