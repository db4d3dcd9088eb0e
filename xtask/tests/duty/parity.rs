//! What the two Elixir systems do, row by row, with the tests that hold it here.

use std::collections::BTreeSet;

use anyhow::{Context, Result, ensure};

use super::claim;

const PAGE: &str = "docs/from-elixir.md";

/// Rows that no test holds yet, and why. It may only shrink.
const WITHOUT: &[(&str, &[&str])] = &[
    ("it is so in the code, and no test can see how long a comparison takes", &["H9"]),
    ("no test completes or listens without the scope", &["H22"]),
    ("an empty scope of an item is no error when the server is built", &["H23"]),
    ("no test waits until keys are old: their clock cannot be set", &["H25"]),
    ("no test tells a redirect or a long answer that is refused from one that is broken", &["H26"]),
    ("no test sends a preflight beyond a rate", &["I2"]),
    ("a refusal is an answer and no event of its own", &["I9"]),
    ("there are no metrics", &["I16", "I17"]),
    ("no test has a tool with a page and with title, icons and metadata too", &["I22"]),
];

/// What the rows are taken from: the material, and how to find in it what needs a row.
const SOURCES: &[(&str, Read)] = &[
    ("parity/genmcp.md", numbered),
    ("parity/conduitmcp.md", lettered),
    ("seeds/000_4ee300ba6fc35cb4.txt", builders),
    ("seeds/003_03f8890a5f59952c.txt", callbacks),
    ("seeds/004_a2e2906aeada80a3.txt", helpers),
];

/// Finds in a text what needs a row.
type Read = fn(&str) -> Vec<String>;

/// A row of the page.
#[derive(Debug)]
struct Row {
    id: String,
    tests: Vec<String>,
}

/// The rows of the page, in its order.
fn rows(page: &str) -> Result<Vec<Row>> {
    let lines = page.lines().filter(|line| {
        line.starts_with("| ") && !line.starts_with("| row |") && !line.starts_with("|---")
    });
    let row = |line: &str| {
        let cells: Vec<_> = line.trim_matches('|').split(" | ").map(str::trim).collect();
        let [id, _, _, tests] = cells.as_slice() else {
            anyhow::bail!("{PAGE}: four cells in {line:?}");
        };
        let tests = tests.split('`').skip(1).step_by(2).map(ToOwned::to_owned).collect();
        Ok(Row { id: id.replace('`', ""), tests })
    };
    lines.map(row).collect()
}

fn page() -> Result<Vec<Row>> {
    rows(&std::fs::read_to_string(crate::root()?.join(PAGE)).context(PAGE)?)
}

/// The numbers of a checklist: `| 12 | …`.
fn numbered(text: &str) -> Vec<String> {
    first_cells(text).filter(|cell| cell.parse::<u32>().is_ok()).map(ToOwned::to_owned).collect()
}

/// The letters of a checklist: `| B12 | …`.
fn lettered(text: &str) -> Vec<String> {
    let is_id = |cell: &&str| {
        cell.starts_with(|first: char| ('A'..='I').contains(&first))
            && cell.get(1..).is_some_and(|rest| rest.parse::<u32>().is_ok())
    };
    first_cells(text).filter(is_id).map(ToOwned::to_owned).collect()
}

/// The first cells of the tables of a checklist, which is the second chapter.
fn first_cells(text: &str) -> impl Iterator<Item = &str> {
    let chapter = text.split("\n# 2. ").nth(1).and_then(|rest| rest.split("\n# 3. ").next());
    let lines = chapter.unwrap_or_default().lines();
    lines.filter_map(|line| Some(line.strip_prefix("| ")?.split(" | ").next()?.trim()))
}

/// Each function of a page with what its lists of options and shorthands name.
fn builders(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for section in text.split("\n# `").skip(1) {
        let Some((name, body)) = section.split_once('`') else { continue };
        if name.contains('.') {
            continue;
        }
        found.push(format!("V2607 {name}"));
        let mut seen = BTreeSet::new();
        for point in body.split("\n* ").skip(1).filter_map(|rest| rest.split("\n\n").next()) {
            // "`:name` - …" is an option where a point begins, "{:name, …}" a shorthand anywhere.
            let option = point.strip_prefix("`:").map(word);
            let second = option.and_then(|_| point.split("` or `:").nth(1)).map(word);
            let shorthands = point.split("{:").skip(1).map(word);
            seen.extend(option.into_iter().chain(second).chain(shorthands));
        }
        found.extend(seen.into_iter().map(|option| format!("V2607 {name} {option}")));
    }
    found
}

/// Each type, callback and function of a behaviour: a line that is nothing but its head.
fn callbacks(text: &str) -> Vec<String> {
    let summary = text.split("\nSummary\n").nth(1).and_then(|rest| rest.split("\nTypes\n").nth(1));
    let heads = summary.unwrap_or_default().lines().filter(|line| line.ends_with(')'));
    let names: BTreeSet<_> = heads.map(word).collect();
    names.into_iter().map(|name| format!("ResourceRepo {name}")).collect()
}

