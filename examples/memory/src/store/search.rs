//! Finding notes: full matches first, weaker ones only when there is no full one.

use rusqlite::{Connection, ToSql, Transaction, params_from_iter};
use schemars::JsonSchema;
use serde::Serialize;

use super::{
    Error, MAX_PAGE, MAX_QUERY_BYTES, Note, NoteId, Result, Timestamp,
    query::{Query, joined, unseamed},
    read, tag,
};

/// Texts up to this size come whole in a list of hits; of longer ones the best part is shown.
const WHOLE_BYTES: usize = 1_200;
/// The most the index can give: words around the place that matched.
const EXCERPT_WORDS: i64 = 64;
const EXCERPT_CHARS: usize = 400;
/// How many words rank an answer that no note matches fully.
const TELLING_WORDS: usize = 8;
/// More matches than these come newest first: what so many notes have in common tells them less
/// apart than their age does, and ranking takes time for every one of them.
const RANKED: u64 = 3_000;
/// A query of more parts is a sentence, whose words hardly all stand inside of other words.
const FEW_PARTS: usize = 3;

/// What [`Memory::recall`](super::Memory::recall) is asked.
#[derive(Debug, Clone)]
pub struct Search {
    query: String,
    tags: Vec<String>,
    since: Option<Timestamp>,
    until: Option<Timestamp>,
    limit: u32,
    offset: u32,
}

impl Search {
    /// How many hits come when nothing else is said.
    pub const LIMIT: u32 = 10;

    /// A search for words; an empty one gives the newest notes.
    #[must_use]
    pub fn new(query: impl Into<String>) -> Self {
        let (query, tags) = (query.into(), Vec::new());
        Self { query, tags, since: None, until: None, limit: Self::LIMIT, offset: 0 }
    }

    /// Tags that a note must all have; `work` also stands for `work/…`.
    #[must_use]
    pub fn tags<T: Into<String>>(mut self, tags: impl IntoIterator<Item = T>) -> Self {
        self.tags = tags.into_iter().map(Into::into).collect();
        self
    }

    /// Only notes that were written or changed at this moment or later.
    #[must_use]
    pub fn since(mut self, since: Timestamp) -> Self {
        self.since = Some(since);
        self
    }

    /// Only notes that were written at this moment or earlier.
    #[must_use]
    pub fn until(mut self, until: Timestamp) -> Self {
        self.until = Some(until);
        self
    }

    /// The number of hits in one answer.
    #[must_use]
    pub fn limit(mut self, limit: u32) -> Self {
        self.limit = limit;
        self
    }

    /// The number of hits to pass over, to go on where an answer ended.
    #[must_use]
    pub fn offset(mut self, offset: u32) -> Self {
        self.offset = offset;
        self
    }

    pub(super) fn checked(self) -> Result<Self> {
        if self.query.len() > MAX_QUERY_BYTES {
            return Err(Error::invalid(format!(
                "the query has {} bytes; use a few words, at most {MAX_QUERY_BYTES} bytes",
                self.query.len()
            )));
        }
        if !(1..=MAX_PAGE).contains(&self.limit) {
            let limit = self.limit;
            return Err(Error::invalid(format!("limit is {limit}; use 1 to {MAX_PAGE}")));
        }
        if let (Some(since), Some(until)) = (self.since, self.until)
            && since > until
        {
            return Err(Error::invalid(format!("since ({since}) is later than until ({until})")));
        }
        Ok(Self { tags: tag::normal(&self.tags)?, ..self })
    }
}

/// What a search found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct Recalled {
    /// The notes of this answer, the best first
    pub hits: Vec<Hit>,
    /// How many notes match in all
    pub total: u64,
    /// How well these notes match the query
    pub matched: Matched,
    /// The offset that continues this answer, if there is more
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_offset: Option<u32>,
}

/// How well the notes of an answer match.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Matched {
    /// The notes were asked for by id and are whole
    Id,
    /// There was no query: the newest notes
    Newest,
    /// Every word of the query, in any form of it
    EveryWord,
    /// Every part of the query, though inside of other words
    EveryPart,
    /// At least one of the rarer words of the query; no note has them all
    AnyWord,
    /// No note matches
    Nothing,
}

/// A note that a search found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct Hit {
    /// The id of the note
    pub id: NoteId,
    /// The text, or the best part of it if it is long
    pub text: String,
    /// Whether `text` is only a part; ask for the id to read the whole
    pub excerpt: bool,
    /// The tags, sorted
    pub tags: Vec<String>,
    /// Where the text came from, if that was said
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// When it was first remembered
    pub created_at: Timestamp,
    /// When it last changed
    pub updated_at: Timestamp,
}

