//! Serves the fixtures over standard input and output, or over HTTP.

fn main() -> Result<(), conformance::cli::Failure> {
    conformance::cli::run(std::env::args_os().skip(1))
}
