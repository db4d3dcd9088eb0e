//! Runs the compiler on one file, against the crates that this very test was built with.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;

use crate::expect::Told;

/// The compiler, and where the crates are.
pub(crate) struct Compiler {
    aqueduct: PathBuf,
    tokio: PathBuf,
    serde_json: PathBuf,
    scratch: PathBuf,
}

impl Compiler {
    /// Asks cargo where it has put what this test was built with; it has nothing left to build.
    pub(crate) fn find() -> Self {
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let output = Command::new(cargo)
            .args(["test", "--no-run", "--message-format=json", "--package=aqueduct", "--test=ui"])
            .current_dir(env!("CARGO_MANIFEST_DIR"))
            .stderr(Stdio::inherit())
            .output()
            .expect("cargo runs");
        let messages: Vec<Value> = String::from_utf8_lossy(&output.stdout)
            .lines()
            .filter_map(|line| serde_json::from_str(line).ok())
            .collect();
        let library = |name: &str| {
            let mut files = messages
                .iter()
                .filter(|message| message["target"]["name"] == name)
                .filter_map(|message| message["filenames"].as_array())
                .flatten()
                .filter_map(Value::as_str)
                .filter(|file| file.ends_with(".rlib"));
            PathBuf::from(files.next_back().unwrap_or_else(|| panic!("cargo names no {name}")))
        };
        Self {
            aqueduct: library("aqueduct"),
            tokio: library("tokio"),
            serde_json: library("serde_json"),
            scratch: PathBuf::from(env!("CARGO_TARGET_TMPDIR")),
        }
    }

    /// All that the compiler tells of a file.
    pub(crate) fn run(&self, path: &Path, flags: &[&str]) -> Vec<Told> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let relative = path.strip_prefix(root).expect("a file of this crate");
        let name = relative.with_extension("").to_string_lossy().replace(['/', '\\', '-'], "_");
        let deps = self.aqueduct.parent().expect("a library lies in a folder");
        let external = |name: &str, path: &Path| format!("{name}={}", path.display());
        let output = Command::new(std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()))
            .current_dir(root)
            .args(["--edition=2024", "--error-format=json", "--emit=metadata"])
            .args(flags)
            .arg(format!("--crate-name={name}"))
            .arg("--out-dir")
            .arg(&self.scratch)
            .arg("-L")
            .arg(format!("dependency={}", deps.display()))
            .arg("--extern")
            .arg(external("aqueduct", &self.aqueduct))
            .arg("--extern")
            .arg(external("tokio", &self.tokio))
            .arg("--extern")
            .arg(external("serde_json", &self.serde_json))
            .arg(relative)
            .output()
            .expect("rustc runs");
        String::from_utf8_lossy(&output.stderr).lines().filter_map(Told::read).collect()
    }
}
