//! From `key=value` on the command line to the JSON that a tool or prompt takes.

use serde_json::{Map, Value};

use crate::failure::Failure;

/// Whether the arguments can only be read with the tool's schema at hand.
pub(crate) fn need_schema(words: &[String]) -> bool {
    words.iter().any(|word| matches!(split(word), Some((_, Written::Plain(_)))))
}

/// Reads the arguments of a tool: one JSON object, or pairs typed by the tool's input schema.
///
/// # Errors
///
/// When a word is neither an object nor a pair, or a value is not of the declared type.
pub(crate) fn for_tool(
    words: &[String],
    schema: Option<&Value>,
) -> Result<Map<String, Value>, Failure> {
    if let [word] = words
        && word.starts_with('{')
    {
        return serde_json::from_str(word).map_err(|error| {
            Failure::Usage(format!("the arguments are not a JSON object: {error}"))
        });
    }
    let mut arguments = Map::new();
    for word in words {
        let (key, written) = split(word).ok_or_else(|| not_a_pair(word))?;
        match written {
            Written::Json(json) => {
                let value = serde_json::from_str(json)
                    .map_err(|error| Failure::Usage(format!("{key}: not JSON: {error}")))?;
                arguments.insert(key.to_owned(), value);
            }
            Written::Plain(text) => {
                insert_plain(&mut arguments, key, text, &declared(schema, key))?;
            }
        }
    }
    Ok(arguments)
}

/// Reads the arguments of a prompt, which are strings.
///
/// # Errors
///
/// When a word is not a pair.
pub(crate) fn for_prompt(words: &[String]) -> Result<Map<String, Value>, Failure> {
    words
        .iter()
        .map(|word| {
            let (key, value) = word.split_once('=').ok_or_else(|| not_a_pair(word))?;
            Ok((key.to_owned(), Value::from(value)))
        })
        .collect()
}

enum Written<'a> {
    Plain(&'a str),
    Json(&'a str),
}

fn split(word: &str) -> Option<(&str, Written<'_>)> {
    let (key, value) = word.split_once('=')?;
    Some(match key.strip_suffix(':') {
        Some(key) => (key, Written::Json(value)),
        None => (key, Written::Plain(value)),
    })
}

fn not_a_pair(word: &str) -> Failure {
    Failure::Usage(format!("not an argument: {word:?}; write key=value or one JSON object"))
}

/// The types that the schema gives a property; empty when it does not say.
fn declared<'a>(schema: Option<&'a Value>, key: &str) -> Vec<&'a str> {
    let types = schema.and_then(|schema| schema.get("properties")?.get(key)?.get("type"));
    match types {
        Some(Value::String(name)) => vec![name],
        Some(Value::Array(names)) => names.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    }
}

fn insert_plain(
    arguments: &mut Map<String, Value>,
    key: &str,
    text: &str,
    declared: &[&str],
) -> Result<(), Failure> {
    if declared.contains(&"string") {
        arguments.insert(key.to_owned(), Value::from(text));
        return Ok(());
    }
    let json = serde_json::from_str::<Value>(text);
    if declared.contains(&"array") && !matches!(json, Ok(Value::Array(_))) {
        // Repeating the key fills the list: `tag=a tag=b`.
        let list = arguments.entry(key).or_insert_with(|| Value::Array(Vec::new()));
        if let Value::Array(items) = list {
            items.push(Value::from(text));
        }
        return Ok(());
    }
    let value = match json {
        Ok(value) => value,
        Err(_) if declared.is_empty() => Value::from(text),
        Err(_) => {
            let types = declared.join(" or ");
            return Err(Failure::Usage(format!("{key}: {text:?} is not of type {types}")));
        }
    };
    arguments.insert(key.to_owned(), value);
    Ok(())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn check(words: &[&str], expected: &Value) {
        let schema = json!({"properties": {
            "text": {"type": "string"},
            "limit": {"type": ["integer", "null"]},
            "tags": {"type": "array"},
        }});
        let words: Vec<String> = words.iter().map(|&word| word.to_owned()).collect();
        let read = for_tool(&words, Some(&schema)).map_err(|failure| format!("{failure:?}"));
        assert_eq!(read.map(Value::from).as_ref(), Ok(expected), "{words:?}");
    }

    #[test]
    fn the_schema_decides_the_type() {
        check(&["text=5"], &json!({"text": "5"}));
        check(&["limit=5"], &json!({"limit": 5}));
        check(&["text=a=b"], &json!({"text": "a=b"}));
    }

    #[test]
    fn a_repeated_key_fills_a_list() {
        check(&["tags=a", "tags=b"], &json!({"tags": ["a", "b"]}));
        check(&["tags=[\"a\"]"], &json!({"tags": ["a"]}));
    }

    #[test]
    fn json_can_be_given_outright() {
        check(&["limit:=[1]", "text:=null"], &json!({"limit": [1], "text": null}));
        check(&["{\"x\": 1}"], &json!({"x": 1}));
    }

    #[test]
    fn an_undeclared_argument_is_json_or_else_text() {
        check(&["more=true", "most=yes"], &json!({"more": true, "most": "yes"}));
    }

    #[test]
    fn a_value_of_another_type_is_refused() {
        let schema = json!({"properties": {"limit": {"type": "integer"}}});
        let refused = for_tool(&["limit=many".to_owned()], Some(&schema));
        assert!(matches!(refused, Err(Failure::Usage(_))), "{refused:?}");
    }

    #[test]
    fn the_arguments_of_a_prompt_are_text() {
        let read = for_prompt(&["n=5".to_owned()]).map(Value::from);
        assert_eq!(read.ok(), Some(json!({"n": "5"})));
    }
}
