//! A server that is asked to end while a thousand listen and fifty calls run.

use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use serde_json::json;
use tokio::task::JoinSet;

use super::mark::{Figures, Mark, Pass};
use super::peer::{Stream, call};
use super::probe::count;
use super::subject::Subject;
use super::{Experiment, open_files};
use crate::flags::Flags;

pub(super) const DRAIN: Experiment = Experiment {
    name: "drain",
    help: "SIGTERM with 1,000 listeners and 50 slow calls",
    flags: &[],
    marks: &[
        Mark { figure: "listeners told their result", unit: "", pass: Pass::Exactly(1_000.0) },
        Mark { figure: "slow calls answered", unit: "", pass: Pass::Exactly(50.0) },
        Mark { figure: "the server ended after", unit: "s", pass: Pass::AtMost(16.0) },
        Mark { figure: "listeners alone, ended after", unit: "s", pass: Pass::AtMost(1.0) },
    ],
    run,
};

const LISTENERS: usize = 1_000;
const CALLS: usize = 50;
/// How long each call takes: less than the ten seconds that running calls are given.
const NAP: u32 = 8_000;
/// What the last event of a listener has in it.
const RESULT: &[u8] = b"\"resultType\":\"complete\"";

fn run(_: &Flags) -> Result<Figures> {
    open_files::ensure(u64::try_from(LISTENERS)? + 200)?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let mut figures = Figures::default();
    let (told, answered, ended) = runtime.block_on(end(Subject::start("hard")?, CALLS))?;
    figures.note("listeners told their result", told);
    figures.note("slow calls answered", answered);
    figures.note("the server ended after", ended);
    let (_, _, alone) = runtime.block_on(end(Subject::start("hard")?, 0))?;
    figures.note("listeners alone, ended after", alone);
    Ok(figures)
}

/// Asks the server to end in the midst of it all.
async fn end(subject: Subject, calls: usize) -> Result<(f64, f64, f64)> {
    let mut listening = JoinSet::new();
    for nth in 0..LISTENERS {
        let stream = Stream::open(&subject.host, &json!({ "toolsListChanged": true })).await;
        let mut stream = stream.with_context(|| format!("listener {nth}"))?;
        listening.spawn(async move { stream.until(RESULT).await.is_ok() });
    }
    let mut calling = JoinSet::new();
    for _ in 0..calls {
        let host = subject.host.clone();
        calling.spawn(async move {
            call(&host, "nap", json!({ "milliseconds": NAP })).await.is_ok_and(|answer| {
                answer.pointer("/result/content/0/text").is_some_and(|text| text == "rested")
            })
        });
    }
    tokio::time::sleep(Duration::from_secs(1)).await;
    let start = Instant::now();
    let ended = tokio::task::spawn_blocking(move || subject.end().map(|()| start.elapsed()));
    let told = yes(&mut listening).await?;
    let answered = yes(&mut calling).await?;
    Ok((told, answered, ended.await??.as_secs_f64()))
}

async fn yes(all: &mut JoinSet<bool>) -> Result<f64> {
    let mut yes = 0;
    while let Some(one) = all.join_next().await {
        yes += usize::from(one?);
    }
    Ok(count(yes))
}
