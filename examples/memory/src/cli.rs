//! The command line: how the memory is reached, and where it lies.

use std::{
    env,
    ffi::OsString,
    io::{self, IsTerminal, Write},
    net::SocketAddr,
    path::PathBuf,
};

use crate::store::MAX_PAGE;

/// How many notes a page of the resource list has.
const PAGE_SIZE: u32 = 50;
/// Where HTTP is served when `--http` stands alone: this machine only.
const ADDRESS: &str = "127.0.0.1:8620";

/// What `--help` shows.
pub const HELP: &str = "\
A memory that an assistant keeps, served over MCP.

usage: memory [--stdio | --http [ADDR]] [options]

  --stdio              serve one client on standard input and output;
                       assumed when input is not a terminal
  --http [ADDR]        serve any number of clients at http://ADDR/mcp
                       (127.0.0.1:8620; a port alone means this machine)
  --data PATH          the file that holds the notes, made on first use
                       (memory.db in the user's data directory)
  --allow-origin URL   a web page that may call, such as https://app.example;
                       may be repeated; HTTP only
  --allow-host HOST    another name that the server is reached by, such as that
                       of a proxy before it; may be repeated; HTTP only
  --auth FILE          let in callers with a token only, as this TOML file says;
                       HTTP only, see the README
  --page-size N        notes in a page of the resource list, 1 to 100 (50)
  --store URL          where imports under way lie, and sessions that several
                       processes serve, which share AQUEDUCT_KEYS too:
                       memory:, redb:PATH or redis://HOST:PORT (memory:)
  --import-from DIR    lets the tool import bring in notes from this folder,
                       and from nowhere else
  --help               show this
  --version            show the version

Several programs may use one file at the same time.
";

/// What `--version` shows.
pub const VERSION: &str = concat!(env!("CARGO_PKG_NAME"), " ", env!("CARGO_PKG_VERSION"), "\n");

/// What the program is to do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Command {
    /// Serve the memory.
    Serve(Options),
    /// Show [`HELP`].
    Help,
    /// Show the version.
    Version,
}

/// How to serve.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Options {
    /// How clients reach the memory.
    pub transport: Transport,
    /// The file that holds the notes.
    pub data: PathBuf,
    /// The web origins that may call.
    pub allowed_origins: Vec<String>,
    /// The hosts that are served beside this machine's own names.
    pub allowed_hosts: Vec<String>,
    /// The file that says whose tokens are taken; nobody is asked for one without.
    pub auth: Option<PathBuf>,
    /// How many notes a page of the resource list has.
    pub page_size: u32,
    /// The address of the store of sessions; the memory of the process otherwise.
    pub store: Option<String>,
    /// The folder from which notes may be imported; from nowhere otherwise.
    pub import_from: Option<PathBuf>,
}

/// How clients reach the memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Transport {
    /// One client, on standard input and output.
    Stdio,
    /// Any number of clients, over Streamable HTTP.
    Http(SocketAddr),
}

/// Reads the command line of this process.
///
/// # Errors
/// A message for the user when an option is unknown or its value does not fit.
pub fn command() -> Result<Command, String> {
    let arguments = env::args_os().skip(1);
    parse(arguments, io::stdin().is_terminal(), data_file)
}

/// Shows text to the user who asked for it.
///
/// # Errors
/// When standard output is closed.
pub fn show(text: &str) -> io::Result<()> {
    io::stdout().lock().write_all(text.as_bytes())
}

/// Tells the user why the program ends; standard output may be the wire, so it stays clear.
pub fn complain(error: &dyn std::error::Error) {
    // A closed standard error leaves nobody to tell.
    drop(writeln!(io::stderr().lock(), "memory: {error}"));
}

