//! A tool that asks twice and charges once between: what may be run across several processes.

use std::fs::OpenOptions;
use std::io::{self, Write as _};
use std::path::PathBuf;

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

pub(crate) fn tools() -> [Tool; 1] {
    list![test_charge_once]
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
