//! What is published is enforced, and what is enforced is published: the server and another
//! evaluator of its published schema agree on every call.

use aqueduct::prelude::*;
use aqueduct::testing::TestClient;
use proptest::prelude::*;
use serde_json::{Value, json};

#[args]
struct Bag {
    #[arg(range = 0..=3)]
    n: u8,
    label: Option<String>,
}

/// Every kind of rule.
#[tool]
async fn rules(
    #[arg(range = 1..=9)] least: i64,
    #[arg(range = 0.5..2.0)] half: Option<f64>,
    #[arg(length = 1..=3)] text: String,
    #[arg(length = ..=2, pattern = "^[ab]+$")] list: Vec<String>,
    #[arg(values("x", "y"))] choice: Option<String>,
    bag: Option<Bag>,
    #[arg(default = true)] flag: bool,
) -> String {
    format!("{least}{half:?}{text}{list:?}{choice:?}{flag}{:?}", bag.map(|bag| (bag.n, bag.label)))
}

fn scalar() -> impl Strategy<Value = Value> {
    prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        (-2_i64..12).prop_map(Value::from),
        (-1.0..3.0_f64).prop_map(Value::from),
        "[abxyé]{0,4}".prop_map(Value::from),
    ]
}

fn value() -> impl Strategy<Value = Value> {
    prop_oneof![
        4 => scalar(),
        1 => prop::collection::vec(scalar(), 0..4).prop_map(Value::from),
        1 => (scalar(), scalar()).prop_map(|(n, label)| json!({ "n": n, "label": label })),
        1 => (0_u8..4).prop_map(|n| json!({ "n": n })),
    ]
}

fn arguments() -> impl Strategy<Value = Value> {
    let names = ["least", "half", "text", "list", "choice", "bag", "flag", "other"];
    let good = json!({ "least": 5, "text": "ab", "list": ["a"] });
    let change = (prop::sample::select(names.to_vec()), prop::option::weighted(0.9, value()));
    prop::collection::vec(change, 0..3).prop_map(move |changes| {
        let mut arguments = good.clone();
        for (name, value) in changes {
            match value {
                Some(value) => arguments[name] = value,
                None => drop(arguments.as_object_mut().map(|all| all.remove(name))),
            }
        }
        arguments
    })
}

#[test]
fn what_is_published_is_enforced_and_what_is_enforced_is_published() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let client = TestClient::new(Server::new("rules", "1").tools(list![rules])).unwrap();
    let list = runtime.block_on(client.request("tools/list", json!({}))).unwrap();
    let schema = list.result["tools"][0]["inputSchema"].clone();
    let other = jsonschema::validator_for(&schema).unwrap();
    let mut verdicts = [0_u32; 2];
    let cases = proptest::test_runner::Config { failure_persistence: None, ..Default::default() };
    let mut runner = proptest::test_runner::TestRunner::new(cases);
    let counted = std::cell::RefCell::new(&mut verdicts);
    runner
        .run(&arguments(), |arguments| {
            let result = runtime.block_on(client.call_tool("rules", arguments.clone())).unwrap();
            let accepted = result.is_error != Some(true);
            counted.borrow_mut()[usize::from(accepted)] += 1;
            prop_assert_eq!(accepted, other.is_valid(&arguments), "{:?}", result.content);
            Ok(())
        })
        .unwrap();
    // Both verdicts occur, or the test holds nothing.
    assert!(verdicts.iter().all(|count| *count > 20), "{verdicts:?}");
}