/// Each function of a page.
fn helpers(text: &str) -> Vec<String> {
    let names = text.split("\n# `").skip(1).filter_map(|section| section.split('`').next());
    names.map(|name| format!("Helpers {name}")).collect()
}

/// The word that a text begins with.
fn word(text: &str) -> &str {
    let is_word = |one: char| one.is_ascii_alphanumeric() || one == '_';
    text.get(..text.len() - text.trim_start_matches(is_word).len()).unwrap_or_default()
}

/// What is wrong with the rows: a test or a file that is not there, a row that stands twice, or one
/// that has no test and is not known to have none.
fn faults(rows: &[Row], is_there: impl Fn(&str) -> bool, without: &[&str]) -> Vec<String> {
    let mut found = Vec::new();
    let mut seen = BTreeSet::new();
    for Row { id, tests } in rows {
        if !seen.insert(id) {
            found.push(format!("{id} stands twice"));
        }
        let gone = tests.iter().filter(|test| !is_there(test));
        found.extend(gone.map(|test| format!("{id}: `{test}` does not exist")));
        let pinned = without.contains(&id.as_str());
        if tests.is_empty() != pinned {
            let what =
                if pinned { "has a test now: take it out of WITHOUT" } else { "has no test" };
            found.push(format!("{id} {what}"));
        }
    }
    let unknown = without.iter().filter(|id| !rows.iter().any(|row| row.id == **id));
    found.extend(unknown.map(|id| format!("{id} is no row: take it out of WITHOUT")));
    found
}

#[test]
fn every_row_of_parity_names_tests_that_exist() -> Result<()> {
    let root = crate::root()?;
    let claims = claim::collect(&root)?;
    let tests: BTreeSet<_> = claims.iter().map(|claim| claim.name.as_str()).collect();
    // A path stands for the examples of that file, which rustdoc compiles and runs.
    let has_example = |path: &str| {
        let text = std::fs::read_to_string(root.join(path)).unwrap_or_default();
        text.contains("```\n") && !text.contains("```ignore")
    };
    let is_there = |name: &str| tests.contains(name) || name.contains('/') && has_example(name);
    let without: Vec<_> = WITHOUT.iter().flat_map(|(_, ids)| *ids).copied().collect();
    let found = faults(&page()?, is_there, &without);
    ensure!(found.is_empty(), "{PAGE}:\n{}", found.join("\n"));
    Ok(())
}

#[test]
fn everything_that_the_elixir_systems_do_has_a_row() -> Result<()> {
    let page = page()?;
    let rows: BTreeSet<_> = page.iter().map(|row| row.id.as_str()).collect();
    let mut wanted = BTreeSet::new();
    for (file, read) in SOURCES {
        let Some(text) = crate::shared(file)? else { return Ok(()) };
        let found = read(&text);
        ensure!(found.len() > 10, "{file} is not read: {found:?}");
        wanted.extend(found);
    }
    let lacking: Vec<_> = wanted.iter().filter(|id| !rows.contains(id.as_str())).collect();
    ensure!(lacking.is_empty(), "{PAGE} has no row for {lacking:?}");
    let beyond: Vec<_> = rows.iter().filter(|id| !wanted.contains(**id)).collect();
    ensure!(beyond.is_empty(), "{PAGE} has rows for nothing that is there: {beyond:?}");
    Ok(())
}

mod tests {
    use super::{builders, callbacks, faults, lettered, rows};

    #[test]
    fn a_row_without_its_test_is_a_fault() -> anyhow::Result<()> {
        let page = "| row | there | here | tests |\n|---|---|---|---|\n\
            | `A b` | x | y | `one`, `two` |\n| 2 | x | y | none yet |\n| 2 | x | y | `one` |\n";
        let found = faults(&rows(page)?, |test| test == "one", &["2", "3"]);
        assert_eq!(
            found,
            [
                "A b: `two` does not exist",
                "2 stands twice",
                "2 has a test now: take it out of WITHOUT",
                "3 is no row: take it out of WITHOUT",
            ]
        );
        let found = faults(&rows(page)?, |_| true, &[]);
        assert_eq!(found, ["2 has no test", "2 stands twice"]);
        Ok(())
    }

    #[test]
    fn what_needs_a_row_is_read_from_each_kind_of_page() {
        let text = "# `M.A`\n\n# `f`\n* **`{:text, t}`** x\n* `:uri` - u\n* `:a` or `:b` - c\n";
        assert_eq!(
            builders(text),
            ["V2607 f", "V2607 f a", "V2607 f b", "V2607 f text", "V2607 f uri"]
        );
        let text = "Summary\n\nlist(a)\n\nTypes\n\narg()\n\nFunctions\n\nlist(a)\n";
        assert_eq!(callbacks(&format!("x\n{text}")), ["ResourceRepo arg", "ResourceRepo list"]);
        let text = "\n# 2. List\n| A1 | x |\n| id | y |\n\n# 3. More\n| A2 | x |\n";
        assert_eq!(lettered(text), ["A1"]);
    }
}
