//! The command line: what to ask, and which server.

use std::time::Duration;

use clap::{Parser, Subcommand, ValueEnum};

use crate::failure::Failure;

const AFTER_HELP: &str = "\
The server is either a URL, given last, or a command after `--`, spoken to over stdio:
  aqueduct list tools http://127.0.0.1:8000/mcp
  aqueduct call remember text='buy milk' -- memory --stdio

Exit codes:
  0  the server answered
  1  the tool answered with an error (isError)
  2  protocol or transport error
  3  the command line is wrong";

/// Talk to a Model Context Protocol server.
#[derive(Debug, Parser)]
#[command(name = "aqueduct", version, about, after_help = AFTER_HELP)]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) command: Command,
    /// Print the result as one line of JSON
    #[arg(long, global = true)]
    pub(crate) json: bool,
    /// Speak this protocol version only; otherwise the newest that both sides know
    #[arg(long, global = true, value_name = "VERSION")]
    pub(crate) protocol: Option<Protocol>,
    /// Give up after this many seconds
    #[arg(long, global = true, value_name = "SECONDS", default_value_t = 60)]
    timeout: u64,
}

impl Args {
    pub(crate) const fn timeout(&self) -> Duration {
        Duration::from_secs(self.timeout)
    }
}

/// A revision of the protocol, by its date.
#[derive(Clone, Copy, Debug, Eq, PartialEq, ValueEnum)]
pub(crate) enum Protocol {
    #[value(name = "2026-07-28")]
    V2026_07_28,
    #[value(name = "2025-11-25")]
    V2025_11_25,
    #[value(name = "2025-06-18")]
    V2025_06_18,
    #[value(name = "2025-03-26")]
    V2025_03_26,
}

/// What can be listed.
#[derive(Clone, Copy, Debug, Eq, PartialEq, ValueEnum)]
pub(crate) enum Kind {
    Tools,
    Resources,
    Templates,
    Prompts,
}

/// What an argument can belong to.
#[derive(Clone, Copy, Debug, Eq, PartialEq, ValueEnum)]
pub(crate) enum Completed {
    Prompt,
    Resource,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// List what the server offers, every page of it
    List {
        kind: Kind,
        /// Where the server is
        url: Option<String>,
        /// The command that runs the server
        #[arg(last = true)]
        command: Vec<String>,
    },
    /// Call a tool
    Call {
        name: String,
        /// One JSON object, or `key=value` (typed by the tool's schema), or `key:=json`; then the URL
        #[arg(value_name = "ARGUMENT|URL")]
        rest: Vec<String>,
        /// The command that runs the server
        #[arg(last = true)]
        command: Vec<String>,
    },
    /// Read a resource
    Read {
        uri: String,
        /// Where the server is
        url: Option<String>,
        /// The command that runs the server
        #[arg(last = true)]
        command: Vec<String>,
    },
    /// Get a prompt
    Prompt {
        name: String,
        /// `key=value`; then the URL
        #[arg(value_name = "ARGUMENT|URL")]
        rest: Vec<String>,
        /// The command that runs the server
        #[arg(last = true)]
        command: Vec<String>,
    },
    /// Complete an argument of a prompt, or a variable of a resource template
    Complete {
        of: Completed,
        /// The prompt's name or the URI template
        reference: String,
        argument: String,
        /// What has been typed so far; may be empty
        prefix: String,
        /// Where the server is
        url: Option<String>,
        /// The command that runs the server
        #[arg(last = true)]
        command: Vec<String>,
    },
    /// Tell what the server is and can do
    Discover {
        /// Where the server is
        url: Option<String>,
        /// The command that runs the server
        #[arg(last = true)]
        command: Vec<String>,
    },
}

/// What is asked of the server.
#[derive(Debug, Eq, PartialEq)]
pub(crate) enum Request {
    List(Kind),
    Call { name: String, arguments: Vec<String> },
    Read { uri: String },
    Prompt { name: String, arguments: Vec<String> },
    Complete { of: Completed, reference: String, argument: String, prefix: String },
    Discover,
}

