//! Python packages: pinned, in a virtual environment under `target/xtask/python`, nowhere else.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use crate::process::{ensure, run};
use crate::say::say;
use crate::workspace::Workspace;

/// Installs what a requirements file pins, once, under `name`, and returns the interpreter to run it with.
///
/// Only wheels are taken, so no package runs code while it is installed.
pub(crate) fn install(workspace: &Workspace, requirements: &Path, name: &str) -> Result<PathBuf> {
    let folder = workspace.scratch().join("python").join(name);
    let program = folder.join("bin/python");
    let wanted = std::fs::read(requirements)
        .with_context(|| format!("no requirements at {}", requirements.display()))?;
    let marker = folder.join("installed-requirements.txt");
    if std::fs::read(&marker).is_ok_and(|installed| installed == wanted) {
        return Ok(program);
    }
    // Debian keeps what makes an environment with pip apart from python itself.
    ensure("python3", &["-c", "import ensurepip, venv"], &["python3", "python3-venv"])?;
    say(&format!("installing the Python packages of {name} into {}", folder.display()));
    run(Command::new("python3").args(["-m", "venv", "--clear"]).arg(&folder))?;
    let mut pip = Command::new(&program);
    pip.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check"]);
    run(pip.args(["--only-binary", ":all:", "--requirement"]).arg(requirements))?;
    std::fs::write(marker, wanted)?;
    Ok(program)
}
