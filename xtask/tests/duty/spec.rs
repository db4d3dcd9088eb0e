//! The rows of the digest of the specification: what has to be held, and how strongly.

use anyhow::{Context, Result};

use super::claim::Channel;

/// The longer word first, because the shorter one begins it.
const LEVELS: [&str; 5] = ["MUST NOT", "MUST", "SHOULD NOT", "SHOULD", "MAY"];

/// Every numbered row of what servers owe, with its level; the errors are numbered in their order.
pub(crate) fn rows(digest: &str) -> Result<Vec<(String, String)>> {
    let (_, duties) = digest.split_once("## 1.1 ").context("no section 1.1")?;
    let (duties, _) = duties.split_once("\n# 2. ").context("no section 2")?;
    let (duties, errors) = duties.split_once("## 1.21 ").context("no section 1.21")?;
    let mut rows: Vec<_> = duties.lines().filter_map(row).collect();
    let errors = errors.lines().filter(|line| line.starts_with("| ") && !line.contains("| id |"));
    rows.extend((1..).zip(errors).map(|(nth, line)| {
        let known = LEVELS.iter().find(|level| has_word(line, level)).copied();
        let level = known.unwrap_or(if line.contains('‡') { "ours" } else { "-" });
        (format!("ERR-{nth:02}"), level.to_owned())
    }));
    Ok(rows)
}

/// A line like `- **BASE-01 MUST** …`; a keyword may also come later in bold.
fn row(line: &str) -> Option<(String, String)> {
    let (head, rest) = line.strip_prefix("- **")?.split_once("**")?;
    let (id, mark) = head.split_once(' ').unwrap_or((head, ""));
    let (_, number) = id.split_once('-')?;
    let is_id = number.len() == 2 && number.chars().all(|digit| digit.is_ascii_digit());
    let rest = rest.split('▸').next().unwrap_or_default();
    let later = || {
        let bold = rest.split("**").skip(1).step_by(2);
        bold.into_iter().find_map(|word| LEVELS.into_iter().find(|level| *level == word))
    };
    let level = LEVELS.into_iter().find(|level| has_word(mark, level)).or_else(later);
    let level = level.unwrap_or(if mark.contains('‡') { "ours" } else { "-" });
    is_id.then(|| (id.to_owned(), level.to_owned()))
}

/// The first name of each hole that is catalogued: `CVE-…`, `GHSA-…` or a thread as `repo#1`.
pub(crate) fn holes(text: &str) -> Vec<String> {
    let rows = text.lines().filter_map(|line| {
        let mut cells = line.strip_prefix("| ")?.split(" | ");
        let (number, ids) = (cells.next()?, cells.next()?);
        let is_row = number.strip_prefix(['A', 'S']).is_some_and(|rest| {
            !rest.is_empty() && rest.chars().all(|digit| digit.is_ascii_digit())
        });
        is_row.then_some(ids)
    });
    let first = |ids: &str| {
        let mut words = ids.split([' ', ',', '/', '(']);
        words.find(|word| word.contains('-') || word.contains('#')).map(str::to_owned)
    };
    rows.filter_map(first).collect()
}

/// The reported faults of some kinds, as `B25`, with the channels that each is about; those of the
/// handshake revisions alone are left out.
pub(crate) fn faults(text: &str, kinds: &[&str]) -> Vec<(String, Vec<Channel>)> {
    let of_kind = text.split("\n### ").skip(1).filter(|part| {
        kinds.iter().any(|kind| part.strip_prefix(kind).is_some_and(|rest| rest.starts_with(". ")))
    });
    let all = of_kind.flat_map(|part| part.split("\n#### ").skip(1));
    let modern = all.filter_map(|fault| {
        let mut lines = fault.lines();
        let id = lines.next()?.split(' ').next()?;
        let marks = lines.next()?;
        let channels = [Channel::Http, Channel::Stdio].into_iter();
        let channels = channels.filter(|channel| marks.contains(&format!("[{}]", channel.name())));
        (!marks.contains("[2025-compat]")).then(|| (id.to_owned(), channels.collect()))
    });
    modern.collect()
}

fn has_word(text: &str, word: &str) -> bool {
    text.contains(word)
}

mod tests {
    use super::{faults, rows};
    use crate::duty::claim::Channel;

    #[test]
    fn faults_are_read_by_their_kind_and_generation() {
        let text = "x\n### C. c\n\n#### B01 a\n[both] [http]\n\n### D. d\n\n#### B02 b\n\
            [2026] [http] [stdio]\n\n#### B03 c\n[2025-compat] [http]\n";
        let both = vec![Channel::Http, Channel::Stdio];
        assert_eq!(faults(text, &["D"]), [("B02".to_owned(), both)]);
    }

    #[test]
    fn rows_are_read_with_their_level() -> anyhow::Result<()> {
        let digest = "## 1.1 x\n- **A-01 MUST NOT** a ▸ **SHOULD** t\n- **A-02** names **SHOULD**\n\
            - **A-03 ‡** c\n- **other** d\n## 1.21 x\n| code | name | id |\n|---|\n\
            | -1 | 400 (MUST) | echo |\n| -2 | 400 ‡ | echo |\n\n# 2. CLIENT\n- **B-01 MUST** b\n";
        let found = rows(digest)?;
        let found: Vec<_> = found.iter().map(|(id, level)| format!("{id} {level}")).collect();
        assert_eq!(
            found,
            ["A-01 MUST NOT", "A-02 SHOULD", "A-03 ours", "ERR-01 MUST", "ERR-02 ours"]
        );
        Ok(())
    }
}
