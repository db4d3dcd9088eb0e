//! Refuses schemas that lead back to themselves without moving on in the value, or that multiply.

use super::SchemaError;
use super::limit::{MAX_SCHEMA_DEPTH, MAX_STEPS_PER_VALUE};
use super::node::{Node, NodeId, Nodes, Rule};

/// What is known about a node while the graph is walked.
#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    New,
    Open,
    /// Walked: how many subschemas it applies to one value, and how deep they refer to each other.
    Done {
        steps: u64,
        depth: usize,
    },
}

/// Walks the subschemas that apply to the same value, depth first and without recursion.
pub(super) fn check(nodes: &Nodes, pointers: &[String]) -> Result<(), SchemaError> {
    let pointer = |id: usize| pointers.get(id).map_or("", String::as_str);
    let mut states = vec![State::New; nodes.0.len()];
    for start in 0..nodes.0.len() {
        let mut open = vec![start];
        while let Some(id) = open.last().copied() {
            let (Some(state), Some(node)) = (states.get(id).copied(), nodes.0.get(id)) else {
                break;
            };
            if let State::Done { .. } = state {
                open.pop();
                continue;
            }
            let next: Vec<usize> = in_place(node);
            if state == State::New {
                set(&mut states, id, State::Open);
                for child in next {
                    match states.get(child) {
                        Some(State::New) => open.push(child),
                        Some(State::Open) => {
                            return Err(SchemaError::new(
                                pointer(id),
                                format!(
                                    "the schema applies {} to the same value again, without end",
                                    shown(pointer(child))
                                ),
                            ));
                        }
                        Some(State::Done { .. }) | None => {}
                    }
                }
                continue;
            }
            let done = sum(&next, &states);
            within_bounds(done).map_err(|why| SchemaError::new(pointer(id), why))?;
            set(&mut states, id, done);
            open.pop();
        }
    }
    Ok(())
}

/// What a node costs, given what the nodes cost that it applies.
fn sum(next: &[usize], states: &[State]) -> State {
    let (mut steps, mut depth) = (1_u64, 0_usize);
    for child in next {
        if let Some(State::Done { steps: more, depth: deeper }) = states.get(*child) {
            steps = steps.saturating_add(*more);
            depth = depth.max(deeper + 1);
        }
    }
    State::Done { steps, depth }
}

fn within_bounds(state: State) -> Result<(), String> {
    match state {
        State::Done { steps, .. } if steps > MAX_STEPS_PER_VALUE => {
            Err(format!("more than {MAX_STEPS_PER_VALUE} subschemas apply to one value"))
        }
        State::Done { depth, .. } if depth > MAX_SCHEMA_DEPTH => {
            Err(format!("a chain of more than {MAX_SCHEMA_DEPTH} subschemas applies to one value"))
        }
        State::New | State::Open | State::Done { .. } => Ok(()),
    }
}

fn set(states: &mut [State], id: usize, state: State) {
    if let Some(known) = states.get_mut(id) {
        *known = state;
    }
}

fn shown(pointer: &str) -> &str {
    if pointer.is_empty() { "the root" } else { pointer }
}

/// The subschemas that a node applies to the value it was given, not to a part of it.
fn in_place(node: &Node) -> Vec<usize> {
    let mut found: Vec<NodeId> = Vec::new();
    for rule in &node.rules {
        match rule {
            Rule::Reference(id) | Rule::Not(id) => found.push(*id),
            // Where else it may lead depends on the way; the run's depth bounds that.
            Rule::Dynamic(dynamic) => found.push(dynamic.target),
            Rule::AllOf(ids) | Rule::AnyOf(ids) | Rule::OneOf(ids) => found.extend(ids),
            Rule::If(conditional) => {
                found.push(conditional.condition);
                found.extend(conditional.then);
                found.extend(conditional.otherwise);
            }
            Rule::Object(rule) => found.extend(rule.dependent_schemas.iter().map(|(_, id)| *id)),
            Rule::Never
            | Rule::Values(..)
            | Rule::Number(_)
            | Rule::Text(_)
            | Rule::Array(_)
            | Rule::UnevaluatedItems(_)
            | Rule::UnevaluatedProperties(_) => {}
        }
    }
    found.into_iter().map(|id| id.0 as usize).collect()
}
