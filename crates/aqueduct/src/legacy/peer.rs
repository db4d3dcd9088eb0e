//! The client of a session, as it introduced itself.

use aqueduct_protocol::capabilities::{ClientCapabilities, ElicitationCapability};
use aqueduct_protocol::icons::Implementation;
use aqueduct_protocol::jsonrpc::RawJson;
use aqueduct_protocol::tasks;
use aqueduct_protocol::version::ProtocolVersion;
use serde::{Deserialize, Serialize};

use crate::error::Error;

/// What a session goes by from its handshake on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Peer {
    /// The revision that was agreed on.
    #[serde(rename = "v")]
    pub(super) version: ProtocolVersion,
    /// What the client can do, in the form of the stateless revision.
    #[serde(rename = "c")]
    pub(super) capabilities: RawJson,
    /// Who the client says it is.
    #[serde(rename = "i", default, skip_serializing_if = "Option::is_none")]
    pub(super) info: Option<RawJson>,
}

impl Peer {
    /// A client by its `initialize`.
    pub(super) fn new(
        version: ProtocolVersion,
        capabilities: ClientCapabilities,
        info: Option<Implementation>,
    ) -> Result<Self, Error> {
        let capabilities = RawJson::new(&known(capabilities, version)).map_err(Error::internal)?;
        let info = info.and_then(|info| RawJson::new(&info).ok());
        Ok(Self { version, capabilities, info })
    }
}

/// What a client of this revision can do, of what it says: it may name what came later, but its
/// revision has no form for it.
fn known(mut said: ClientCapabilities, version: ProtocolVersion) -> ClientCapabilities {
    // Nobody here asks for what no specification defines.
    said.experimental = None;
    // Its tasks are others: those of this extension belong to the stateless revision.
    if let Some(extensions) = &mut said.extensions {
        extensions.remove(tasks::EXTENSION);
    }
    if version < ProtocolVersion::V2025_11_25 {
        said.elicitation = said.elicitation.map(|_| ElicitationCapability::default());
        if let Some(sampling) = &mut said.sampling {
            sampling.tools = None;
        }
    }
    if version < ProtocolVersion::V2025_06_18 {
        said.elicitation = None;
    }
    said
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_revision_has_no_form_for_is_not_kept() {
        let all: ClientCapabilities = serde_json::from_str(
            r#"{"elicitation":{"form":{},"url":{}},"sampling":{"tools":{}},"roots":{}}"#,
        )
        .unwrap();
        let said = |version| serde_json::to_string(&known(all.clone(), version)).unwrap();
        assert_eq!(
            said(ProtocolVersion::V2025_11_25),
            r#"{"roots":{},"sampling":{"tools":{}},"elicitation":{"form":{},"url":{}}}"#
        );
        assert_eq!(
            said(ProtocolVersion::V2025_06_18),
            r#"{"roots":{},"sampling":{},"elicitation":{}}"#
        );
        assert_eq!(said(ProtocolVersion::V2025_03_26), r#"{"roots":{},"sampling":{}}"#);
    }
}
