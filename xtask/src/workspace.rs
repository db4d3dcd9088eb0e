//! Where the workspace lies and what cargo knows about it.

use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result};
use serde_json::Value;

/// The workspace as `cargo metadata` tells it.
#[derive(Debug)]
pub(crate) struct Workspace {
    /// The folder of the root manifest.
    pub(crate) root: PathBuf,
    /// Where cargo builds, `CARGO_TARGET_DIR` respected.
    pub(crate) target: PathBuf,
    packages: Vec<Value>,
}

impl Workspace {
    /// Asks cargo.
    pub(crate) fn load() -> Result<Self> {
        let output = Command::new(cargo())
            .args(["metadata", "--no-deps", "--format-version", "1"])
            .current_dir(env!("CARGO_MANIFEST_DIR"))
            .output()
            .context("cargo metadata did not start")?;
        let metadata: Value = serde_json::from_slice(&output.stdout).with_context(|| {
            format!("cargo metadata: {}", String::from_utf8_lossy(&output.stderr))
        })?;
        let path = |key: &str| {
            metadata
                .get(key)
                .and_then(Value::as_str)
                .map(PathBuf::from)
                .with_context(|| format!("cargo metadata has no {key}"))
        };
        let packages = metadata.get("packages").and_then(Value::as_array);
        Ok(Self {
            root: path("workspace_root")?,
            target: path("target_directory")?,
            packages: packages.context("cargo metadata has no packages")?.clone(),
        })
    }

    /// The features of a package in the order of the alphabet, `default` left out.
    pub(crate) fn features(&self, package: &str) -> Result<Vec<String>> {
        let found = self.packages.iter().find(|one| one.get("name") == Some(&package.into()));
        let features = found
            .and_then(|one| one.get("features"))
            .and_then(Value::as_object)
            .with_context(|| format!("the workspace has no package {package}"))?;
        Ok(features.keys().filter(|name| *name != "default").cloned().collect())
    }

    /// The folder for what the chores install and write: `target/xtask`.
    pub(crate) fn scratch(&self) -> PathBuf {
        self.target.join("xtask")
    }
}

/// The cargo that runs us, so that a chore never mixes two toolchains.
pub(crate) fn cargo() -> String {
    std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned())
}
