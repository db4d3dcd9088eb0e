//! What the compiler says of the attributes: right uses compile without a warning, wrong ones are
//! told once, at their own place, with the mend.
//!
//! - `pass/*.rs` compiles with all warnings denied.
//! - `fail/MISTAKE/*.rs` marks each line on which an error begins with `//~ words of it`, and has
//!   no other errors. So a second error for one mistake breaks the test.
//! - `fail/MISTAKE/*.stderr` pins errors that are wholly ours to the letter; `UPDATE=1` rewrites
//!   it. Where the compiler has a say, only the words on the line are held against it, because the
//!   rest changes from release to release.
//!
//! This runs `rustc` on what cargo has built already, which takes a second a case; a harness that
//! sets up a project of its own would build all dependencies again.

#![expect(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "the exemption for tests does not reach their helpers"
)]

mod compile;
mod expect;

use std::fs;
use std::path::{Path, PathBuf};

use self::compile::Compiler;
use self::expect::{Expected, Told};

fn cases(folder: &str) -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/ui").join(folder);
    let mut folders = vec![root];
    let mut cases = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("the folder of cases") {
            let path = entry.expect("an entry of it").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                cases.push(path);
            }
        }
    }
    cases.sort();
    cases
}

/// Runs the check on all cases, two at a time, and tells what failed.
fn each(cases: &[PathBuf], check: impl Fn(&Path) -> Result<(), String> + Sync) {
    let half = cases.len().div_ceil(2);
    let failed: Vec<String> = std::thread::scope(|scope| {
        let run = |part: &[PathBuf]| -> Vec<String> {
            let failed = part.iter().filter_map(|path| {
                let problem = check(path).err()?;
                Some(format!("{}:\n{problem}", path.display()))
            });
            failed.collect()
        };
        let (first, second) = cases.split_at(half.min(cases.len()));
        let other = scope.spawn(move || run(second));
        let mut failed = run(first);
        failed.extend(other.join().expect("no check panics"));
        failed
    });
    assert!(failed.is_empty(), "{} of {}\n\n{}", failed.len(), cases.len(), failed.join("\n\n"));
}

#[test]
fn what_is_right_compiles_without_a_warning() {
    let compiler = Compiler::find();
    let cases = cases("pass");
    assert!(cases.len() >= 3, "{cases:?}");
    each(&cases, |path| {
        let told = compiler.run(path, &["-Dwarnings"]);
        if told.is_empty() { Ok(()) } else { Err(Told::all(&told)) }
    });
}

#[test]
fn what_is_wrong_is_told_once_and_where_it_is() {
    let compiler = Compiler::find();
    let cases = cases("fail");
    assert!(cases.len() >= 15, "{cases:?}");
    each(&cases, |path| {
        let source = fs::read_to_string(path).expect("the case");
        let told = compiler.run(path, &["-Awarnings"]);
        Expected::read(&source).check(&told)?;
        let golden = path.with_extension("stderr");
        if !told.iter().all(Told::is_ours) {
            let stale = golden.exists().then_some("has a .stderr that is not wholly ours");
            return stale.map_or(Ok(()), |stale| Err(stale.to_owned()));
        }
        let text = Told::all(&told);
        if std::env::var_os("UPDATE").is_some() {
            fs::write(&golden, &text).expect("the golden file");
        }
        let pinned = fs::read_to_string(&golden).unwrap_or_default();
        if pinned == text {
            return Ok(());
        }
        Err(format!("is not what {} says:\n{text}", golden.display()))
    });
}
