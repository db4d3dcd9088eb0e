//! What was acknowledged survives a process that is killed in the middle of writing.

use std::{
    env,
    io::{BufRead, BufReader, Write},
    process::{Command, Stdio},
};

use memory::store::{Change, Memory, NewNote};

const FILE: &str = "MEMORY_CRASH_TEST_FILE";

/// The process that is killed: it writes without end and says what it was promised.
#[tokio::test]
#[ignore = "only runs inside of the next test"]
async fn writes_until_it_is_killed() {
    let Some(path) = env::var_os(FILE) else {
        return;
    };
    let memory = Memory::open(std::path::PathBuf::from(path)).unwrap();
    let mut out = std::io::stdout();
    for n in 0.. {
        let text = format!("acknowledged {n} {}", "filler ".repeat(n % 90));
        let note = memory.remember(NewNote::new(text).tags([format!("n-{n}")])).await.unwrap().note;
        writeln!(out, "kept {} {n}", note.id).unwrap();
        if n % 3 == 0 {
            memory.update(note.id, Change::new().tags(["changed"])).await.unwrap();
            writeln!(out, "changed {} {n}", note.id).unwrap();
        }
        if n % 5 == 0 {
            memory.forget(vec![note.id]).await.unwrap();
            writeln!(out, "gone {} {n}", note.id).unwrap();
        }
    }
}

#[tokio::test]
async fn what_was_acknowledged_is_there_after_a_kill() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("memory.db");
    let mut promises = Vec::new();
    for lines in [1, 40, 97, 150] {
        let mut child = Command::new(env::current_exe().unwrap())
            .args(["--exact", "crash::writes_until_it_is_killed", "--ignored", "--nocapture"])
            .env(FILE, &path)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let out = BufReader::new(child.stdout.take().unwrap());
        let mut read = out.lines().map(Result::unwrap).filter(|line| {
            ["kept ", "changed ", "gone "].iter().any(|start| line.starts_with(start))
        });
        promises.extend(read.by_ref().take(lines));
        child.kill().unwrap();
        child.wait().unwrap();
        // What it still said before it died counts as well, except for a line that was cut.
        promises.extend(read);
    }
    let memory = Memory::open(&path).unwrap();
    let mut fate = std::collections::BTreeMap::new();
    for line in &promises {
        let mut words = line.split(' ');
        let (what, id) = (words.next().unwrap(), words.next().unwrap());
        if id.len() == 12 {
            fate.insert(id, what);
        }
    }
    assert!(fate.len() >= 100, "{} notes", fate.len());
    for (id, what) in fate {
        let found = memory.get(id.parse().unwrap()).await;
        match what {
            "gone" => assert!(found.unwrap_err().is_not_found(), "{id}"),
            "changed" => assert_eq!(found.unwrap().tags, ["changed"], "{id}"),
            _ => drop(found.unwrap()),
        }
    }
    // The index agrees with the notes: every one is found by the word that they all have.
    let all = memory.recall(memory::store::Search::new("acknowledged")).await.unwrap();
    assert_eq!(all.total, memory.stats().await.unwrap().notes);
}
