//! The fixture server as a process of its own: what its pipes carry, and how it ends.

mod child;
mod command_line;
mod stdio;
mod task_kill;
mod two_processes;
