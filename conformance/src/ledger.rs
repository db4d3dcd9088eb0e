//! Tools that write down what they do: what may be run across several processes.

use std::fs::OpenOptions;
use std::io::{self, Write as _};
use std::path::PathBuf;
use std::time::Duration;

use aqueduct::context::TaskRun;
use aqueduct::prelude::*;

/// A file outside of all processes, a line a charge.
pub(crate) struct Ledger(pub(crate) PathBuf);

impl Ledger {
    fn charge(&self, whom: &str) -> io::Result<String> {
        let mut file = OpenOptions::new().append(true).create(true).open(&self.0)?;
        writeln!(file, "{whom}")?;
        file.sync_all()?;
        Ok(format!("receipt {}", std::process::id()))
    }
}

pub(crate) fn tools() -> [Tool; 3] {
    list![test_charge_once, test_effect_rerun, test_effect_fail]
}

#[form]
struct Guest {
    /// Who travels
    name: String,
}

#[form]
struct Seat {
    /// Where to sit
    row: u8,
}

/// Asks who travels, charges, and asks where to sit
#[tool]
async fn test_charge_once(ledger: State<Ledger>, ctx: Context) -> Result<String> {
    let guest: Guest = ctx.elicit("guest", "Who travels?").await?;
    let receipt: String = ctx.once("charge", async || ledger.charge(&guest.name)).await?;
    let seat: Seat = ctx.elicit("seat", "In which row?").await?;
    Ok(format!("{} in row {}, {receipt}", guest.name, seat.row))
}

/// Does something outside, as a task that is done again when its process dies
#[tool(task = "required", recover = "rerun")]
async fn test_effect_rerun(
    /// What is written down
    key: String,
    /// How long it takes, in milliseconds
    ms: u64,
    ledger: State<Ledger>,
    ctx: Context,
) -> Result<String> {
    effect(&ledger, &key, ms, &ctx).await
}

/// Does something outside, as a task that fails when its process dies
#[tool(task = "required", recover = "fail")]
async fn test_effect_fail(
    /// What is written down
    key: String,
    /// How long it takes, in milliseconds
    ms: u64,
    ledger: State<Ledger>,
    ctx: Context,
) -> Result<String> {
    effect(&ledger, &key, ms, &ctx).await
}

/// An effect in the middle of the work, and one that is made once.
async fn effect(ledger: &Ledger, key: &str, ms: u64, ctx: &Context) -> Result<String> {
    tokio::time::sleep(Duration::from_millis(ms / 2)).await;
    ledger.charge(key)?;
    tokio::time::sleep(Duration::from_millis(ms / 2)).await;
    let attempt = ctx.task().map_or(0, TaskRun::attempt);
    Ok(format!("{key} in run {attempt}"))
}
