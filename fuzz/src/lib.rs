//! What must hold for any bytes: ten targets, each a function that panics when it does not.
//!
//! `cargo xtask fuzz` drives them with a fuzzer that sees which code was reached; `tests/replay.rs`
//! runs what it found worth keeping on every build.

mod authority;
mod dispatch;
mod events;
mod gate;
mod header;
mod lines;
mod scan;
mod schema;
mod seal;
mod template;
mod world;

/// One promise about bytes from outside.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    /// What it is called, on the command line and in `corpus/`.
    pub name: &'static str,
    /// What must hold.
    pub promise: &'static str,
    /// Panics when it does not hold.
    pub run: fn(&[u8]),
}

/// All targets.
pub const TARGETS: [Target; 10] = [
    Target {
        name: "gate",
        promise: "a handler runs only behind a host, an origin and a media type that are allowed",
        run: gate::run,
    },
    Target {
        name: "scan",
        promise: "what the pass over a message takes, serde_json takes and reads alike",
        run: scan::run,
    },
    Target {
        name: "lines",
        promise: "however input is cut into pieces, the same lines come out",
        run: lines::run,
    },
    Target {
        name: "header",
        promise: "a header value is decoded strictly, and what is encoded comes back",
        run: header::run,
    },
    Target {
        name: "template",
        promise: "a template that matches a URI expands to what it matches again",
        run: template::run,
    },
    Target {
        name: "seal",
        promise: "what was not sealed here, or was changed, does not open",
        run: seal::run,
    },
    Target {
        name: "authority",
        promise: "a host is parsed to one meaning, and only loopback is loopback",
        run: authority::run,
    },
    Target {
        name: "schema",
        promise: "no schema and no value panic, and problems are there when a value is not valid",
        run: schema::run,
    },
    Target {
        name: "events",
        promise: "an independent reader of events reads what was written",
        run: events::run,
    },
    Target {
        name: "dispatch",
        promise: "any parameters of any method are answered, and never with an internal error",
        run: dispatch::run,
    },
];

/// The target of this name.
#[must_use]
pub fn target(name: &str) -> Option<&'static Target> {
    TARGETS.iter().find(|target| target.name == name)
}
