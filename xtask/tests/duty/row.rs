//! A row of the page: what a duty asks, of which channels, and whether tests hold it.

use anyhow::{Context, Result, ensure};

use super::claim::{Channel, Claim};

/// Where a duty can be seen to be kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Applies {
    Both,
    Http,
    Stdio,
    /// When a server is built, or in a type: on no channel.
    Build,
}

/// One duty.
#[derive(Debug)]
pub(crate) struct Row {
    pub(crate) id: String,
    /// The keyword of the specification, `ours`, or `-`.
    pub(crate) level: String,
    pub(crate) applies: Applies,
    pub(crate) words: String,
}

impl Row {
    /// The tests that name it.
    pub(crate) fn claims<'a>(&self, claims: &'a [Claim]) -> impl Iterator<Item = &'a Claim> {
        let id = self.id.clone();
        claims.iter().filter(move |claim| claim.rows.contains(&id))
    }

    /// What of it no test holds, each in words like `SUB-10 over http`.
    pub(crate) fn gaps(&self, claims: &[Claim]) -> Vec<String> {
        if self.claims(claims).next().is_none() {
            return vec![self.id.clone()];
        }
        let wanted: &[Channel] = match self.applies {
            Applies::Both => &[Channel::Http, Channel::Stdio],
            Applies::Http => &[Channel::Http],
            Applies::Stdio => &[Channel::Stdio],
            Applies::Build => &[],
        };
        let lacks =
            |channel: &&Channel| !self.claims(claims).any(|claim| claim.channels.contains(channel));
        let lacking = wanted.iter().filter(lacks);
        lacking.map(|channel| format!("{} over {}", self.id, channel.name())).collect()
    }
}

/// Reads `id | level | applies | words`, a row a line.
pub(crate) fn parse(text: &str) -> Result<Vec<Row>> {
    let mut rows: Vec<Row> = Vec::new();
    for line in text.lines() {
        let mut parts = line.splitn(4, " | ").map(str::to_owned);
        let mut next = || parts.next().with_context(|| format!("four parts: {line}"));
        let (id, level, applies, words) = (next()?, next()?, next()?, next()?);
        let applies = match applies.as_str() {
            "both" => Applies::Both,
            "http" => Applies::Http,
            "stdio" => Applies::Stdio,
            "build" => Applies::Build,
            other => anyhow::bail!("{id} applies to {other:?}"),
        };
        ensure!(!rows.iter().any(|row| row.id == id), "{id} is there twice");
        rows.push(Row { id, level, applies, words });
    }
    Ok(rows)
}

mod tests {
    use super::{Claim, parse};
    use crate::duty::claim::Channel;

    #[test]
    fn a_row_lacks_what_no_test_shows() -> anyhow::Result<()> {
        let rows = parse("A-01 | MUST | both | a\nA-02 | - | build | b")?;
        let claim = |row: &str, channels: &[Channel]| Claim {
            path: "a.rs".to_owned(),
            name: "a".to_owned(),
            rows: vec![row.to_owned()],
            channels: channels.iter().copied().collect(),
        };
        let gaps = |claims: &[Claim]| -> Vec<String> {
            rows.iter().flat_map(|row| row.gaps(claims)).collect()
        };
        assert_eq!(gaps(&[]), ["A-01", "A-02"]);
        assert_eq!(gaps(&[claim("A-01", &[Channel::Http])]), ["A-01 over stdio", "A-02"]);
        let both = claim("A-01", &[Channel::Http, Channel::Stdio]);
        assert_eq!(gaps(&[both, claim("A-02", &[])]), [""; 0]);
        assert!(parse("A-01 | MUST | both").is_err());
        assert!(parse("A-01 | MUST | both | a\nA-01 | MUST | both | a").is_err());
        Ok(())
    }
}
