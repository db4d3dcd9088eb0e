//! The tools that the faults of other servers are replayed against.

use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use aqueduct::prelude::*;
use aqueduct::schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::meta;

/// What has happened inside the server, as the tool `state` tells it.
#[derive(Debug, Default)]
pub struct Marks {
    danger: AtomicU32,
    slow_started: AtomicU32,
    slow_ended: AtomicU32,
    slow_dropped: AtomicU32,
}

/// A copy of the [`Marks`].
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(crate = "aqueduct::schemars")]
struct Happened {
    /// How often `danger` ran.
    danger: u32,
    /// How often `slow` began.
    slow_started: u32,
    /// How often it came to its end.
    slow_ended: u32,
    /// How often it was dropped in the middle.
    slow_dropped: u32,
}

fn add(mark: &AtomicU32) {
    mark.fetch_add(1, Ordering::SeqCst);
}

/// All of them, in the order in which they are listed.
pub(crate) fn all() -> Vec<Tool> {
    vec![
        echo(),
        danger(),
        add_numbers(),
        now(),
        opt(),
        pick(),
        slow(),
        state(),
        burst(),
        noisy(),
        stray(),
        whoami(),
        panics(),
        typed(),
        list_users(),
        count(),
        nothing(),
        region_query(),
        chart(),
    ]
}

#[derive(Deserialize, JsonSchema)]
#[schemars(crate = "aqueduct::schemars")]
struct Echo {
    /// What to say back
    text: String,
}

fn echo() -> Tool {
    Tool::new("echo")
        .description("Says a text back")
        .read_only()
        .handler(|Args(echo): Args<Echo>| async move { echo.text })
}

fn danger() -> Tool {
    Tool::new("danger").description("Remembers that it ran").handler(
        |marks: State<Marks>| async move {
            add(&marks.danger);
            "It ran"
        },
    )
}

#[derive(Deserialize, JsonSchema)]
#[schemars(crate = "aqueduct::schemars")]
struct Add {
    a: i64,
    b: i64,
}

fn add_numbers() -> Tool {
    Tool::new("add").description("Adds two integers").handler(|Args(add): Args<Add>| async move {
        let sum = add.a.checked_add(add.b);
        sum.map(|sum| sum.to_string()).ok_or_else(|| ToolError::new("the sum is too large"))
    })
}

fn now() -> Tool {
    Tool::new("now").description("Tells the seconds since 1970").handler(|| async {
        let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
        since.map(|since| since.as_secs().to_string())
    })
}

#[derive(Deserialize, JsonSchema)]
#[schemars(crate = "aqueduct::schemars")]
struct Opt {
    limit: Option<i64>,
    label: Option<String>,
}

/// Its schema is written by hand, because only one of the two may be null.
fn opt() -> Tool {
    Tool::new("opt")
        .description("Takes a limit or none, and a label or null")
        .input_schema(json!({
            "type": "object",
            "properties": {
                "limit": { "type": "integer" },
                "label": { "type": ["string", "null"] },
            },
        }))
        .handler(|Args(opt): Args<Opt>| async move {
            format!("limit {:?}, label {:?}", opt.limit, opt.label)
        })
}

#[derive(Debug, Deserialize, JsonSchema)]
#[schemars(crate = "aqueduct::schemars")]
#[serde(rename_all = "lowercase")]
enum Mode {
    A,
    B,
}

#[derive(Deserialize, JsonSchema)]
#[schemars(crate = "aqueduct::schemars")]
#[serde(deny_unknown_fields)]
struct Pick {
    mode: Mode,
}

fn pick() -> Tool {
    Tool::new("pick")
        .description("Takes one of two modes and nothing else")
        .handler(|Args(pick): Args<Pick>| async move { format!("mode {:?}", pick.mode) })
}

#[derive(Deserialize, JsonSchema)]
#[schemars(crate = "aqueduct::schemars")]
struct Slow {
    /// How many milliseconds to take
    ms: u64,
    /// What to answer in the end
    text: Option<String>,
}

/// Marks a piece of work that was dropped before its end.
struct Unfinished(State<Marks>, bool);

impl Drop for Unfinished {
    fn drop(&mut self) {
        add(if self.1 { &self.0.slow_ended } else { &self.0.slow_dropped });
    }
}

fn slow() -> Tool {
    Tool::new("slow").description("Takes its time, in three steps").handler(
        |Args(slow): Args<Slow>, marks: State<Marks>, ctx: Context| async move {
            add(&marks.slow_started);
            let mut unfinished = Unfinished(marks, false);
            for step in 1..=3 {
                tokio::time::sleep(Duration::from_millis(slow.ms) / 3).await;
                ctx.progress((step, 3));
            }
            unfinished.1 = true;
            slow.text.unwrap_or_else(|| "done".to_owned())
        },
    )
}

fn state() -> Tool {
    Tool::new("state").description("Tells what has happened inside the server").handler(
        |marks: State<Marks>| async move {
            let read = |mark: &AtomicU32| mark.load(Ordering::SeqCst);
            Json(Happened {
                danger: read(&marks.danger),
                slow_started: read(&marks.slow_started),
                slow_ended: read(&marks.slow_ended),
                slow_dropped: read(&marks.slow_dropped),
            })
        },
    )
}

