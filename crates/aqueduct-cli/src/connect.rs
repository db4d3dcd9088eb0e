//! From a target to a client that is ready to ask.

use anyhow::Context as _;
use rmcp::{
    ClientLifecycleMode, ClientServiceExt as _, RoleClient,
    model::{ClientCapabilities, ClientConfig, Implementation, ProtocolVersion},
    service::RunningService,
    transport::{StreamableHttpClientTransport, TokioChildProcess},
};
use tokio::process::Command;

use crate::{
    args::{Protocol, Target},
    failure::Failure,
};

/// A client that is connected to its server.
pub(crate) type Client = RunningService<RoleClient, ClientConfig>;

/// Connects to the server and settles on a protocol version.
///
/// # Errors
///
/// When the server cannot be reached or started, or no version suits both.
pub(crate) async fn connect(target: Target, protocol: Option<Protocol>) -> Result<Client, Failure> {
    let config = config(protocol);
    let mode = mode(protocol);
    match target {
        Target::Url(url) => {
            // An error here means that a provider is installed already, which is as good.
            drop(rustls::crypto::ring::default_provider().install_default());
            let transport = StreamableHttpClientTransport::from_uri(url);
            Ok(Box::pin(config.serve_with_lifecycle(transport, mode)).await?)
        }
        Target::Command { program, args } => {
            let mut command = Command::new(&program);
            command.args(args);
            let transport =
                TokioChildProcess::new(command).with_context(|| format!("cannot run {program}"))?;
            Ok(Box::pin(config.serve_with_lifecycle(transport, mode)).await?)
        }
    }
}

fn config(protocol: Option<Protocol>) -> ClientConfig {
    let identity = Implementation::new(env!("CARGO_PKG_NAME"), env!("CARGO_PKG_VERSION"));
    let config = ClientConfig::new(ClientCapabilities::default(), identity);
    config.with_protocol_version(version(protocol.unwrap_or(Protocol::V2025_11_25)))
}

/// A named version is not negotiated away; without one the client tries the newest first.
fn mode(protocol: Option<Protocol>) -> ClientLifecycleMode {
    let newest = vec![ProtocolVersion::V_2026_07_28];
    match protocol {
        None => ClientLifecycleMode::Auto { preferred_versions: newest, legacy_version: None },
        Some(Protocol::V2026_07_28) => ClientLifecycleMode::Discover { preferred_versions: newest },
        Some(Protocol::V2025_11_25 | Protocol::V2025_06_18 | Protocol::V2025_03_26) => {
            ClientLifecycleMode::Initialize
        }
    }
}

const fn version(protocol: Protocol) -> ProtocolVersion {
    match protocol {
        Protocol::V2026_07_28 => ProtocolVersion::V_2026_07_28,
        Protocol::V2025_11_25 => ProtocolVersion::V_2025_11_25,
        Protocol::V2025_06_18 => ProtocolVersion::V_2025_06_18,
        Protocol::V2025_03_26 => ProtocolVersion::V_2025_03_26,
    }
}
