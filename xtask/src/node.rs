//! Node and what runs on it: pinned, installed under `target/xtask/node`, nowhere else.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::process::{ensure, run};
use crate::say::say;
use crate::workspace::Workspace;

/// What the official suite needs at least.
const MAJOR: u32 = 22;
/// What is installed where the machine's own node is older; published for each platform as a package of its own.
const VERSION: &str = "22.23.5";

/// A folder with `node_modules`, and the node to run them with.
#[derive(Debug)]
pub(crate) struct Node {
    program: PathBuf,
    modules: PathBuf,
}

impl Node {
    /// Installs what the `package.json` and `package-lock.json` in `manifest` pin, once, under `name`.
    ///
    /// No package's install script runs.
    pub(crate) fn install(workspace: &Workspace, manifest: &Path, name: &str) -> Result<Self> {
        let base = workspace.scratch().join("node");
        let program = program(&base)?;
        let folder = base.join(name);
        std::fs::create_dir_all(&folder)?;
        let lock = std::fs::read(manifest.join("package-lock.json"))
            .with_context(|| format!("{} has no package-lock.json", manifest.display()))?;
        let marker = folder.join("installed-lock.json");
        if std::fs::read(&marker).is_ok_and(|installed| installed == lock) {
            return Ok(Self { program, modules: folder.join("node_modules") });
        }
        say(&format!("installing the npm packages of {name} into {}", folder.display()));
        for file in ["package.json", "package-lock.json"] {
            std::fs::copy(manifest.join(file), folder.join(file))?;
        }
        npm(&folder, &["ci"])?;
        std::fs::write(marker, lock)?;
        Ok(Self { program, modules: folder.join("node_modules") })
    }

    /// Node with a script of ours that imports what is installed, ready for arguments.
    ///
    /// Node looks for packages beside the script that imports them, so the script is copied there.
    pub(crate) fn own_script(&self, source: &Path) -> Result<Command> {
        let name = source.file_name().context("a script has a name")?;
        let copy = self.modules.with_file_name(name);
        std::fs::copy(source, &copy).with_context(|| format!("no {}", source.display()))?;
        let mut command = Command::new(&self.program);
        command.arg(copy);
        Ok(command)
    }

    /// Node with a script of an installed package, ready for arguments.
    pub(crate) fn script(&self, path: &str) -> Command {
        let mut command = Command::new(&self.program);
        command.arg(self.modules.join(path));
        command
    }
}

/// A node that is new enough: the machine's own or an installed one.
fn program(base: &Path) -> Result<PathBuf> {
    if Command::new("node").arg("--version").output().is_ok_and(|out| is_new_enough(&out.stdout)) {
        return Ok(PathBuf::from("node"));
    }
    let package = format!("node-{}", platform()?);
    let folder = base.join("runtime");
    let program = folder.join("node_modules").join(&package).join("bin/node");
    let is_ours = Command::new(&program).arg("--version").output();
    if is_ours.is_ok_and(|out| out.stdout.trim_ascii() == format!("v{VERSION}").as_bytes()) {
        return Ok(program);
    }
    say(&format!(
        "node {MAJOR} is missing: installing {package}@{VERSION} into {}",
        folder.display()
    ));
    std::fs::create_dir_all(&folder)?;
    npm(&folder, &["install", "--no-save", &format!("{package}@{VERSION}")])?;
    Ok(program)
}

fn npm(folder: &Path, arguments: &[&str]) -> Result<()> {
    ensure("npm", &["--version"], &["nodejs", "npm"])?;
    let mut npm = Command::new("npm");
    npm.arg("--prefix").arg(folder).args(arguments).current_dir(folder);
    // npm warns that the node it runs on is too old for a package; the package runs on another.
    run(npm.args(["--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"]))
}

fn is_new_enough(version: &[u8]) -> bool {
    let version = String::from_utf8_lossy(version);
    let major = version.trim().strip_prefix('v').and_then(|rest| rest.split('.').next());
    major.and_then(|major| major.parse().ok()).is_some_and(|major: u32| major >= MAJOR)
}

fn platform() -> Result<String> {
    let system = match std::env::consts::OS {
        "macos" => "darwin",
        "windows" => "win",
        other => other,
    };
    let machine = match std::env::consts::ARCH {
        "x86_64" => "x64",
        "aarch64" => "arm64",
        other => bail!("no node package for {other}: install node {MAJOR} or newer"),
    };
    Ok(format!("{system}-{machine}"))
}

#[cfg(test)]
mod tests {
    use super::is_new_enough;

    #[test]
    fn a_node_is_judged_by_its_major_version() {
        assert!(is_new_enough(b"v22.0.0\n"));
        assert!(is_new_enough(b"v24.1.0\n"));
        assert!(!is_new_enough(b"v20.20.2\n"));
        assert!(!is_new_enough(b"no version"));
    }
}