fn burst() -> Tool {
    Tool::new("burst").description("Reports 50 steps as fast as it can, then answers").handler(
        |ctx: Context| async move {
            for step in 1..=50 {
                ctx.progress((step, 50));
            }
            "burst"
        },
    )
}

/// Every level of a log message, the least severe first.
const LEVELS: [LoggingLevel; 8] = [
    LoggingLevel::Debug,
    LoggingLevel::Info,
    LoggingLevel::Notice,
    LoggingLevel::Warning,
    LoggingLevel::Error,
    LoggingLevel::Critical,
    LoggingLevel::Alert,
    LoggingLevel::Emergency,
];

fn noisy() -> Tool {
    Tool::new("noisy").description("Reports three steps and logs at every level").handler(
        |ctx: Context| async move {
            for step in 1..=3 {
                ctx.progress((step, 3));
            }
            for level in LEVELS {
                ctx.log_as(Some("noisy"), level, format!("a message of level {level}"));
            }
            tracing::error!("a line of the server's own log");
            "noisy"
        },
    )
}

/// What a library that knows nothing of the protocol does.
fn stray() -> Tool {
    Tool::new("stray").description("Writes to the standard output").handler(|| async {
        use std::io::Write as _;
        let mut out = std::io::stdout().lock();
        writeln!(out, "a stray line")?;
        out.flush()?;
        Ok::<_, ToolError>("stray")
    })
}

fn whoami() -> Tool {
    Tool::new("whoami").description("Tells who calls").handler(
        |principal: Option<Principal>| async move {
            principal.map_or_else(|| "nobody".to_owned(), |principal| principal.subject)
        },
    )
}

/// What the panic says, and what no client may read.
const PANIC: &str = "the secret is hunter2";

#[expect(clippy::panic, reason = "the fixture of a handler that does")]
fn fail() -> &'static str {
    std::panic::panic_any(PANIC)
}

fn panics() -> Tool {
    Tool::new("panics").description("Panics").handler(|| async { fail() })
}

#[derive(Debug, Deserialize, JsonSchema)]
#[schemars(crate = "aqueduct::schemars")]
#[serde(rename_all = "snake_case")]
enum Reading {
    Good,
    Offline,
    OfflineWithData,
    Wrong,
    Nothing,
}

#[derive(Deserialize, JsonSchema)]
#[schemars(crate = "aqueduct::schemars")]
struct Typed {
    reading: Option<Reading>,
}

fn typed() -> Tool {
    Tool::new("typed")
        .description("Reads a sensor, and keeps its promise about the result or not")
        .output_schema(json!({
            "type": "object",
            "properties": { "temp": { "type": "number" } },
            "required": ["temp"],
        }))
        .handler(|Args(typed): Args<Typed>| async move {
            match typed.reading.unwrap_or(Reading::Good) {
                Reading::Good => ToolResult::new().data(&json!({ "temp": 21.5 })),
                Reading::Offline => Err(ToolError::new("sensor offline")),
                Reading::OfflineWithData => {
                    ToolResult::new().error("sensor offline").data_only(&json!({ "since": "noon" }))
                }
                Reading::Wrong => ToolResult::new().data(&json!({ "temp": "hot" })),
                Reading::Nothing => Ok(ToolResult::new().text("nothing structured")),
            }
        })
}

#[derive(Serialize, JsonSchema)]
#[schemars(crate = "aqueduct::schemars")]
struct User {
    name: &'static str,
}

fn list_users() -> Tool {
    Tool::new("list_users")
        .description("Answers with an array")
        .handler(|| async { Json(vec![User { name: "ann" }, User { name: "bob" }]) })
}

fn count() -> Tool {
    Tool::new("count").description("Answers with a number").handler(|| async { Json(2) })
}

fn nothing() -> Tool {
    Tool::new("nothing").description("Answers with null").handler(|| async { Json(()) })
}

#[derive(Deserialize, JsonSchema)]
#[schemars(crate = "aqueduct::schemars")]
struct RegionQuery {
    region: Option<String>,
    limit: Option<serde_json::Value>,
    exact: Option<bool>,
    q: Option<String>,
}

fn region_query() -> Tool {
    Tool::new("region_query")
        .description("Searches a region; HTTP clients repeat three arguments in headers")
        .input_schema(json!({
            "type": "object",
            "properties": {
                "region": { "type": "string", "x-mcp-header": "Region" },
                "limit": { "type": "integer", "x-mcp-header": "Limit" },
                "exact": { "type": "boolean", "x-mcp-header": "Exact" },
                "q": { "type": "string" },
            },
        }))
        .handler(|Args(query): Args<RegionQuery>, marks: State<Marks>| async move {
            add(&marks.danger);
            format!(
                "{} within {}, {} at most, exact: {}",
                query.q.unwrap_or_default(),
                query.region.as_deref().unwrap_or("all regions"),
                query.limit.unwrap_or_default(),
                query.exact.unwrap_or_default(),
            )
        })
}

fn chart() -> Tool {
    Tool::new("chart")
        .description("Draws a chart in clients that show pages")
        .meta(meta(json!({ "ui": { "resourceUri": "ui://chart/view.html" } })))
        .handler(|| async {
            ToolResult::new().text("a chart").meta(meta(json!({ "com.example/k": 1 })))
        })
}
