//! The YAML at the head of a `SKILL.md`, as JSON.

use serde_json::{Map, Value};

/// How long a skill's name may be (Agent Skills › name).
const MAX_NAME: usize = 64;
/// How long its description may be (Agent Skills › description).
const MAX_DESCRIPTION: usize = 1024;
/// How much of a file may be frontmatter.
const MAX_FRONTMATTER: usize = 64 * 1024;
const MARK: &str = "---";

/// What the frontmatter says, with every field; `Err` tells what is wrong with it.
pub(super) fn parse(text: &str) -> Result<Map<String, Value>, String> {
    let yaml = head(text)?;
    let options = serde_saphyr::options! { strict_booleans: true };
    let read: Value = serde_saphyr::from_str_with_options(yaml, options).map_err(|error| {
        let told = error.to_string();
        let first = told.lines().next().unwrap_or_default().to_owned();
        format!("its frontmatter is no YAML: {first}")
    })?;
    let Value::Object(fields) = read else {
        return Err("its frontmatter is no mapping of fields to values".to_owned());
    };
    field(&fields, "description", MAX_DESCRIPTION)?;
    let name = field(&fields, "name", MAX_NAME)?;
    if !is_name(name) {
        return Err(format!(
            "its name {name:?} is none: a-z, 0-9 and single hyphens between them (Agent Skills)"
        ));
    }
    Ok(fields)
}

/// What stands between the first line, which is `---`, and the next such line.
fn head(text: &str) -> Result<&str, String> {
    let is_mark = |line: &str| line.trim_end() == MARK;
    let mut lines = text.split_inclusive('\n');
    let first = lines.next().filter(|line| is_mark(line)).map(str::len).ok_or_else(|| {
        "it does not begin with frontmatter: a first line of \"---\", fields, and \"---\" again"
            .to_owned()
    })?;
    let mut end = first;
    for line in lines {
        if is_mark(line) {
            return Ok(text.get(first..end).unwrap_or_default());
        }
        end += line.len();
        if end > MAX_FRONTMATTER {
            return Err(format!("its frontmatter is over {MAX_FRONTMATTER} bytes"));
        }
    }
    Err("its frontmatter has no end: a line of \"---\" after the fields".to_owned())
}

/// A field that must be a text, and how long.
pub(super) fn field<'f>(
    fields: &'f Map<String, Value>,
    name: &str,
    limit: usize,
) -> Result<&'f str, String> {
    let text = match fields.get(name) {
        Some(Value::String(text)) => text,
        Some(_) => return Err(format!("its frontmatter's {name} is no text; put it in quotes")),
        None => return Err(format!("its frontmatter has no {name}")),
    };
    if text.trim().is_empty() {
        return Err(format!("its frontmatter's {name} is empty"));
    }
    match text.chars().count() {
        length if length > limit => Err(format!(
            "its frontmatter's {name} has {length} characters, and {limit} are allowed"
        )),
        _ => Ok(text),
    }
}

fn is_name(name: &str) -> bool {
    let part = |part: &str| {
        !part.is_empty() && part.bytes().all(|one| one.is_ascii_lowercase() || one.is_ascii_digit())
    };
    name.split('-').all(part)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn read(yaml: &str) -> Result<Value, String> {
        parse(&format!("---\n{yaml}---\nbody\n")).map(Value::Object)
    }

    #[test]
    fn every_field_is_kept_with_its_type() {
        let yaml = "name: a-1\ndescription: >\n  two\n  lines\nlicense: yes\nversion: 1.5\n\
                    metadata:\n  on: true\n  tags: [a, 2, ~]\nday: 2026-07-28\n";
        let expected = json!({
            "name": "a-1", "description": "two lines\n", "license": "yes", "version": 1.5,
            "metadata": { "on": true, "tags": ["a", 2, null] }, "day": "2026-07-28",
        });
        assert_eq!(read(yaml).unwrap(), expected);
        let crlf = "---\r\nname: a\r\ndescription: b\r\n---\r\nbody";
        assert_eq!(Value::Object(parse(crlf).unwrap()), json!({ "name": "a", "description": "b" }));
        assert!(parse("---\nname: a\ndescription: b\n---").is_ok());
    }

    #[test]
    fn what_is_wrong_is_told() {
        for (text, told) in [
            ("", "does not begin with frontmatter"),
            ("# A\n---\n", "does not begin"),
            ("\u{feff}---\nname: a\n---\n", "does not begin"),
            ("---\nname: a\n", "no end"),
            ("---\n- a\n---\n", "no mapping"),
            ("---\nname: a\n---\n", "no description"),
            ("---\ndescription: a\n---\n", "no name"),
            ("---\nname: 1\ndescription: a\n---\n", "quotes"),
            ("---\nname: a\ndescription: ' '\n---\n", "empty"),
            ("---\nname: A\ndescription: a\n---\n", "\"A\""),
            ("---\nname: a--b\ndescription: a\n---\n", "single hyphens"),
            ("---\nname: -a\ndescription: a\n---\n", "single hyphens"),
            ("---\nname: a\nname: b\ndescription: a\n---\n", "duplicate"),
            ("---\nname: [\n---\n", "no YAML"),
            ("---\na: &a [x]\nb: *c\n---\n", "no YAML"),
        ] {
            let problem = parse(text).unwrap_err();
            assert!(problem.contains(told), "{text:?}: {problem}");
            assert!(!problem.contains('\n'), "{problem}");
        }
        let long = |name: &str, length| {
            let fields = [("name", "a".to_owned()), ("description", "b".to_owned())];
            let fields = fields.map(|(known, text)| match known == name {
                true => format!("{known}: {}\n", "x".repeat(length)),
                false => format!("{known}: {text}\n"),
            });
            read(&fields.concat())
        };
        assert!(long("name", 64).is_ok() && long("name", 65).is_err());
        assert!(long("description", 1024).is_ok() && long("description", 1025).is_err());
        let bomb: String = (0..30)
            .map(|nth| format!("a{}: &a{} [*a{nth}, *a{nth}]\n", nth + 1, nth + 1))
            .collect();
        assert!(read(&format!("name: a\ndescription: b\na0: &a0 [x, x]\n{bomb}")).is_err());
        assert!(parse(&format!("---\nx: {}\n", "y\n".repeat(MAX_FRONTMATTER))).is_err());
    }
}
