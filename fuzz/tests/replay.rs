//! What the fuzzer found worth keeping still holds, and so do the inputs that once did not.

use std::path::Path;
use std::time::{Duration, Instant};

use fuzz::TARGETS;

#[path = "../../xtask/src/fuzz/corpus.rs"]
mod corpus;

/// How long one input may take, in a build without optimisation on a machine that is busy.
const PATIENCE: Duration = Duration::from_secs(5);

fn inputs(target: &str) -> Result<Vec<Vec<u8>>, String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("corpus/{target}.txt"));
    let text = std::fs::read_to_string(&path);
    let text = text.map_err(|error| format!("{}: {error}", path.display()))?;
    corpus::read(&text).map_err(|line| format!("{}:{line}", path.display()))
}

#[test]
fn every_input_of_the_corpus_holds() -> Result<(), String> {
    for target in &TARGETS {
        let inputs = inputs(target.name)?;
        assert!(inputs.len() >= 20, "{}: {} inputs", target.name, inputs.len());
        for input in inputs {
            let start = Instant::now();
            (target.run)(&input);
            let took = start.elapsed();
            assert!(took < PATIENCE, "{}: {took:?} for {:?}", target.name, input.escape_ascii());
        }
    }
    Ok(())
}

/// An input may stop anywhere and hold anything.
#[test]
fn no_prefix_and_no_flipped_bit_of_the_corpus_breaks_a_promise() -> Result<(), String> {
    for target in &TARGETS {
        for (nth, input) in inputs(target.name)?.into_iter().enumerate() {
            (target.run)(&input[..input.len() / 2]);
            let mut flipped = input;
            let place = nth % flipped.len().max(1);
            if let Some(byte) = flipped.get_mut(place) {
                *byte ^= 1 << (nth % 8);
            }
            (target.run)(&flipped);
        }
    }
    Ok(())
}
