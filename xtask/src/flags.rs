//! The words after a task's name: `--flag value` pairs and the rest.

use std::collections::BTreeMap;

use anyhow::{Context, Result, bail};

/// What the user typed, taken apart.
#[derive(Debug)]
pub(crate) struct Flags {
    values: BTreeMap<String, String>,
}

impl Flags {
    /// Takes the words apart and refuses a flag that the task does not know.
    pub(crate) fn parse(words: &[String], known: &[&str]) -> Result<Self> {
        let mut values = BTreeMap::new();
        let mut words = words.iter();
        while let Some(word) = words.next() {
            let (flag, joined) = match word.split_once('=') {
                Some((flag, value)) => (flag, Some(value.to_owned())),
                None => (word.as_str(), None),
            };
            if !known.contains(&flag) {
                bail!("no flag \"{flag}\"; known are {}", known.join(", "));
            }
            let value = match joined {
                Some(value) => value,
                None => words.next().with_context(|| format!("{flag} needs a value"))?.clone(),
            };
            values.insert(flag.to_owned(), value);
        }
        Ok(Self { values })
    }

    /// The value of a flag, if it was given.
    pub(crate) fn value(&self, flag: &str) -> Option<&str> {
        self.values.get(flag).map(String::as_str)
    }
}

#[cfg(test)]
mod tests {
    use super::Flags;

    fn check(words: &[&str]) -> anyhow::Result<Flags> {
        let words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
        Flags::parse(&words, &["--scenario"])
    }

    #[test]
    fn a_value_follows_a_space_or_an_equals_sign() {
        assert_eq!(check(&["--scenario", "ping"]).unwrap().value("--scenario"), Some("ping"));
        assert_eq!(check(&["--scenario=ping"]).unwrap().value("--scenario"), Some("ping"));
    }

    #[test]
    fn an_unknown_flag_and_a_missing_value_are_refused() {
        assert!(check(&["--senario", "ping"]).is_err());
        assert!(check(&["--scenario"]).is_err());
    }
}
