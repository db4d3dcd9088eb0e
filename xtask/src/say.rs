//! The one place where the chores print.
#![expect(clippy::print_stdout, reason = "a chore talks to the person who started it")]

/// Prints one line.
pub(crate) fn say(line: &str) {
    println!("{line}");
}

/// Prints a heading, so that a long log can be read from afar.
pub(crate) fn heading(title: &str) {
    println!("\n── {title} ──");
}
