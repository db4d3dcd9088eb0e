//! What tests say of themselves: the rows that the comment above a test names, and the channels that it runs over.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, ensure};

/// What a message crosses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Channel {
    Http,
    Stdio,
}

impl Channel {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Http => "http",
            Self::Stdio => "stdio",
        }
    }
}

/// Words of a test, or of what it calls, that show the channel.
const MARKS: &[(&str, &[Channel])] = &[
    ("on_each(", &[Channel::Http, Channel::Stdio]),
    ("stateless(", &[Channel::Http, Channel::Stdio]),
    ("in_session(", &[Channel::Http, Channel::Stdio]),
    ("Peer::http", &[Channel::Http]),
    ("Http::new(", &[Channel::Http]),
    ("into_http()", &[Channel::Http]),
    ("Peer::lines", &[Channel::Stdio]),
    ("Lines::new(", &[Channel::Stdio]),
    ("Lines::over(", &[Channel::Stdio]),
    ("serve_lines(", &[Channel::Stdio]),
];

/// Folders and files whose tests all speak over one channel.
const PLACES: &[(&str, Channel)] = &[
    ("crates/aqueduct/tests/it/http/", Channel::Http),
    // A process, spoken to by its pipes.
    ("conformance/tests/it/stdio.rs", Channel::Stdio),
];

/// A test and the rows that it is said to hold, which may be none.
#[derive(Debug)]
pub(crate) struct Claim {
    pub(crate) path: String,
    pub(crate) name: String,
    pub(crate) rows: Vec<String>,
    pub(crate) channels: BTreeSet<Channel>,
}

/// All tests of the workspace.
pub(crate) fn collect(root: &Path) -> Result<Vec<Claim>> {
    let output = Command::new("git")
        .args(["ls-files", "--cached", "--others", "--exclude-standard", "*.rs"])
        .current_dir(root)
        .output()
        .context("git did not start")?;
    ensure!(output.status.success(), "git: {}", String::from_utf8_lossy(&output.stderr));
    let paths = String::from_utf8(output.stdout)?;
    let mut claims = Vec::new();
    // What is said here is about the rows, and holds none of them.
    for path in paths.lines().filter(|path| !path.starts_with("xtask/")) {
        // A file that git knows may be gone from the folder.
        if let Ok(text) = std::fs::read_to_string(root.join(path)) {
            claims.extend(of_file(path, &text));
        }
    }
    Ok(claims)
}

/// A function of a file: what stands above it, and its text.
struct Function<'a> {
    /// `name`, or `Type::name` within an `impl`.
    name: String,
    docs: Vec<&'a str>,
    attributes: Vec<&'a str>,
    body: String,
}

impl Function<'_> {
    fn is_test(&self) -> bool {
        let is_test =
            |line: &&str| line.starts_with("#[test]") || line.starts_with("#[tokio::test");
        let is_off = |line: &&str| line.starts_with("#[ignore");
        self.attributes.iter().any(is_test) && !self.attributes.iter().any(is_off)
    }
}

/// The claims of one file, which is formatted as rustfmt does.
fn of_file(path: &str, text: &str) -> Vec<Claim> {
    let functions = functions(text);
    let mut claims = Vec::new();
    for function in functions.iter().filter(|function| function.is_test()) {
        let rows: BTreeSet<_> = function.docs.iter().flat_map(|line| ids(line)).collect();
        let mut channels = channels(function, &functions);
        let place = PLACES.iter().filter(|(place, _)| path.starts_with(place));
        channels.extend(place.map(|(_, channel)| *channel));
        claims.push(Claim {
            path: path.to_owned(),
            name: function.name.clone(),
            rows: rows.into_iter().collect(),
            channels,
        });
    }
    claims
}

fn functions(text: &str) -> Vec<Function<'_>> {
    let lines: Vec<_> = text.lines().collect();
    let mut found = Vec::new();
    let mut owner = None;
    for (at, line) in lines.iter().enumerate() {
        // `impl Error for E {}` has no functions.
        if let Some(rest) = line.strip_prefix("impl").and_then(|rest| rest.strip_suffix(" {")) {
            owner = rest.rsplit(' ').next();
        }
        if *line == "}" {
            owner = None;
        }
        let Some(name) = name_of(line) else { continue };
        let above = lines.get(..at).unwrap_or_default().iter().rev().map(|line| line.trim());
        let above: Vec<_> =
            above.take_while(|line| line.starts_with("#[") || line.starts_with("///")).collect();
        let (docs, attributes) = above.into_iter().partition(|line| line.starts_with("///"));
        let indent = line.len() - line.trim_start().len();
        let end = format!("{}}}", " ".repeat(indent));
        let below = lines.get(at..).unwrap_or_default();
        let length = if line.ends_with('}') {
            1
        } else {
            below.iter().position(|line| *line == end).unwrap_or(below.len())
        };
        let body = below.get(..length).unwrap_or_default().join("\n");
        let name = owner.map_or(name.to_owned(), |owner| format!("{owner}::{name}"));
        found.push(Function { name, docs, attributes, body });
    }
    found
}

