//! The program: reads the command line, opens the memory and serves it.

fn main() {}
