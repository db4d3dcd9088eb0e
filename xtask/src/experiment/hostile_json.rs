//! Bodies that cost a reader many times their length, thirty-two at once, beside ordinary calls.

use std::time::Duration;

use anyhow::Result;
use serde_json::json;
use tokio::task::JoinSet;

use super::mark::{Figures, Mark, Pass};
use super::peer::{body_bytes, call_bytes};
use super::probe::{Probe, count, send};
use super::subject::Subject;
use super::{Experiment, open_files};
use crate::flags::Flags;
use crate::say::say;

pub(super) const HOSTILE_JSON: Experiment = Experiment {
    name: "hostile-json",
    help: "JSON that is dear to read, 32 at once; [--seconds N]",
    flags: &["--seconds"],
    marks: &[
        Mark { figure: "bodies", unit: "", pass: Pass::Told },
        Mark {
            figure: "answered otherwise than 400, 413, 415, 503",
            unit: "",
            pass: Pass::Exactly(0.0),
        },
        Mark { figure: "peak memory", unit: "MiB", pass: Pass::AtMost(256.0) },
        Mark { figure: "ordinary calls", unit: "", pass: Pass::Told },
        Mark { figure: "of these failed", unit: "", pass: Pass::Exactly(0.0) },
        Mark { figure: "99 of 100 within", unit: "ms", pass: Pass::AtMost(100.0) },
    ],
    run,
};

const AT_ONCE: usize = 32;
/// As long as a body may be, and longer.
const SIZES: [usize; 2] = [1024 * 1024 - 600, 4 * 1024 * 1024];

fn run(flags: &Flags) -> Result<Figures> {
    let seconds = flags.value("--seconds").unwrap_or("30").parse()?;
    open_files::ensure(1_000)?;
    let subject = Subject::start("hard")?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let mut figures = Figures::default();
    runtime.block_on(measure(&subject, Duration::from_secs(seconds), &mut figures))?;
    Ok(figures)
}

/// The shapes, each filled up to a length.
fn shapes(size: usize) -> Vec<String> {
    let list = |element: &str| {
        let many = vec![element; size / (element.len() + 1)].join(",");
        format!("[{many}]")
    };
    let keys: Vec<_> = (0..size / 12).map(|nth| format!("\"k{nth:06}\":0")).collect();
    vec![
        list("0"),
        list("[]"),
        list("{}"),
        list("{\"a\":{}}"),
        list("1e99"),
        list("\"\\u0041\""),
        format!("{{{}}}", keys.join(",")),
        format!("{}{}", "[".repeat(size / 2), "]".repeat(size / 2)),
        format!("{}1{}", "{\"a\":".repeat(size / 6), "}".repeat(size / 6)),
        "9".repeat(size),
        "[".repeat(size),
        format!("\"{}", "\\ud800".repeat(size / 6)),
    ]
}

fn bodies(host: &str) -> Vec<Vec<u8>> {
    let mut bodies = Vec::new();
    for shape in SIZES.into_iter().flat_map(shapes) {
        let message = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call" });
        let open = message.to_string().trim_end_matches('}').to_owned();
        let inside = format!("{open},\"params\":{{\"name\":\"echo\",\"arguments\":{shape}}}}}");
        bodies.push(body_bytes(host, &inside, ""));
        bodies.push(body_bytes(host, &shape, ""));
    }
    let zeros = "0".repeat(1024);
    bodies.push(body_bytes(host, &zeros, "Content-Encoding: gzip\r\n"));
    bodies
}

async fn measure(subject: &Subject, time: Duration, figures: &mut Figures) -> Result<()> {
    let bodies = bodies(&subject.host);
    // What is warmed up first is no cost of what follows.
    send(&subject.host, &call_bytes(&subject.host, "echo", &json!({ "text": "x" }))).await?;
    let probe = Probe::start(&subject.host, Duration::from_millis(20));
    let end = tokio::time::Instant::now() + time;
    let (mut sent, mut odd) = (0, 0);
    let mut running = JoinSet::new();
    for body in bodies.iter().cycle() {
        if tokio::time::Instant::now() > end {
            break;
        }
        let (host, body) = (subject.host.clone(), body.clone());
        running.spawn(async move { send(&host, &body).await });
        sent += 1;
        if running.len() >= AT_ONCE {
            odd += running.join_next().await.map_or(0, |one| odd_status(one.ok()));
        }
    }
    while let Some(one) = running.join_next().await {
        odd += odd_status(one.ok());
    }
    let (calls, failed, within) = probe.end().await?;
    figures.note("bodies", count(sent));
    figures.note("answered otherwise than 400, 413, 415, 503", count(odd));
    figures.note("peak memory", subject.peak()? / 1024.0);
    figures.note("ordinary calls", calls);
    figures.note("of these failed", failed);
    figures.note("99 of 100 within", within);
    Ok(())
}

fn odd_status(told: Option<Result<super::probe::Told>>) -> usize {
    match told {
        Some(Ok(told)) if [400, 413, 415, 503].contains(&told.status) => 0,
        other => {
            say(&format!("{other:?}"));
            1
        }
    }
}
