//! Ten thousand streams that wait: what each costs, how fast one change reaches all, what stays
//! behind when they have gone.

use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use serde_json::json;
use tokio::task::JoinSet;

use super::mark::{Figures, Mark, Pass};
use super::peer::Stream;
use super::subject::Subject;
use super::{Experiment, open_files};
use crate::flags::Flags;
use crate::say::say;

pub(super) const IDLE_STREAMS: Experiment = Experiment {
    name: "idle-streams",
    help: "10,000 idle subscriptions/listen on one server; [--streams N]",
    flags: &["--streams"],
    marks: &[
        Mark { figure: "streams", unit: "", pass: Pass::Exactly(10_000.0) },
        Mark { figure: "memory of each", unit: "KiB", pass: Pass::AtMost(32.0) },
        Mark { figure: "one change reaches all in", unit: "s", pass: Pass::AtMost(2.0) },
        Mark { figure: "fourth wave against the third", unit: "", pass: Pass::AtMost(1.05) },
        Mark { figure: "250 read 1,500 changes, each", unit: "ms", pass: Pass::AtMost(10.0) },
        Mark { figure: "memory when all have gone", unit: "MiB", pass: Pass::Told },
    ],
    run,
};

const WAVES: usize = 4;
/// How many are opened at once: more would overflow the queue of connections to be accepted.
const AT_ONCE: usize = 64;
/// How long the server may take to see that all have gone.
const GOING: Duration = Duration::from_secs(30);
/// How many read while changes come one after the other, and how many changes.
const READERS: usize = 250;
const CHANGES: u32 = 1_500;
const CHANGED: &[u8] = b"notifications/tools/list_changed";

fn run(flags: &Flags) -> Result<Figures> {
    let streams = flags.value("--streams").unwrap_or("10000").parse()?;
    // Each process has its side of every stream.
    open_files::ensure(u64::try_from(streams)? + 100)?;
    let subject = Subject::start("streams")?;
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let mut figures = Figures::default();
    runtime.block_on(measure(&subject, streams, &mut figures))?;
    Ok(figures)
}

async fn measure(subject: &Subject, streams: usize, figures: &mut Figures) -> Result<()> {
    let count = f64::from(u32::try_from(streams)?);
    figures.note("streams", count);
    subject.listeners().await?;
    let before = subject.resident()?;
    let mut peaks = Vec::new();
    let mut slowest: f64 = 0.0;
    for wave in 1..=WAVES {
        let open = open(subject, streams).await?;
        let here = subject.listeners().await?;
        if (here - count).abs() > 0.5 {
            bail!("{here} of {streams} listen");
        }
        let resident = subject.resident()?;
        let (open, took) = reach(subject, open).await?;
        slowest = slowest.max(took);
        peaks.push(subject.resident()?);
        say(&format!("wave {wave}: {resident} KiB with all, {took:.2} s to reach all"));
        if wave == 1 {
            figures.note("memory of each", (resident - before) / count);
        }
        drop(open);
        gone(subject).await?;
    }
    figures.note("one change reaches all in", slowest);
    let [.., third, fourth] = peaks.as_slice() else { bail!("too few waves") };
    figures.note("fourth wave against the third", fourth / third);
    figures.note("memory when all have gone", subject.resident()? / 1024.0);
    let each = busy(subject).await?;
    figures.note("250 read 1,500 changes, each", each);
    Ok(())
}

/// Opens that many streams, a few at a time.
async fn open(subject: &Subject, streams: usize) -> Result<Vec<Stream>> {
    let mut open = Vec::with_capacity(streams);
    let mut opening = JoinSet::new();
    for _ in 0..streams {
        if opening.len() >= AT_ONCE {
            open.push(opening.join_next().await.context("nothing is opening")???);
        }
        let host = subject.host.clone();
        opening
            .spawn(async move { Stream::open(&host, &json!({ "toolsListChanged": true })).await });
    }
    while let Some(opened) = opening.join_next().await {
        open.push(opened??);
    }
    Ok(open)
}

/// Makes one change, and gives the seconds until the last stream has told it.
async fn reach(subject: &Subject, streams: Vec<Stream>) -> Result<(Vec<Stream>, f64)> {
    let mut reading = JoinSet::new();
    for mut stream in streams {
        reading.spawn(async move { stream.until(CHANGED).await.map(|()| stream) });
    }
    let start = Instant::now();
    subject.number("stir", json!({ "changes": 1 })).await?;
    let mut read = Vec::new();
    while let Some(stream) = reading.join_next().await {
        read.push(stream??);
    }
    Ok((read, start.elapsed().as_secs_f64()))
}

/// Waits until the server has seen that all have gone.
async fn gone(subject: &Subject) -> Result<()> {
    let start = Instant::now();
    while subject.listeners().await? > 0.5 {
        if start.elapsed() > GOING {
            bail!("{} listen still", subject.listeners().await?);
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    Ok(())
}

/// What a change costs while its readers read, in milliseconds.
async fn busy(subject: &Subject) -> Result<f64> {
    let mut reading = JoinSet::new();
    for mut stream in open(subject, READERS).await? {
        reading.spawn(async move { while stream.until(CHANGED).await.is_ok() {} });
    }
    let micros = subject.number("stir", json!({ "changes": CHANGES, "pause": 1 })).await?;
    reading.shutdown().await;
    gone(subject).await?;
    // The pause itself is no cost of a change.
    Ok(micros / 1_000.0 / f64::from(CHANGES) - 1.0)
}