fn parse(
    arguments: impl Iterator<Item = OsString>,
    on_terminal: bool,
    data_file: impl FnOnce() -> Result<PathBuf, String>,
) -> Result<Command, String> {
    let mut arguments = Arguments { rest: arguments.peekable(), inline: None };
    let (mut transport, mut data, mut auth) = (None, None, None);
    let (mut allowed_origins, mut allowed_hosts) = (Vec::new(), Vec::new());
    let (mut page_size, mut store, mut import_from) = (PAGE_SIZE, None, None);
    while let Some(option) = arguments.option()? {
        match option.as_str() {
            "--help" | "-h" => return Ok(Command::Help),
            "--version" | "-V" => return Ok(Command::Version),
            "--stdio" => choose(&mut transport, Transport::Stdio)?,
            "--http" => choose(&mut transport, Transport::Http(arguments.address()?))?,
            "--data" => data = Some(PathBuf::from(arguments.value(&option)?)),
            "--allow-origin" => allowed_origins.push(origin(&arguments.text(&option)?)?),
            "--allow-host" => allowed_hosts.push(arguments.text(&option)?),
            "--auth" => auth = Some(PathBuf::from(arguments.value(&option)?)),
            "--store" => store = Some(arguments.text(&option)?),
            "--import-from" => import_from = Some(PathBuf::from(arguments.value(&option)?)),
            "--page-size" => page_size = size(&arguments.text(&option)?)?,
            unknown => return Err(format!("no option \"{unknown}\"; see --help")),
        }
        arguments.finish(&option)?;
    }
    let transport = match transport {
        Some(transport) => transport,
        None if on_terminal => return Ok(Command::Help),
        None => Transport::Stdio,
    };
    if auth.is_some() && transport == Transport::Stdio {
        return Err("--auth is for --http; who starts a program over stdio is known".to_owned());
    }
    let data = data.map_or_else(data_file, Ok)?;
    Ok(Command::Serve(Options {
        transport,
        data,
        allowed_origins,
        allowed_hosts,
        auth,
        page_size,
        store,
        import_from,
    }))
}

fn choose(transport: &mut Option<Transport>, wanted: Transport) -> Result<(), String> {
    match transport.replace(wanted) {
        None => Ok(()),
        Some(_) => Err("give one of --stdio and --http, once".to_owned()),
    }
}

/// Accepts what a browser sends as `Origin`: scheme, host and port without a path.
fn origin(text: &str) -> Result<String, String> {
    let origin = text.trim_end_matches('/').to_ascii_lowercase();
    let host = origin.split_once("://").map_or("", |(_, host)| host);
    if host.is_empty() || host.contains(['/', '*', ' ']) {
        return Err(format!("\"{text}\" is not an origin; write https://app.example"));
    }
    Ok(origin)
}

fn size(text: &str) -> Result<u32, String> {
    let size = text.parse().ok().filter(|size| (1..=MAX_PAGE).contains(size));
    size.ok_or_else(|| format!("--page-size is 1 to {MAX_PAGE}, not \"{text}\""))
}

/// The words of a command line, where a value follows its option or stands behind `=`.
struct Arguments<I: Iterator<Item = OsString>> {
    rest: std::iter::Peekable<I>,
    inline: Option<String>,
}

impl<I: Iterator<Item = OsString>> Arguments<I> {
    fn option(&mut self) -> Result<Option<String>, String> {
        let Some(word) = self.rest.next() else {
            return Ok(None);
        };
        let word = word.into_string().map_err(|word| format!("no option {word:?}; see --help"))?;
        let Some((option, value)) = word.split_once('=') else {
            return Ok(Some(word));
        };
        self.inline = Some(value.to_owned());
        Ok(Some(option.to_owned()))
    }

    fn value(&mut self, option: &str) -> Result<OsString, String> {
        let value = self.inline.take().map(OsString::from).or_else(|| self.rest.next());
        value.filter(|value| !value.is_empty()).ok_or_else(|| format!("{option} needs a value"))
    }

    fn text(&mut self, option: &str) -> Result<String, String> {
        let value = self.value(option)?;
        value.into_string().map_err(|value| format!("{option} cannot be {value:?}"))
    }

    /// An address, a port on this machine, or neither when the next word is an option.
    fn address(&mut self) -> Result<SocketAddr, String> {
        let follows = self.rest.peek().is_some_and(|word| !word.to_string_lossy().starts_with('-'));
        let given = self.inline.is_some() || follows;
        let text = if given { self.text("--http")? } else { ADDRESS.to_owned() };
        let host = text.strip_prefix("localhost:").unwrap_or(&text);
        let port = host.trim_start_matches(':').parse::<u16>();
        let address = port.map(|port| SocketAddr::from(([127, 0, 0, 1], port)));
        address.or_else(|_| host.parse()).map_err(|_| {
            format!("--http \"{text}\" is not an address; write {ADDRESS}, or a port alone")
        })
    }

    fn finish(&mut self, option: &str) -> Result<(), String> {
        self.inline.take().map_or(Ok(()), |_| Err(format!("{option} takes no value")))
    }
}

