//! What the server's settings promise about acknowledged writes.

use std::collections::HashMap;
use std::time::Duration;

use ::redis::aio::MultiplexedConnection;
use ::redis::{InfoDict, RedisResult, cmd};

use crate::store::promise::{Durability, Promise};

/// What `appendfsync everysec` can lose: a sync that lasts delays the next by as much again.
const EVERY_SECOND: Duration = Duration::from_secs(2);

/// What was asked of the server when it was connected to.
#[derive(Clone, Debug, Default)]
pub(super) struct Settings {
    /// `None` when the server does not tell, as managed ones do.
    append: Option<HashMap<String, String>>,
    eviction: Option<String>,
    replicas: usize,
    pub(super) is_replica: bool,
}

impl Settings {
    pub(super) async fn ask(mut connection: MultiplexedConnection) -> RedisResult<Self> {
        let info: InfoDict = cmd("INFO").query_async(&mut connection).await?;
        let mut config = async |pattern: &str| {
            let mut asked = cmd("CONFIG");
            let asked = asked.arg("GET").arg(pattern);
            asked.query_async::<HashMap<String, String>>(&mut connection).await.ok()
        };
        let append = config("append*").await;
        let eviction =
            config("maxmemory-policy").await.and_then(|mut found| found.remove("maxmemory-policy"));
        Ok(Self {
            append,
            eviction,
            replicas: info.get("connected_slaves").unwrap_or_default(),
            is_replica: info.get::<String>("role").is_some_and(|role| role == "slave"),
        })
    }

    pub(super) fn promise(&self) -> Promise {
        let mut notes = Vec::new();
        let durability = self.durability(&mut notes);
        if let Some(policy) = self.eviction.as_deref().filter(|policy| *policy != "noeviction") {
            notes.push(format!(
                "maxmemory-policy is {policy}, which may throw entries away; set it to noeviction"
            ));
        }
        if self.replicas > 0 {
            notes.push("when a replica takes over, what it had not received is lost".to_owned());
        }
        let promise = Promise::new("redis", durability).shared();
        if notes.is_empty() { promise } else { promise.note(notes.join("; ")) }
    }

    fn durability(&self, notes: &mut Vec<String>) -> Durability {
        const MEND: &str = "for tasks that survive set appendonly yes and appendfsync always";
        let Some(append) = &self.append else {
            notes.push("the server does not tell its persistence settings".to_owned());
            return Durability::Chance;
        };
        let get = |name: &str| append.get(name).map(String::as_str);
        match (get("appendonly"), get("appendfsync")) {
            (Some("yes"), Some("always")) => Durability::Synced,
            (Some("yes"), Some("everysec")) => Durability::Window(EVERY_SECOND),
            (Some("yes"), _) => {
                notes.push(format!("appendfsync is no; {MEND}"));
                Durability::Chance
            }
            _ => {
                notes.push(format!("appendonly is off; {MEND}"));
                Durability::Chance
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings(append: &[(&str, &str)]) -> Settings {
        let append = append.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
        Settings { append: Some(append.collect()), ..Settings::default() }
    }

    #[test]
    fn each_setting_promises_what_it_keeps() {
        let check = |appendonly, appendfsync| {
            settings(&[("appendonly", appendonly), ("appendfsync", appendfsync)]).promise()
        };
        assert_eq!(check("yes", "always").durability, Durability::Synced);
        assert_eq!(check("yes", "always").note, None);
        assert_eq!(check("yes", "everysec").durability, Durability::Window(EVERY_SECOND));
        assert_eq!(check("yes", "no").durability, Durability::Chance);
        assert_eq!(check("no", "always").durability, Durability::Chance);
        assert!(check("no", "always").to_string().contains("set appendonly yes"));
        let silent = Settings::default().promise();
        assert_eq!(silent.durability, Durability::Chance);
    }

    #[test]
    fn what_may_lose_entries_besides_is_said() {
        let mut settings = settings(&[("appendonly", "yes"), ("appendfsync", "always")]);
        settings.eviction = Some("allkeys-lru".to_owned());
        settings.replicas = 1;
        let text = settings.promise().to_string();
        assert!(text.contains("set it to noeviction") && text.contains("replica"), "{text}");
    }
}
