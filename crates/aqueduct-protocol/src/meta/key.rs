//! The grammar of `_meta` keys, and which of them belong to the protocol.

use std::fmt;

/// Why a key or its value cannot enter a `_meta` object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum KeyError {
    /// The part before the slash is not dot-separated labels.
    Prefix,
    /// The part after the slash is not a name.
    Name,
    /// The key belongs to the protocol.
    Reserved,
    /// The value cannot be written as JSON.
    Value,
}

impl fmt::Display for KeyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Prefix => "the prefix is not dot-separated labels before a slash",
            Self::Name => "the name has characters that it may not, or none",
            Self::Reserved => "the key is reserved for the protocol",
            Self::Value => "the value cannot be written as JSON",
        })
    }
}

impl std::error::Error for KeyError {}

/// Checks a key against the grammar: an optional prefix and a name.
///
/// The prefix is labels joined by dots and ended by a slash; a label begins with a letter, ends
/// with a letter or digit, and has letters, digits and hyphens between.
/// The name is empty, or begins and ends with a letter or digit and has hyphens, underscores and
/// dots between too.
///
/// # Errors
///
/// When the key is not so; whether it is reserved is [`is_reserved`]'s to say.
///
/// ```
/// use aqueduct_protocol::meta::check_key;
///
/// assert!(check_key("com.example.mcp/x").is_ok() && check_key("progressToken").is_ok());
/// assert!(check_key("com..example/x").is_err() && check_key("-x").is_err());
/// ```
pub fn check_key(key: &str) -> Result<(), KeyError> {
    let name = match key.split_once('/') {
        None => key,
        Some((prefix, name)) => {
            if !prefix.split('.').all(is_label) {
                return Err(KeyError::Prefix);
            }
            name
        }
    };
    if name.is_empty() || is_name(name) { Ok(()) } else { Err(KeyError::Name) }
}

/// Checks the identifier of an extension: a key that must have a prefix and a name.
///
/// # Errors
///
/// When the identifier is not so.
///
/// ```
/// use aqueduct_protocol::meta::check_extension;
///
/// assert!(check_extension("com.example/audit").is_ok());
/// assert!(check_extension("tasks").is_err() && check_extension("com.example/").is_err());
/// ```
pub fn check_extension(id: &str) -> Result<(), KeyError> {
    match id.split_once('/') {
        None => Err(KeyError::Prefix),
        Some((_, "")) => Err(KeyError::Name),
        Some(_) => check_key(id),
    }
}

/// Whether a key's prefix is kept for the protocol: its second label is `mcp` or
/// `modelcontextprotocol`.
///
/// ```
/// use aqueduct_protocol::meta::is_reserved;
///
/// assert!(is_reserved("io.modelcontextprotocol/x") && is_reserved("com.mcp.tools/x"));
/// assert!(!is_reserved("com.example.mcp/x") && !is_reserved("x"));
/// ```
#[must_use]
pub fn is_reserved(key: &str) -> bool {
    let Some((prefix, _)) = key.split_once('/') else { return false };
    matches!(prefix.split('.').nth(1), Some("mcp" | "modelcontextprotocol"))
}

fn is_label(label: &str) -> bool {
    label.starts_with(|first: char| first.is_ascii_alphabetic())
        && label.ends_with(|last: char| last.is_ascii_alphanumeric())
        && label.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
}

fn is_name(name: &str) -> bool {
    name.starts_with(|first: char| first.is_ascii_alphanumeric())
        && name.ends_with(|last: char| last.is_ascii_alphanumeric())
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte))
}

#[cfg(test)]
mod tests {
    use super::{KeyError, check_key, is_reserved};

    #[test]
    fn the_grammar_is_that_of_the_specification() {
        let check =
            |key: &str, said: Result<(), KeyError>| assert_eq!(check_key(key), said, "{key}");
        for good in ["x", "1", "a-b_c.d", "a/", "com.example/x", "c1-d.e2/1", "ui", ""] {
            check(good, Ok(()));
        }
        for bad in ["/x", "1a/x", "a-/x", "a..b/x", ".a/x", "a_b/x", "a b/x", "é/x"] {
            check(bad, Err(KeyError::Prefix));
        }
        for bad in ["-x", "x-", "_x", "x.", "a b", "a/b/c", "é", "a/-"] {
            check(bad, Err(KeyError::Name));
        }
    }

    #[test]
    fn the_second_label_decides_what_is_reserved() {
        for key in ["dev.mcp/x", "com.mcp.tools/x", "io.modelcontextprotocol/x", "a.mcp/"] {
            assert!(is_reserved(key), "{key}");
        }
        for key in ["com.example.mcp/x", "mcp/x", "com.mcpx/x", "progressToken", "mcp"] {
            assert!(!is_reserved(key), "{key}");
        }
    }
}
