//! Takes the standard descriptors away from everything else in the process.

use std::fs::File;
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::net::UnixStream as StdUnixStream;
use std::pin::Pin;

use rustix::fs::{FileType, Mode, OFlags, fstat, open};
use rustix::io::fcntl_dupfd_cloexec;
use rustix::stdio::{dup2_stdin, dup2_stdout, stderr, stdin, stdout};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::UnixStream;
use tokio::net::unix::pipe;

/// The first number a private descriptor may have: above the standard ones.
const ABOVE_STANDARD: i32 = 3;

type Input = Pin<Box<dyn AsyncRead>>;
type Output = Pin<Box<dyn AsyncWrite>>;

/// Moves the client's two ends to private descriptors, which children do not inherit.
pub(super) fn take() -> io::Result<(Input, Output)> {
    let input = fcntl_dupfd_cloexec(stdin(), ABOVE_STANDARD)?;
    let output = fcntl_dupfd_cloexec(stdout(), ABOVE_STANDARD)?;
    let nothing = open("/dev/null", OFlags::RDWR | OFlags::CLOEXEC, Mode::empty())?;
    dup2_stdin(&nothing)?;
    // A process without standard error has nowhere to put a stray line.
    if dup2_stdout(stderr()).is_err() {
        dup2_stdout(&nothing)?;
    }
    Ok((reader(input)?, writer(output)?))
}

/// What a descriptor leads to decides how it is waited for: pipes and sockets by the reactor,
/// files and terminals by a thread.
fn reader(fd: OwnedFd) -> io::Result<Input> {
    Ok(match kind(&fd)? {
        FileType::Fifo => Box::pin(pipe::Receiver::from_owned_fd(fd)?),
        FileType::Socket => Box::pin(socket(fd)?),
        _ => Box::pin(tokio::fs::File::from_std(File::from(fd))),
    })
}

fn writer(fd: OwnedFd) -> io::Result<Output> {
    // Making a pipe non-blocking makes it so for whoever shares it: standard error, when both
    // were redirected to one, would then lose lines.
    let shared = same(&fd, stderr());
    Ok(match kind(&fd)? {
        FileType::Fifo if !shared => Box::pin(pipe::Sender::from_owned_fd(fd)?),
        FileType::Socket if !shared => Box::pin(socket(fd)?),
        _ => Box::pin(tokio::fs::File::from_std(File::from(fd))),
    })
}

fn socket(fd: OwnedFd) -> io::Result<UnixStream> {
    let stream = StdUnixStream::from(fd);
    stream.set_nonblocking(true)?;
    UnixStream::from_std(stream)
}

fn kind(fd: &OwnedFd) -> io::Result<FileType> {
    Ok(FileType::from_raw_mode(fstat(fd)?.st_mode))
}

fn same(one: impl AsFd, other: impl AsFd) -> bool {
    match (fstat(one), fstat(other)) {
        (Ok(one), Ok(other)) => (one.st_dev, one.st_ino) == (other.st_dev, other.st_ino),
        _ => false,
    }
}
