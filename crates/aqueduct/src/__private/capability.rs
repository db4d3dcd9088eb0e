//! What a client must be able to do, as `requires(…)` says it.

use aqueduct_protocol::capabilities::{
    ClientCapabilities, ElicitationCapability, RootsCapability, SamplingCapability,
};
use aqueduct_protocol::jsonrpc::JsonObject;

/// A word of `requires(…)`.
#[derive(Clone, Copy, Debug)]
pub enum Capability {
    /// Its user can be asked by a form.
    Elicitation,
    /// Its user can be sent to an address.
    ElicitationUrl,
    /// Its model can be asked.
    Sampling,
    /// Its model can be asked with tools.
    SamplingTools,
    /// It can list its roots.
    Roots,
}

/// All of these.
#[must_use]
pub fn capabilities(words: &[Capability]) -> ClientCapabilities {
    let mut all = ClientCapabilities::default();
    for word in words {
        match word {
            Capability::Elicitation => elicitation(&mut all).form = Some(JsonObject::default()),
            Capability::ElicitationUrl => elicitation(&mut all).url = Some(JsonObject::default()),
            Capability::Sampling => drop(sampling(&mut all)),
            Capability::SamplingTools => sampling(&mut all).tools = Some(JsonObject::default()),
            Capability::Roots => all.roots = Some(RootsCapability::default()),
        }
    }
    all
}

fn elicitation(all: &mut ClientCapabilities) -> &mut ElicitationCapability {
    all.elicitation.get_or_insert_default()
}

fn sampling(all: &mut ClientCapabilities) -> &mut SamplingCapability {
    all.sampling.get_or_insert_default()
}
