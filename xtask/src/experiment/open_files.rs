//! How many files this process and its children may have open.

use anyhow::{Result, bail};
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

/// Raises the bound as far as it may be raised, and refuses when that is not enough.
pub(super) fn ensure(needed: u64) -> Result<()> {
    let limit = getrlimit(Resource::Nofile);
    let enough = |bound: Option<u64>| bound.is_none_or(|bound| bound >= needed);
    if enough(limit.current) {
        return Ok(());
    }
    if !enough(limit.maximum) {
        bail!(
            "{needed} open files are needed, and the hard limit is {}; raise it with ulimit -Hn \
             as root, or ask for fewer streams",
            limit.maximum.unwrap_or_default()
        );
    }
    setrlimit(Resource::Nofile, Rlimit { current: Some(needed), maximum: limit.maximum })?;
    Ok(())
}
