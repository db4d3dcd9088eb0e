//! The standard descriptors as they are, where they cannot be taken away from others.

use std::io;

use tokio::io::{Stdin, Stdout, stdin, stdout};

/// The process's own input and output; a stray `println!` would reach the client here.
pub(super) fn take() -> io::Result<(Stdin, Stdout)> {
    Ok((stdin(), stdout()))
}