/// Answers a checked search from one snapshot of the file.
pub(super) fn recall(connection: &mut Connection, search: &Search) -> Result<Recalled> {
    let snapshot = connection.transaction()?;
    let query = Query::new(&search.query);
    for way in ways(&query) {
        let Some(plan) = Plan::new(*way, &query, &snapshot)? else {
            continue;
        };
        let plan = plan.filtered(search);
        let total = plan.count(&snapshot)?;
        if total == 0 {
            continue;
        }
        let hits = plan.hits(&snapshot, search, &query, total)?;
        let shown = u32::try_from(hits.len()).unwrap_or(u32::MAX);
        let end = search.offset.saturating_add(shown);
        let next_offset = (shown > 0 && u64::from(end) < total).then_some(end);
        return Ok(Recalled { hits, total, matched: *way, next_offset });
    }
    Ok(Recalled { hits: Vec::new(), total: 0, matched: Matched::Nothing, next_offset: None })
}

/// Reads notes whole, in the order of their ids; all of them or none.
pub(super) fn read(connection: &mut Connection, ids: &[NoteId]) -> Result<Recalled> {
    let snapshot = connection.transaction()?;
    let (mut hits, mut unknown) = (Vec::new(), Vec::new());
    for id in ids {
        match read::note(&snapshot, *id)? {
            Some(note) => hits.push(Hit::of(note, None)),
            None => unknown.push(id.to_string()),
        }
    }
    if !unknown.is_empty() {
        return Err(Error::not_found(unknown.join("\", \"")));
    }
    let total = u64::try_from(hits.len()).unwrap_or_default();
    Ok(Recalled { hits, total, matched: Matched::Id, next_offset: None })
}

impl Hit {
    fn of(note: Note, excerpt: Option<String>) -> Self {
        Self {
            id: note.id,
            excerpt: excerpt.is_some(),
            text: excerpt.unwrap_or(note.text),
            tags: note.tags,
            source: note.source,
            created_at: note.created_at,
            updated_at: note.updated_at,
        }
    }
}

/// The ways to look, the strictest first. Which one answers depends on what is in the file and
/// not on the offset, so that the pages of one search fit together.
fn ways(query: &Query) -> &'static [Matched] {
    if query.is_empty() {
        return &[Matched::Newest];
    }
    if query.parts().len() <= FEW_PARTS {
        return &[Matched::EveryWord, Matched::EveryPart, Matched::AnyWord];
    }
    &[Matched::EveryWord, Matched::AnyWord, Matched::EveryPart]
}

/// The rarest of several words, as many as can be ranked. Those in more than half of the notes
/// tell nothing apart, unless there is no other.
fn telling(words: Vec<String>, snapshot: &Transaction<'_>) -> Result<Vec<String>> {
    let all: u64 = snapshot.query_row("SELECT count(*) FROM note", [], |row| row.get(0))?;
    let mut counted = Vec::new();
    let mut count = snapshot.prepare("SELECT count(*) FROM word WHERE word MATCH ?")?;
    for word in words {
        let notes: u64 = count.query_row([&word], |row| row.get(0))?;
        if notes > 0 {
            counted.push((notes, word));
        }
    }
    counted.sort();
    let mut sum = 0;
    let tells = |(notes, _): &&(u64, String)| {
        sum += notes;
        *notes <= all / 2 && sum <= RANKED
    };
    let count = counted.iter().take(TELLING_WORDS).take_while(tells).count();
    Ok(counted.into_iter().take(count.max(1)).map(|(_, word)| word).collect())
}

/// One way to look: a condition on `note`, and on the index `word` if there is an expression.
struct Plan {
    expression: Option<String>,
    tables: &'static str,
    conditions: Vec<String>,
    values: Vec<Box<dyn ToSql>>,
}

impl Plan {
    /// Makes a plan, unless the query has nothing that can be looked for in this way.
    fn new(way: Matched, query: &Query, snapshot: &Transaction<'_>) -> Result<Option<Self>> {
        let expression = match way {
            Matched::EveryWord => query.every_word(),
            Matched::AnyWord => joined(&telling(query.single_words(), snapshot)?, " OR "),
            Matched::Id | Matched::Newest | Matched::EveryPart | Matched::Nothing => None,
        };
        let words = matches!(way, Matched::EveryWord | Matched::AnyWord);
        if words && expression.is_none() {
            return Ok(None);
        }
        let tables = if words { "word" } else { "note" };
        let plan = Self { expression, tables, conditions: Vec::new(), values: Vec::new() };
        let parts = way == Matched::EveryPart;
        Ok(Some(if parts { plan.containing(query.parts()) } else { plan }))
    }

    fn containing(mut self, parts: &[String]) -> Self {
        for part in parts {
            let part = part.replace('\\', "\\\\").replace('%', "\\%").replace('_', "\\_");
            self.needs_note("note.text LIKE ? ESCAPE '\\'", format!("%{part}%"));
        }
        self
    }