/// The file in the user's data directory, by the custom of each system.
fn data_file() -> Result<PathBuf, String> {
    let variable = |name: &str| {
        env::var_os(name).map(PathBuf::from).filter(|directory| directory.is_absolute())
    };
    let directory = if cfg!(windows) {
        variable("LOCALAPPDATA")
    } else if cfg!(target_os = "macos") {
        variable("HOME").map(|home| home.join("Library/Application Support"))
    } else {
        let home = || variable("HOME").map(|home| home.join(".local/share"));
        variable("XDG_DATA_HOME").or_else(home)
    };
    let missing = || "there is no home directory; name a file with --data".to_owned();
    Ok(directory.ok_or_else(missing)?.join("aqueduct-memory").join("memory.db"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(line: &str) -> Result<Command, String> {
        let words = line.split_whitespace().map(OsString::from);
        parse(words, false, || Ok(PathBuf::from("/default.db")))
    }

    fn options(line: &str) -> Options {
        match check(line).unwrap() {
            Command::Serve(options) => options,
            other => panic!("{line}: {other:?}"),
        }
    }

    #[test]
    fn no_arguments_are_stdio_for_a_client_and_help_for_a_person() {
        assert_eq!(options("").transport, Transport::Stdio);
        assert_eq!(options("").data, PathBuf::from("/default.db"));
        let nothing = std::iter::empty();
        assert_eq!(parse(nothing, true, || Err(String::new())), Ok(Command::Help));
    }

    #[test]
    fn options_take_values_behind_a_space_or_an_equals_sign() {
        let wanted = Options {
            transport: Transport::Http("127.0.0.1:9000".parse().unwrap()),
            data: PathBuf::from("a=b.db"),
            allowed_origins: vec!["https://app.example".to_owned(), "http://x:1".to_owned()],
            allowed_hosts: vec!["mcp.example:443".to_owned()],
            auth: Some(PathBuf::from("auth.toml")),
            page_size: 7,
            store: Some("redis://store:6379".to_owned()),
            import_from: Some(PathBuf::from("notes")),
        };
        let spaced = "--http 127.0.0.1:9000 --data a=b.db --allow-origin https://App.example/ \
                      --allow-origin http://x:1 --allow-host mcp.example:443 --auth auth.toml \
                      --page-size 7 --store redis://store:6379 --import-from notes";
        let joined = "--page-size=7 --http=127.0.0.1:9000 --data=a=b.db \
                      --allow-origin=https://app.example --allow-origin=http://x:1 \
                      --allow-host=mcp.example:443 --auth=auth.toml \
                      --store=redis://store:6379 --import-from=notes";
        assert_eq!(options(spaced), wanted);
        assert_eq!(options(joined), wanted);
    }

    #[test]
    fn a_port_alone_is_this_machine() {
        let address = |line: &str| match options(line).transport {
            Transport::Http(address) => address.to_string(),
            Transport::Stdio => "stdio".to_owned(),
        };
        assert_eq!(address("--http"), ADDRESS);
        assert_eq!(address("--http --page-size 3"), ADDRESS);
        assert_eq!(address("--http 80"), "127.0.0.1:80");
        assert_eq!(address("--http :80"), "127.0.0.1:80");
        assert_eq!(address("--http localhost:80"), "127.0.0.1:80");
        assert_eq!(address("--http [::1]:80"), "[::1]:80");
        assert_eq!(address("--http 0.0.0.0:80"), "0.0.0.0:80");
    }

    #[test]
    fn what_does_not_fit_is_said() {
        for (line, message) in [
            ("--dat x", "no option \"--dat\"; see --help"),
            ("--data", "--data needs a value"),
            ("--data=", "--data needs a value"),
            ("--stdio --http", "give one of --stdio and --http, once"),
            ("--stdio=1", "--stdio takes no value"),
            ("--store", "--store needs a value"),
            ("--auth x", "--auth is for --http; who starts a program over stdio is known"),
            ("--page-size 0", "--page-size is 1 to 100, not \"0\""),
            (
                "--http nowhere",
                "--http \"nowhere\" is not an address; write 127.0.0.1:8620, or a port alone",
            ),
            ("--allow-origin *", "\"*\" is not an origin; write https://app.example"),
        ] {
            assert_eq!(check(line).unwrap_err(), message);
        }
    }

    #[test]
    fn help_and_version_win_over_a_missing_home() {
        assert_eq!(check("--help"), Ok(Command::Help));
        assert_eq!(check("--page-size 2 -V"), Ok(Command::Version));
    }
}
