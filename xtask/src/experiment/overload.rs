//! Ten times as many calls as a server can serve: what it still serves, and what it tells the rest.

use std::time::{Duration, Instant};

use anyhow::Result;
use serde_json::json;
use tokio::task::JoinSet;

use super::mark::{Figures, Mark, Pass};
use super::peer::call_bytes;
use super::probe::{Told, count, percentile, send};
use super::subject::Subject;
use super::{Experiment, open_files};
use crate::flags::Flags;

pub(super) const OVERLOAD: Experiment = Experiment {
    name: "overload",
    help: "ten times the calls that a server has places for; [--seconds N]",
    flags: &["--seconds"],
    marks: &[
        Mark {
            figure: "served a second, with as many as there are places",
            unit: "",
            pass: Pass::Told,
        },
        Mark { figure: "served a second, with ten times as many", unit: "", pass: Pass::Told },
        Mark { figure: "of what it could", unit: "%", pass: Pass::AtLeast(90.0) },
        Mark { figure: "99 of 100 served within, without load", unit: "ms", pass: Pass::Told },
        Mark { figure: "99 of 100 served within, under load", unit: "ms", pass: Pass::Told },
        Mark { figure: "99 of 100 refused within", unit: "ms", pass: Pass::Told },
        Mark {
            figure: "refused otherwise than 503 with Retry-After",
            unit: "",
            pass: Pass::Exactly(0.0),
        },
        Mark { figure: "growth of memory", unit: "MiB", pass: Pass::AtMost(64.0) },
        Mark { figure: "served again after", unit: "s", pass: Pass::AtMost(2.0) },
    ],
    run,
};

/// How many calls a server runs at once.
const PLACES: usize = 512;
/// How long each takes: the places are the bound here, and not the machine.
const NAP: u32 = 1_000;

fn run(flags: &Flags) -> Result<Figures> {
    let seconds = flags.value("--seconds").unwrap_or("20").parse()?;
    open_files::ensure(u64::try_from(PLACES * 10)? + 100)?;
    let subject = Subject::start("hard")?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let mut figures = Figures::default();
    runtime.block_on(measure(&subject, Duration::from_secs(seconds), &mut figures))?;
    Ok(figures)
}

async fn measure(subject: &Subject, time: Duration, figures: &mut Figures) -> Result<()> {
    let alone = drive(&subject.host, PLACES, time).await?;
    let before = subject.resident()?;
    let loaded = drive(&subject.host, PLACES * 10, time).await?;
    let start = Instant::now();
    while send(&subject.host, &call_bytes(&subject.host, "echo", &json!({ "text": "x" })))
        .await?
        .status
        != 200
    {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    let again = start.elapsed().as_secs_f64();
    let served = |all: &[Told]| -> Vec<f64> {
        all.iter().filter(|one| one.status == 200).map(|one| one.took).collect()
    };
    let (calm, full) = (served(&alone), served(&loaded));
    let rate = |served: &[f64]| count(served.len()) / time.as_secs_f64();
    figures.note("served a second, with as many as there are places", rate(&calm));
    figures.note("served a second, with ten times as many", rate(&full));
    figures.note("of what it could", 100.0 * rate(&full) / rate(&calm));
    figures.note("99 of 100 served within, without load", percentile(calm, 99));
    figures.note("99 of 100 served within, under load", percentile(full, 99));
    let refused: Vec<_> = loaded.iter().filter(|one| one.status != 200).collect();
    let odd = refused.iter().filter(|one| one.status != 503 || !one.retry).count();
    figures.note(
        "99 of 100 refused within",
        percentile(refused.iter().map(|one| one.took).collect(), 99),
    );
    figures.note("refused otherwise than 503 with Retry-After", count(odd));
    figures.note("growth of memory", (subject.peak()? - before) / 1024.0);
    figures.note("served again after", again);
    Ok(())
}

/// So many clients that call one after the other; who is refused waits a tenth of what he is told.
async fn drive(host: &str, clients: usize, time: Duration) -> Result<Vec<Told>> {
    let bytes = call_bytes(host, "nap", &json!({ "milliseconds": NAP }));
    let end = tokio::time::Instant::now() + time;
    let mut running = JoinSet::new();
    for _ in 0..clients {
        let (host, bytes) = (host.to_owned(), bytes.clone());
        running.spawn(async move {
            let mut all = Vec::new();
            while tokio::time::Instant::now() < end {
                let Ok(told) = send(&host, &bytes).await else { continue };
                all.push(told);
                if told.status != 200 {
                    tokio::time::sleep(Duration::from_millis(1_000)).await;
                }
            }
            all
        });
    }
    let mut all = Vec::new();
    while let Some(one) = running.join_next().await {
        all.extend(one?);
    }
    Ok(all)
}