/// Which server is asked.
#[derive(Debug, Eq, PartialEq)]
pub(crate) enum Target {
    Url(String),
    Command { program: String, args: Vec<String> },
}

impl Command {
    /// Parts the request from the server it goes to.
    ///
    /// # Errors
    ///
    /// When no server is named, or two are.
    pub(crate) fn split(self) -> Result<(Request, Target), Failure> {
        Ok(match self {
            Self::List { kind, url, command } => (Request::List(kind), target(url, command)?),
            Self::Call { name, mut rest, command } => {
                let url = take_url(&mut rest);
                (Request::Call { name, arguments: rest }, target(url, command)?)
            }
            Self::Read { uri, url, command } => (Request::Read { uri }, target(url, command)?),
            Self::Prompt { name, mut rest, command } => {
                let url = take_url(&mut rest);
                (Request::Prompt { name, arguments: rest }, target(url, command)?)
            }
            Self::Complete { of, reference, argument, prefix, url, command } => {
                (Request::Complete { of, reference, argument, prefix }, target(url, command)?)
            }
            Self::Discover { url, command } => (Request::Discover, target(url, command)?),
        })
    }
}

/// Takes the URL off the end of the arguments; no argument can begin like one.
fn take_url(rest: &mut Vec<String>) -> Option<String> {
    rest.pop_if(|last| is_http(last))
}

fn is_http(text: &str) -> bool {
    text.starts_with("http://") || text.starts_with("https://")
}

fn target(url: Option<String>, command: Vec<String>) -> Result<Target, Failure> {
    let mut command = command.into_iter();
    match (url, command.next()) {
        (Some(url), None) if is_http(&url) => Ok(Target::Url(url)),
        (Some(url), None) => Err(Failure::Usage(format!("not an http or https URL: {url:?}"))),
        (None, Some(program)) => Ok(Target::Command { program, args: command.collect() }),
        (Some(_), Some(_)) => {
            Err(Failure::Usage("a URL and a command are given; one server at a time".to_owned()))
        }
        (None, None) => {
            Err(Failure::Usage("no server; give a URL, or a command after `--`".to_owned()))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn split(line: &[&str]) -> Result<(Request, Target), String> {
        let args = Args::try_parse_from([&["aqueduct"], line].concat())
            .map_err(|error| error.to_string())?;
        args.command.split().map_err(|failure| format!("{failure:?}"))
    }

    #[test]
    fn the_url_is_the_last_of_the_arguments() {
        let (request, target) = split(&["call", "add", "a=1", "http://h/mcp"]).unwrap();
        assert_eq!(
            request,
            Request::Call { name: "add".to_owned(), arguments: vec!["a=1".to_owned()] }
        );
        assert_eq!(target, Target::Url("http://h/mcp".to_owned()));
    }

    #[test]
    fn what_follows_the_dashes_is_the_command() {
        let (request, target) = split(&["list", "tools", "--", "memory", "--stdio"]).unwrap();
        assert_eq!(request, Request::List(Kind::Tools));
        assert_eq!(
            target,
            Target::Command { program: "memory".to_owned(), args: vec!["--stdio".to_owned()] }
        );
    }

    #[test]
    fn a_resource_may_itself_be_a_web_page() {
        let (request, target) = split(&["read", "https://a/b", "http://h/mcp"]).unwrap();
        assert_eq!(request, Request::Read { uri: "https://a/b".to_owned() });
        assert_eq!(target, Target::Url("http://h/mcp".to_owned()));
    }

    #[test]
    fn no_server_and_two_servers_are_refused() {
        assert!(split(&["discover"]).unwrap_err().contains("no server"));
        assert!(split(&["discover", "http://h", "--", "x"]).unwrap_err().contains("one server"));
        assert!(split(&["discover", "ftp://h"]).unwrap_err().contains("not an http"));
    }
}
