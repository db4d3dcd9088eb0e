//! Five hundred who listen and do not read, while a million things change.

use std::time::Instant;

use anyhow::{Context, Result};
use serde_json::{Value, json};
use tokio::task::JoinSet;

use super::mark::{Figures, Mark, Pass};
use super::peer::Stream;
use super::subject::Subject;
use super::{Experiment, open_files};
use crate::flags::Flags;

pub(super) const STALLED_READERS: Experiment = Experiment {
    name: "stalled-readers",
    help: "500 stalled readers during a million changes; [--changes N]",
    flags: &["--changes"],
    marks: &[
        Mark { figure: "changes", unit: "", pass: Pass::Exactly(1_000_000.0) },
        Mark { figure: "growth", unit: "MiB", pass: Pass::AtMost(16.0) },
        Mark { figure: "readers told of the last change", unit: "", pass: Pass::Exactly(500.0) },
        Mark { figure: "they read all of it in", unit: "s", pass: Pass::AtMost(150.0) },
        Mark { figure: "a change costs", unit: "us", pass: Pass::Told },
    ],
    run,
};

const READERS: u16 = 500;
/// How many resources each watches.
const WATCHED: u32 = 16;
const NOTES: &str = "notes://n";
/// What only the change after all others is told as.
const LAST: &[u8] = b"notifications/resources/list_changed";

fn run(flags: &Flags) -> Result<Figures> {
    let changes: u32 = flags.value("--changes").unwrap_or("1000000").parse()?;
    open_files::ensure(u64::from(READERS) + 100)?;
    let subject = Subject::start("streams")?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let mut figures = Figures::default();
    runtime.block_on(measure(&subject, changes, &mut figures))?;
    Ok(figures)
}

async fn measure(subject: &Subject, changes: u32, figures: &mut Figures) -> Result<()> {
    let filter = filter();
    let mut readers = Vec::new();
    for nth in 0..READERS {
        let opened = Stream::open(&subject.host, &filter).await;
        readers.push(opened.with_context(|| format!("reader {nth}"))?);
    }
    let before = subject.resident()?;
    // Nobody reads from here on: half of the changes are of the set of tools, half of resources.
    let tools = changes / 2;
    let mut micros = subject.number("stir", json!({ "changes": tools })).await?;
    let updates = json!({ "changes": changes - tools, "uri": NOTES, "uris": WATCHED });
    micros += subject.number("stir", updates).await?;
    figures.note("changes", f64::from(changes));
    figures.note("growth", (subject.resident()? - before) / 1024.0);
    figures.note("a change costs", micros / f64::from(changes));
    subject.number("stir", json!({ "changes": 1, "resources": true })).await?;
    let start = Instant::now();
    // All at once: the kernel asks a window that was shut for long only every two minutes.
    let mut reading = JoinSet::new();
    for mut reader in readers {
        reading.spawn(async move { reader.until(LAST).await });
    }
    let mut told = 0.0;
    while let Some(read) = reading.join_next().await {
        read??;
        told += 1.0;
    }
    figures.note("readers told of the last change", told);
    figures.note("they read all of it in", start.elapsed().as_secs_f64());
    Ok(())
}

fn filter() -> Value {
    let uris: Vec<String> = (0..WATCHED).map(|nth| format!("{NOTES}/{nth}")).collect();
    json!({
        "toolsListChanged": true,
        "resourcesListChanged": true,
        "resourceSubscriptions": uris,
    })
}