    fn filtered(mut self, search: &Search) -> Self {
        for tag in &search.tags {
            // The character after "/" is "0", so the range holds "tag/…" and nothing else.
            self.conditions.push(format!(
                "EXISTS (SELECT 1 FROM tag WHERE tag.note = {}
                 AND (tag.name = ? OR tag.name > ? AND tag.name < ?))",
                self.id()
            ));
            self.values.push(Box::new(tag.clone()));
            self.values.push(Box::new(format!("{tag}/")));
            self.values.push(Box::new(format!("{tag}0")));
        }
        if let Some(since) = search.since {
            self.needs_note("note.updated_at >= ?", since);
        }
        if let Some(until) = search.until {
            self.needs_note("note.created_at <= ?", until);
        }
        self
    }

    fn needs_note(&mut self, condition: &str, value: impl ToSql + 'static) {
        if self.expression.is_some() {
            self.tables = "word CROSS JOIN note ON note.id = word.rowid";
        }
        self.conditions.push(condition.to_owned());
        self.values.push(Box::new(value));
    }

    fn id(&self) -> &'static str {
        if self.expression.is_some() { "word.rowid" } else { "note.id" }
    }

    /// Everything after `SELECT …`, with its values in order.
    fn from(&self) -> (String, Vec<&dyn ToSql>) {
        let mut values: Vec<&dyn ToSql> = self.values.iter().map(AsRef::as_ref).collect();
        let mut conditions: Vec<_> = self.conditions.iter().map(String::as_str).collect();
        if let Some(expression) = &self.expression {
            conditions.insert(0, "word MATCH ?");
            values.insert(0, expression);
        }
        let mut sql = format!("FROM {}", self.tables);
        for (place, condition) in conditions.into_iter().enumerate() {
            sql.push_str(if place == 0 { " WHERE " } else { " AND " });
            sql.push_str(condition);
        }
        (sql, values)
    }

    fn count(&self, snapshot: &Transaction<'_>) -> Result<u64> {
        let (from, values) = self.from();
        let sql = format!("SELECT count(*) {from}");
        Ok(snapshot.query_row(&sql, params_from_iter(values), |row| row.get(0))?)
    }

    fn hits(
        &self,
        snapshot: &Transaction<'_>,
        search: &Search,
        query: &Query,
        total: u64,
    ) -> Result<Vec<Hit>> {
        let (from, mut values) = self.from();
        let id = self.id();
        let ranked = self.expression.is_some() && total <= RANKED;
        let order = if ranked { "word.rank, word.rowid DESC" } else { "1 DESC" };
        values.extend([&search.limit as &dyn ToSql, &search.offset]);
        let sql = format!("SELECT {id} {from} ORDER BY {order} LIMIT ? OFFSET ?");
        let mut statement = snapshot.prepare(&sql)?;
        let ids = statement.query_map(params_from_iter(values), |row| row.get(0))?;
        let ids = ids.collect::<rusqlite::Result<Vec<NoteId>>>()?;
        ids.into_iter().map(|id| self.hit(snapshot, id, query)).collect()
    }

    fn hit(&self, snapshot: &Transaction<'_>, id: NoteId, query: &Query) -> Result<Hit> {
        let note = read::note(snapshot, id)?.ok_or_else(|| Error::not_found(id))?;
        if note.text.len() <= WHOLE_BYTES {
            return Ok(Hit::of(note, None));
        }
        let excerpt = match &self.expression {
            Some(expression) => unseamed(&snapshot.query_row(
                "SELECT snippet(word, 0, '', '', '…', ?) FROM word WHERE word MATCH ? AND rowid = ?",
                (EXCERPT_WORDS, expression, id),
                |row| row.get::<_, String>(0),
            )?),
            None => around(&note.text, query.parts().first().map_or("", String::as_str)),
        };
        Ok(Hit::of(note, Some(excerpt)))
    }
}

/// The part of a long text around the first place where `part` stands.
fn around(text: &str, part: &str) -> String {
    let place = text.to_ascii_lowercase().find(&part.to_ascii_lowercase()).unwrap_or_default();
    let (before, after) = text.split_at_checked(place).unwrap_or(("", text));
    let skipped = before.chars().count().saturating_sub(EXCERPT_CHARS / 4);
    let kept = before.chars().skip(skipped).chain(after.chars()).take(EXCERPT_CHARS);
    let mut excerpt: String = (skipped > 0).then_some('…').into_iter().chain(kept).collect();
    if skipped + EXCERPT_CHARS < text.chars().count() {
        excerpt.push('…');
    }
    excerpt
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_part_around_a_place_is_bounded_and_holds_it() {
        let text = format!("{}NEEDLE{}", "ü ".repeat(5_000), " ß".repeat(5_000));
        let excerpt = around(&text, "needle");
        assert!(excerpt.contains("NEEDLE") && excerpt.starts_with('…') && excerpt.ends_with('…'));
        assert_eq!(excerpt.chars().count(), EXCERPT_CHARS + 2);
        assert_eq!(around("short", "absent"), "short");
        assert_eq!(around("short", ""), "short");
    }
}
