//! How entries lie in the file: one table by key, one by the time they expire, one counter.

use std::time::Duration;

use ::redb::{
    ReadTransaction, ReadableTable, Table, TableDefinition, TableError, WriteTransaction,
};
use bytes::Bytes;

use crate::store::entry::{Entry, Expected, Put, Version};
use crate::store::error::StoreError;
use crate::store::limit::ttl_milliseconds;
use crate::store::scan::{Page, Scan};

/// A key, and behind version and expiry its value.
const ENTRIES: TableDefinition<'_, &str, &[u8]> = TableDefinition::new("entries");
/// What expires, the earliest first.
const EXPIRIES: TableDefinition<'_, (u64, &str), ()> = TableDefinition::new("expiries");
const COUNTERS: TableDefinition<'_, &str, u64> = TableDefinition::new("counters");
const LAST_VERSION: &str = "version";
/// Version and expiry.
const HEADER_BYTES: usize = 16;
/// Stands for an entry that stays.
const NEVER: u64 = u64::MAX;

type Outcome<T> = Result<T, ::redb::Error>;

/// The header of a stored entry, and its value.
struct Record<'r> {
    version: Version,
    expires: u64,
    value: &'r [u8],
}

impl<'r> Record<'r> {
    fn parse(bytes: &'r [u8]) -> Outcome<Self> {
        let parsed = bytes.split_first_chunk().and_then(|(version, rest)| {
            let (expires, value) = rest.split_first_chunk()?;
            let version = Version::new(u64::from_be_bytes(*version));
            Some(Self { version, expires: u64::from_be_bytes(*expires), value })
        });
        parsed.ok_or_else(|| ::redb::Error::Corrupted("an entry is too short".to_owned()))
    }

    const fn is_alive(&self, now: u64) -> bool {
        self.expires > now
    }

    fn entry(&self, now: u64) -> Option<Entry> {
        if !self.is_alive(now) {
            return None;
        }
        let left = (self.expires != NEVER).then(|| Duration::from_millis(self.expires - now));
        Some(Entry::new(Bytes::copy_from_slice(self.value), self.version).ttl(left))
    }
}

/// A file that nothing was written to has no tables yet.
fn absent_is_none<T>(table: Result<T, TableError>) -> Outcome<Option<T>> {
    match table {
        Ok(table) => Ok(Some(table)),
        Err(TableError::TableDoesNotExist(_)) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

pub(super) fn read(transaction: &ReadTransaction, key: &str, now: u64) -> Outcome<Option<Entry>> {
    let Some(entries) = absent_is_none(transaction.open_table(ENTRIES))? else { return Ok(None) };
    let Some(stored) = entries.get(key)? else { return Ok(None) };
    Ok(Record::parse(stored.value())?.entry(now))
}

pub(super) fn read_page(transaction: &ReadTransaction, scan: &Scan, now: u64) -> Outcome<Page> {
    let Some(entries) = absent_is_none(transaction.open_table(ENTRIES))? else {
        return Ok(Page::default());
    };
    let mut found = entries.range(scan.start()..)?;
    let living = std::iter::from_fn(|| {
        loop {
            let (key, stored) = match found.next()? {
                Ok(next) => next,
                Err(error) => return Some(Err(error.into())),
            };
            if !scan.contains(key.value()) {
                return None;
            }
            match Record::parse(stored.value()).map(|record| record.entry(now)) {
                Ok(Some(entry)) => return Some(Ok((key.value().to_owned(), entry))),
                Ok(None) => {}
                Err(error) => return Some(Err(error)),
            }
        }
    });
    Page::collect(scan, living)
}

/// The tables while they are written.
pub(super) struct Tables<'t> {
    entries: Table<'t, &'static str, &'static [u8]>,
    expiries: Table<'t, (u64, &'static str), ()>,
    counters: Table<'t, &'static str, u64>,
    now: u64,
}

impl<'t> Tables<'t> {
    pub(super) fn open(transaction: &'t WriteTransaction, now: u64) -> Outcome<Self> {
        Ok(Self {
            entries: transaction.open_table(ENTRIES)?,
            expiries: transaction.open_table(EXPIRIES)?,
            counters: transaction.open_table(COUNTERS)?,
            now,
        })
    }

    /// Puts an entry; the inner error is a conflict, which changes nothing.
    pub(super) fn put(&mut self, key: &str, put: &Put) -> Outcome<Result<Version, StoreError>> {
        if let Err(conflict) = self.expect(key, put.expected)? {
            return Ok(Err(conflict));
        }
        self.remove(key)?;
        let last = self.counters.get(LAST_VERSION)?.map_or(0, |last| last.value());
        let version = last + 1;
        self.counters.insert(LAST_VERSION, version)?;
        let expires = put.ttl.map_or(NEVER, |ttl| self.now.saturating_add(ttl_milliseconds(ttl)));
        if expires != NEVER {
            self.expiries.insert((expires, key), ())?;
        }
        let mut bytes = Vec::with_capacity(HEADER_BYTES + put.value.len());
        bytes.extend_from_slice(&version.to_be_bytes());
        bytes.extend_from_slice(&expires.to_be_bytes());
        bytes.extend_from_slice(&put.value);
        self.entries.insert(key, bytes.as_slice())?;
        Ok(Ok(Version::new(version)))
    }

    /// Deletes an entry, and says whether there was one.
    pub(super) fn delete(
        &mut self,
        key: &str,
        expected: Expected,
    ) -> Outcome<Result<bool, StoreError>> {
        let current = match self.expect(key, expected)? {
            Ok(current) => current,
            Err(conflict) => return Ok(Err(conflict)),
        };
        if current.is_some() {
            self.remove(key)?;
        }
        Ok(Ok(current.is_some()))
    }

    /// Removes up to `limit` entries that have expired, and says how many there were.
    pub(super) fn collect(&mut self, limit: usize) -> Outcome<usize> {
        let mut expired = Vec::new();
        for next in self.expiries.range(..(self.now.saturating_add(1), ""))?.take(limit) {
            let (place, _) = next?;
            let (expires, key) = place.value();
            expired.push((expires, key.to_owned()));
        }
        for (expires, key) in &expired {
            self.entries.remove(key.as_str())?;
            self.expiries.remove((*expires, key.as_str()))?;
        }
        Ok(expired.len())
    }

    /// The version of an entry that is as expected.
    fn expect(
        &self,
        key: &str,
        expected: Expected,
    ) -> Outcome<Result<Option<Version>, StoreError>> {
        let current = match self.entries.get(key)? {
            Some(stored) => {
                let record = Record::parse(stored.value())?;
                record.is_alive(self.now).then_some(record.version)
            }
            None => None,
        };
        Ok(if expected.allows(current) { Ok(current) } else { Err(StoreError::conflict(current)) })
    }

    fn remove(&mut self, key: &str) -> Outcome<()> {
        let expires = match self.entries.remove(key)? {
            Some(stored) => Record::parse(stored.value())?.expires,
            None => return Ok(()),
        };
        if expires != NEVER {
            self.expiries.remove((expires, key))?;
        }
        Ok(())
    }
}

/// How many records the tables hold, expired ones included.
#[cfg(test)]
pub(super) fn count(transaction: &ReadTransaction) -> Outcome<(u64, u64)> {
    use ::redb::ReadableTableMetadata as _;
    Ok((transaction.open_table(ENTRIES)?.len()?, transaction.open_table(EXPIRIES)?.len()?))
}
