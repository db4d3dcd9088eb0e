//! How long keys, values and messages may be; every store holds to the same bounds.

use std::time::Duration;

use bytes::Bytes;

use super::error::StoreError;

/// How many bytes a key has at most.
pub const MAX_KEY_BYTES: usize = 512;
/// How many bytes a value has at most.
pub const MAX_VALUE_BYTES: usize = 4 * 1024 * 1024;
/// What encryption may add to a value.
pub(super) const OVERHEAD: usize = 256;
/// How many entries a page of a scan has at most.
pub const MAX_PAGE: usize = 1_000;
/// After how many bytes of values a page of a scan ends; an entry alone may be longer.
pub const MAX_PAGE_BYTES: usize = 4 * 1024 * 1024;
/// How many bytes a message on the bus has at most; what is longer belongs into the store.
pub const MAX_MESSAGE_BYTES: usize = 64 * 1024;
/// How long an entry with a time to live lives at most: a hundred years.
pub const MAX_TTL: Duration = Duration::from_secs(100 * 365 * 24 * 60 * 60);

/// Refuses a key or a topic that is empty or too long.
///
/// # Errors
/// Invalid, or too large.
pub fn check_key(key: &str) -> Result<(), StoreError> {
    if key.is_empty() {
        return Err(StoreError::invalid("a key is empty"));
    }
    let bytes = key.len();
    if bytes > MAX_KEY_BYTES {
        let message = format!("a key has {bytes} bytes, {MAX_KEY_BYTES} are the limit");
        return Err(StoreError::too_large(message));
    }
    Ok(())
}

/// Refuses a value that is too long.
///
/// # Errors
/// Too large.
pub fn check_value(value: &Bytes) -> Result<(), StoreError> {
    let bytes = value.len();
    if bytes > MAX_VALUE_BYTES + OVERHEAD {
        let message = format!("a value has {bytes} bytes, {MAX_VALUE_BYTES} are the limit");
        return Err(StoreError::too_large(message));
    }
    Ok(())
}

/// Refuses a message that is too long.
///
/// # Errors
/// Too large.
pub fn check_message(message: &Bytes) -> Result<(), StoreError> {
    let bytes = message.len();
    if bytes > MAX_MESSAGE_BYTES + OVERHEAD {
        let message = format!(
            "a message has {bytes} bytes, {MAX_MESSAGE_BYTES} are the limit; put it into the store \
             and publish its key"
        );
        return Err(StoreError::too_large(message));
    }
    Ok(())
}

/// A time to live in the milliseconds that stores count: at least one, at most [`MAX_TTL`].
#[must_use]
pub fn ttl_milliseconds(ttl: Duration) -> u64 {
    u64::try_from(ttl.min(MAX_TTL).as_millis()).unwrap_or(u64::MAX).max(1)
}
