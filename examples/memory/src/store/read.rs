//! Looking things up without searching: one note, pages, tags, completions, figures.

use rusqlite::{Connection, OptionalExtension, Row};

use super::{
    Completed, Headline, MAX_COMPLETIONS, MAX_TAGS_LISTED, Note, NoteId, Page, Result, Stats,
    TagCount,
};

const TITLE_CHARS: usize = 80;

/// Reads one note.
pub(super) fn note(connection: &Connection, id: NoteId) -> Result<Option<Note>> {
    let found = connection.query_row(
        "SELECT id, text, source, created_at, updated_at,
             (SELECT group_concat(name, ' ' ORDER BY name) FROM tag WHERE tag.note = note.id)
         FROM note WHERE id = ?",
        [id],
        |row| {
            Ok(Note {
                id: row.get(0)?,
                text: row.get(1)?,
                source: row.get(2)?,
                created_at: row.get(3)?,
                updated_at: row.get(4)?,
                tags: split(row, 5)?,
            })
        },
    );
    Ok(found.optional()?)
}

/// Tags come joined by spaces, which no tag contains.
fn split(row: &Row<'_>, column: usize) -> rusqlite::Result<Vec<String>> {
    let joined: Option<String> = row.get(column)?;
    Ok(joined.unwrap_or_default().split_whitespace().map(str::to_owned).collect())
}

/// Reads the page of the newest notes that are older than `after`.
///
/// The cursor is an id and not a count, so notes that are added or forgotten in the meantime
/// neither repeat nor hide another.
pub(super) fn page(connection: &Connection, after: Option<NoteId>, limit: u32) -> Result<Page> {
    let mut statement = connection.prepare(
        "SELECT id, substr(text, 1, ?1), octet_length(text), updated_at,
             (SELECT group_concat(name, ' ' ORDER BY name) FROM tag WHERE tag.note = note.id)
         FROM note WHERE ?2 IS NULL OR id < ?2 ORDER BY id DESC LIMIT ?3",
    )?;
    let start = i64::try_from(TITLE_CHARS + 1).unwrap_or_default();
    let rows = statement.query_map((start, after, u64::from(limit) + 1), |row| {
        Ok(Headline {
            id: row.get(0)?,
            title: title(&row.get::<_, String>(1)?),
            bytes: row.get(2)?,
            updated_at: row.get(3)?,
            tags: split(row, 4)?,
        })
    })?;
    let mut notes = rows.collect::<rusqlite::Result<Vec<_>>>()?;
    let limit = usize::try_from(limit).unwrap_or(usize::MAX);
    let more = notes.len() > limit;
    notes.truncate(limit);
    let next = notes.last().filter(|_| more).map(|note| note.id);
    Ok(Page { notes, next })
}

/// The first line, cut where a title ends.
fn title(start: &str) -> String {
    let line = start.lines().next().unwrap_or_default().trim_end();
    if line.chars().count() <= TITLE_CHARS {
        return line.to_owned();
    }
    let cut: String = line.chars().take(TITLE_CHARS).collect();
    let whole = cut.rsplit_once(' ').map_or(cut.as_str(), |(words, _)| words);
    format!("{whole}…")
}

/// Lists tags, those with the most notes first.
pub(super) fn tags(connection: &Connection) -> Result<Vec<TagCount>> {
    let mut statement = connection.prepare(
        "SELECT name, count(*) FROM tag GROUP BY name ORDER BY count(*) DESC, name LIMIT ?",
    )?;
    let rows = statement.query_map([MAX_TAGS_LISTED], |row| {
        Ok(TagCount { tag: row.get(0)?, notes: row.get(1)? })
    })?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

/// Completes a tag: those that begin with the value first, then those that contain it.
pub(super) fn complete_tag(connection: &mut Connection, value: &str) -> Result<Completed> {
    let snapshot = connection.transaction()?;
    let value = value.trim().to_lowercase();
    let total = snapshot.query_row(
        "SELECT count(DISTINCT name) FROM tag WHERE instr(name, ?) > 0",
        [&value],
        |row| row.get(0),
    )?;
    let mut statement = snapshot.prepare(
        "SELECT name FROM tag WHERE instr(name, ?1) > 0 GROUP BY name
         ORDER BY instr(name, ?1) > 1, count(*) DESC, name LIMIT ?2",
    )?;
    let rows = statement.query_map((&value, MAX_COMPLETIONS), |row| row.get(0))?;
    Ok(Completed { values: rows.collect::<rusqlite::Result<_>>()?, total })
}

/// Completes an id, the newest first.
pub(super) fn complete_id(connection: &mut Connection, value: &str) -> Result<Completed> {
    let snapshot = connection.transaction()?;
    let Some(span) = NoteId::beginning_with(value) else {
        return Ok(Completed { values: Vec::new(), total: 0 });
    };
    let span = span.into_inner();
    let total =
        snapshot.query_row("SELECT count(*) FROM note WHERE id BETWEEN ? AND ?", span, |row| {
            row.get(0)
        })?;
    let mut statement = snapshot
        .prepare("SELECT id FROM note WHERE id BETWEEN ? AND ? ORDER BY id DESC LIMIT ?")?;
    let rows = statement.query_map((span.0, span.1, MAX_COMPLETIONS), |row| {
        Ok(row.get::<_, NoteId>(0)?.to_string())
    })?;
    Ok(Completed { values: rows.collect::<rusqlite::Result<_>>()?, total })
}

/// Counts what there is.
pub(super) fn stats(connection: &Connection) -> Result<Stats> {
    let found = connection.query_row(
        "SELECT count(*), (SELECT count(DISTINCT name) FROM tag),
             coalesce(sum(octet_length(text)), 0), min(created_at), max(updated_at),
             (SELECT page_count * page_size FROM pragma_page_count, pragma_page_size)
         FROM note",
        [],
        |row| {
            Ok(Stats {
                notes: row.get(0)?,
                tags: row.get(1)?,
                text_bytes: row.get(2)?,
                oldest: row.get(3)?,
                newest: row.get(4)?,
                file_bytes: row.get(5)?,
            })
        },
    );
    Ok(found?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_title_is_one_line_that_ends_with_a_word() {
        assert_eq!(title("One line\nand another"), "One line");
        assert_eq!(title(&"x".repeat(TITLE_CHARS)), "x".repeat(TITLE_CHARS));
        let long = title(&"word ".repeat(30));
        assert!(long.ends_with("word…") && long.chars().count() <= TITLE_CHARS + 1, "{long}");
    }
}
