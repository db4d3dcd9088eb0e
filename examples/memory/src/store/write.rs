//! Changing the memory: each function is given a transaction that its failure undoes.

use std::collections::BTreeSet;

use rusqlite::{Connection, OptionalExtension};

use super::{
    Change, Error, Forgotten, MAX_TAGS, NewNote, Note, NoteId, Remembered, Result, Timestamp,
    note::digest, query::seamed, read, tag,
};

/// Keeps a checked note, or merges it into the one that has the same text.
pub(super) fn remember(change: &Connection, new: &NewNote) -> Result<Remembered> {
    let digest = digest(&new.text);
    let known = holder_of(change, &digest)?;
    let id = match known {
        Some(id) => merge(change, id, new)?,
        None => insert(change, new, &digest)?,
    };
    let note = must_read(change, id)?;
    Ok(Remembered { note, already_known: known.is_some() })
}

fn holder_of(change: &Connection, digest: &[u8]) -> Result<Option<NoteId>> {
    let sql = "SELECT id FROM note WHERE digest = ?";
    Ok(change.query_row(sql, [digest], |row| row.get(0)).optional()?)
}

fn insert(change: &Connection, new: &NewNote, digest: &[u8]) -> Result<NoteId> {
    let now = Timestamp::now();
    let (random, last) =
        change.query_row("SELECT random(), (SELECT max(id) FROM note)", [], |row| {
            Ok((row.get(0)?, row.get(1)?))
        })?;
    let id = NoteId::next(now, random, last);
    change.execute(
        "INSERT INTO note (id, text, digest, source, created_at, updated_at)
         VALUES (?, ?, ?, ?, ?, ?)",
        (id, &new.text, digest, &new.source, now, now),
    )?;
    set_tags(change, id, &new.tags)?;
    change.execute(
        "INSERT INTO word (rowid, text, tags) VALUES (?, ?, ?)",
        (id, seamed(&new.text), seamed(&new.tags.join(" "))),
    )?;
    Ok(id)
}

/// Adds tags to a note that is already there, and the source if it had none.
fn merge(change: &Connection, id: NoteId, new: &NewNote) -> Result<NoteId> {
    let mut note = must_read(change, id)?;
    let before = (note.tags.clone(), note.source.clone());
    note.tags =
        before.0.iter().chain(&new.tags).cloned().collect::<BTreeSet<_>>().into_iter().collect();
    note.source = note.source.or_else(|| new.source.clone());
    if note.tags.len() > MAX_TAGS {
        return Err(tag::too_many(note.tags.len()));
    }
    if (&note.tags, &note.source) != (&before.0, &before.1) {
        save(change, note)?;
    }
    Ok(id)
}

/// Changes what a checked change names.
pub(super) fn update(change: &Connection, id: NoteId, wanted: &Change) -> Result<Note> {
    let before = read::note(change, id)?.ok_or_else(|| Error::not_found(id))?;
    let mut note = before.clone();
    if wanted.unchanged_since.is_some_and(|seen| seen != note.updated_at) {
        return Err(Error::conflict(format!(
            "note \"{id}\" changed at {}; read it again and decide anew",
            note.updated_at
        )));
    }
    if let Some(text) = &wanted.text {
        if let Some(other) = holder_of(change, &digest(text))?.filter(|other| *other != id) {
            return Err(Error::conflict(format!(
                "note \"{other}\" has exactly this text already; update that one and forget \"{id}\""
            )));
        }
        note.text.clone_from(text);
    }
    if let Some(tags) = &wanted.tags {
        note.tags.clone_from(tags);
    }
    if let Some(source) = wanted.source.as_deref().map(str::trim) {
        note.source = (!source.is_empty()).then(|| source.to_owned());
    }
    if note == before { Ok(note) } else { save(change, note) }
}

/// Writes a note over its former self, with an `updated_at` that is later than any seen before.
fn save(change: &Connection, mut note: Note) -> Result<Note> {
    let after = Timestamp::from_millis(note.updated_at.millis().saturating_add(1));
    note.updated_at = Timestamp::now().max(after);
    change.execute(
        "UPDATE note SET text = ?, digest = ?, source = ?, updated_at = ? WHERE id = ?",
        (&note.text, digest(&note.text), &note.source, note.updated_at, note.id),
    )?;
    set_tags(change, note.id, &note.tags)?;
    change.execute(
        "UPDATE word SET text = ?, tags = ? WHERE rowid = ?",
        (seamed(&note.text), seamed(&note.tags.join(" ")), note.id),
    )?;
    Ok(note)
}

fn set_tags(change: &Connection, id: NoteId, tags: &[String]) -> Result<()> {
    change.execute("DELETE FROM tag WHERE note = ?", [id])?;
    let mut statement = change.prepare("INSERT INTO tag (note, name) VALUES (?, ?)")?;
    for tag in tags {
        statement.execute((id, tag))?;
    }
    Ok(())
}

/// Removes notes for good: the file is set to overwrite their bytes, in the index too.
pub(super) fn forget(change: &Connection, ids: &[NoteId]) -> Result<Forgotten> {
    let mut result = Forgotten { forgotten: Vec::new(), unknown: Vec::new() };
    for id in ids.iter().copied().collect::<BTreeSet<_>>() {
        let Some(note) = read::note(change, id)? else {
            result.unknown.push(id);
            continue;
        };
        change.execute("DELETE FROM word WHERE rowid = ?", [id])?;
        change.execute("DELETE FROM note WHERE id = ?", [id])?;
        result.forgotten.push(note);
    }
    Ok(result)
}

fn must_read(change: &Connection, id: NoteId) -> Result<Note> {
    read::note(change, id)?.ok_or_else(|| Error::internal(format!("note \"{id}\" vanished")))
}