/// The name of the function that a line starts.
fn name_of(line: &str) -> Option<&str> {
    let mut words = line.trim_start().split(' ').peekable();
    while words
        .next_if(|word| word.starts_with("pub") || ["async", "const"].contains(word))
        .is_some()
    {}
    let name = words.next_if(|word| *word == "fn").and_then(|_| words.next())?;
    name.split(['(', '<']).next()
}

/// Over which channels a function speaks, by itself or by what it calls in its file.
fn channels(function: &Function<'_>, all: &[Function<'_>]) -> BTreeSet<Channel> {
    let by_name: BTreeMap<&str, &Function<'_>> =
        all.iter().map(|function| (function.name.as_str(), function)).collect();
    let mut seen = BTreeSet::new();
    let mut open = vec![function];
    let mut found = BTreeSet::new();
    while let Some(function) = open.pop() {
        if !seen.insert(function.name.as_str()) {
            continue;
        }
        for (mark, channels) in MARKS {
            if function.body.contains(mark) {
                found.extend(channels.iter().copied());
            }
        }
        // The first line names the function itself.
        let body = function.body.split_once('\n').map_or("", |(_, body)| body);
        let owner = function.name.split("::").next().unwrap_or_default();
        for name in called(body) {
            let full = name.strip_prefix("Self::").map(|name| format!("{owner}::{name}"));
            open.extend(by_name.get(full.as_deref().unwrap_or(name)));
        }
    }
    found
}

/// The paths that a text calls: `name(` and `Type::name(`, methods left out.
fn called(text: &str) -> impl Iterator<Item = &str> {
    let is_path = |one: char| one.is_alphanumeric() || one == '_' || one == ':';
    text.match_indices('(').filter_map(move |(at, _)| {
        let before = text.get(..at)?;
        let path = before.get(before.trim_end_matches(is_path).len()..)?;
        let before = before.strip_suffix(path)?;
        (!path.is_empty() && !before.ends_with('.')).then_some(path)
    })
}

/// The rows that a comment names, each as `TOOL-14`.
fn ids(text: &str) -> impl Iterator<Item = String> {
    text.split(|one: char| !(one.is_ascii_alphanumeric() || one == '-')).filter_map(|word| {
        let (kind, number) = word.split_once('-')?;
        let is_kind = kind.len() > 2 && kind.chars().all(|one| one.is_ascii_uppercase());
        let is_number = number.len() == 2 && number.chars().all(|one| one.is_ascii_digit());
        (is_kind && is_number).then(|| word.to_owned())
    })
}

/// Says loudly that something was not looked at.
#[expect(clippy::print_stderr, reason = "a test that is skipped must be seen to be skipped")]
pub(crate) fn skipped(why: &str) {
    eprintln!("SKIPPED: {why}");
}

mod tests {
    use super::{Channel, of_file};

    fn claims(text: &str) -> Vec<String> {
        let shown = of_file("a.rs", text).into_iter().map(|claim| {
            let channels: Vec<_> = claim.channels.into_iter().map(Channel::name).collect();
            format!("{}: {} {}", claim.name, claim.rows.join(" "), channels.join(" "))
        });
        shown.collect()
    }

    #[test]
    fn a_test_is_read_with_its_rows_and_channels() {
        let text = "\
            /// TOOL-14, SUB-01: words of UTF-8, SEP-2243 and RES-003.\n\
            #[tokio::test]\n\
            async fn one() {\n    Case::new().ask();\n}\n\
            /// BASE-01: here.\n\
            #[test]\n\
            fn two() {\n    other();\n    x.other_method(1);\n}\n\
            fn other() {\n    on_each(1);\n}\n\
            /// BASE-02: nowhere.\n\
            #[test]\n\
            fn three() {\n    x.other(1);\n}\n\
            impl Case {\n    fn new() -> Self {\n        Http::new(1)\n    }\n}\n";
        assert_eq!(
            claims(text),
            ["one: SUB-01 TOOL-14 http", "two: BASE-01 http stdio", "three: BASE-02 "]
        );
    }

    #[test]
    fn what_is_no_test_or_is_switched_off_holds_nothing() {
        let helper = "/// BASE-01: here.\nfn one() {\n}\n";
        let ignored = "/// BASE-01: here.\n#[test]\n#[ignore]\nfn one() {\n}\n";
        let silent = "#[test]\nfn one() {\n    // BASE-01\n}\n";
        assert_eq!(claims(&format!("{helper}{ignored}{silent}")), ["one:  "]);
    }
}
