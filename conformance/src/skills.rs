//! What an agent is to know how to do: the skills of the suite, and of our own cases.

use aqueduct::server::{SkillError, Skills};

/// The path of each file of `fixture/skills` and its bytes.
macro_rules! files {
    ($($path:literal,)+) => {
        [$(($path, include_bytes!(concat!("../fixture/skills/", $path)).to_vec()),)+]
    };
}

/// All of them, in the program, so that it serves them wherever it is run.
pub(crate) fn all() -> Result<Skills, SkillError> {
    let files = files![
        "README.md",
        "acme/billing/refunds/SKILL.md",
        "acme/billing/refunds/examples/first reply.md",
        "git-workflow/SKILL.md",
        "git-workflow/references/NAMES.md",
        "git-workflow/scripts/check.sh",
        "pdf-processing/SKILL.md",
        "pdf-processing/templates/invoice.md",
        "pdf-processing/templates/logo.png",
        "pdf-processing/templates/regional/eu.md",
    ];
    Skills::embedded(files)
}
