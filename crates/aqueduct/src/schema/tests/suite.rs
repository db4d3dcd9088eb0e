//! The official JSON Schema Test Suite, when `JSON_SCHEMA_TEST_SUITE` names a checkout of it.
//!
//! Every group that we compile must give the suite's answers.
//! The groups that we refuse on purpose are named below with the reason.

use std::path::{Path, PathBuf};
use std::{env, fs};

use serde_json::Value;

use crate::schema::Validator;

/// Words in a refusal that are decisions of this project and not faults.
const REFUSED_ON_PURPOSE: &[&str] =
    &["leads outside this schema", "which the linear engine cannot do", "dialect \""];

/// The formats that can be asserted.
const ASSERTED: &[&str] = &[
    "date-time",
    "date",
    "time",
    "email",
    "hostname",
    "ipv4",
    "ipv6",
    "uri",
    "uri-reference",
    "json-pointer",
    "uuid",
    "duration",
];

/// Tests whose answer differs on purpose.
const DIFFERENT_ON_PURPOSE: &[&str] = &[
    // A number beyond 64 bits was rounded by the parser, so it is not taken for an integer.
    "bignum is an integer",
    "valid if optional overflow handling is implemented",
    // Keywords that 2020-12 no longer has.
    "dependencies-compatibility.json",
    // What a string contains is not looked at.
    "content.json",
    // Host names are checked as ASCII, not as what their punycode stands for.
    "validation of A-label (punycode) host names",
];

#[test]
fn the_official_suite_agrees() {
    let Some(root) = env::var_os("JSON_SCHEMA_TEST_SUITE").map(PathBuf::from) else {
        eprintln!("SKIPPED: JSON_SCHEMA_TEST_SUITE names no checkout of the official suite");
        return;
    };
    let mut tally = Tally::default();
    for (folder, dialect) in [
        ("draft2020-12", "https://json-schema.org/draft/2020-12/schema"),
        ("draft7", "http://json-schema.org/draft-07/schema#"),
    ] {
        let folder = root.join("tests").join(folder);
        for file in json_files(&folder).into_iter().chain(json_files(&folder.join("optional"))) {
            tally.file(&file, dialect, false);
        }
        for name in ASSERTED {
            let file = folder.join(format!("optional/format/{name}.json"));
            if file.exists() {
                tally.file(&file, dialect, true);
            }
        }
    }
    println!("{} tests agree, {} groups refused on purpose", tally.agree, tally.refused);
    assert!(tally.agree > 1_000, "found only {} tests", tally.agree);
    assert!(tally.faults.is_empty(), "{}", tally.faults.join("\n"));
}

#[derive(Default)]
struct Tally {
    agree: usize,
    refused: usize,
    faults: Vec<String>,
}

impl Tally {
    fn file(&mut self, file: &Path, dialect: &str, formats: bool) {
        let text = fs::read_to_string(file).unwrap();
        let groups: Vec<Value> = serde_json::from_str(&text).unwrap();
        for group in groups {
            let name = format!("{}: {}", file.display(), group["description"]);
            let mut schema = group["schema"].clone();
            if let Some(map) = schema.as_object_mut() {
                map.entry("$schema").or_insert_with(|| dialect.into());
            }
            let validator = match Validator::compile(&schema) {
                Ok(validator) => validator.formats(formats),
                Err(error) => {
                    let why = error.to_string();
                    if REFUSED_ON_PURPOSE.iter().any(|known| why.contains(known)) {
                        println!("refused {name}: {why}");
                        self.refused += 1;
                    } else {
                        self.faults.push(format!("{name}\n  {why}"));
                    }
                    continue;
                }
            };
            for test in group["tests"].as_array().unwrap() {
                self.test(&name, &validator, test);
            }
        }
    }

    fn test(&mut self, name: &str, validator: &Validator, test: &Value) {
        let name = format!("{name} / {}", test["description"]);
        if DIFFERENT_ON_PURPOSE.iter().any(|known| name.contains(known)) {
            return;
        }
        let data = &test["data"];
        let answer = validator.is_valid(data);
        if answer != test["valid"].as_bool().unwrap() {
            self.faults.push(format!("{name}\n  answered {answer}"));
        } else if answer != validator.problems(data).is_empty() {
            self.faults.push(format!("{name}\n  the problems disagree"));
        } else {
            self.agree += 1;
        }
    }
}

fn json_files(folder: &Path) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "json"))
        .collect();
    files.sort();
    files
}
