//! What can be read: the suite's resources and those of the faults, templates and their files.

use std::path::{Path, PathBuf};

use aqueduct::prelude::*;
use aqueduct::resource::ResourceContents;
use aqueduct::schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use crate::meta;
use crate::tools::PNG;

/// What the pages of MCP Apps are.
const APP: &str = "text/html;profile=mcp-app";

/// Those at one URI; the suite reads the first that is listed.
pub(crate) fn fixed() -> Vec<Resource> {
    vec![
        Resource::new("test://static-text", "static-text")
            .description("A text")
            .mime_type("text/plain")
            .handler(|| async { "This is the content of the static text resource." }),
        Resource::new("test://static-binary", "static-binary")
            .description("A picture")
            .mime_type("image/png")
            .handler(|| async { PNG }),
        Resource::new("test://watched-resource", "watched-resource")
            .description("A resource to be told about")
            .mime_type("text/plain")
            .handler(|| async { "Nothing has changed." }),
        Resource::new("notes://welcome", "welcome")
            .mime_type("text/plain")
            .handler(|| async { "Welcome" }),
        Resource::new("notes://empty", "empty").mime_type("text/plain").handler(|| async { "" }),
        Resource::new("notes://untyped", "untyped").handler(|| async { "no media type" }),
        Resource::new("img://logo", "logo")
            .mime_type("image/png")
            .size(3)
            .handler(|| async { vec![0xFB_u8, 0xEF, 0xFF] }),
        Resource::new("test://broken", "broken").handler(|| async {
            // A path that the peer must not learn.
            std::fs::read_to_string("/var/lib/secret/notes.db")
        }),
        Resource::new("ui://chart/view.html", "chart")
            .mime_type(APP)
            .meta(meta(json!({ "ui": { "prefersBorder": true } })))
            .handler(|| async {
                ResourceContents::text("ui://chart/view.html", "<!doctype html><p>chart")
                    .mime_type(APP)
                    .meta(meta(json!({ "ui": { "csp": { "connectDomains": [] } } })))
            }),
    ]
}

#[derive(Deserialize, JsonSchema)]
#[schemars(crate = "aqueduct::schemars")]
struct Id {
    id: String,
}

#[derive(Deserialize, JsonSchema)]
#[schemars(crate = "aqueduct::schemars")]
struct Name {
    name: String,
}

#[derive(Deserialize, JsonSchema)]
#[schemars(crate = "aqueduct::schemars")]
struct FilePath {
    path: String,
}

#[derive(Deserialize, JsonSchema)]
#[schemars(crate = "aqueduct::schemars")]
struct Item {
    id: String,
    page: Option<u32>,
    limit: Option<u32>,
}

#[derive(Deserialize, JsonSchema)]
#[schemars(crate = "aqueduct::schemars")]
struct Tags {
    #[serde(default)]
    tag: Vec<String>,
}

#[derive(Deserialize, JsonSchema)]
#[schemars(crate = "aqueduct::schemars")]
struct City {
    city: String,
}

#[derive(Deserialize, JsonSchema)]
#[schemars(crate = "aqueduct::schemars")]
struct Dish {
    dish: String,
}

/// How many notes there are to complete a name with.
const NOTES: usize = 250;

/// Those by a template.
pub(crate) fn templates() -> Vec<ResourceTemplate> {
    let mut all = vec![data(), notes()];
    all.extend(files());
    all.extend([
        ResourceTemplate::new("shop://items/{id}{?page,limit}", "item").handler(
            |Args(item): Args<Item>| async move {
                format!("item {}, page {:?}, limit {:?}", item.id, item.page, item.limit)
            },
        ),
        ResourceTemplate::new("tags://list{/tag*}", "tags")
            .handler(|Args(tags): Args<Tags>| async move { tags.tag.join(" ") }),
        ResourceTemplate::new("weather://a.b/{city}", "weather")
            .handler(|Args(city): Args<City>| async move { format!("sun in {}", city.city) }),
        ResourceTemplate::new("menu://list/café/{dish}", "menu")
            .handler(|Args(dish): Args<Dish>| async move { dish.dish }),
    ]);
    all
}

fn data() -> ResourceTemplate {
    ResourceTemplate::new("test://template/{id}/data", "template")
        .description("Data of an id")
        .mime_type("application/json")
        .handler(|Args(Id { id }): Args<Id>| async move {
            json!({ "id": id, "templateTest": true, "data": format!("Data for ID: {id}") })
                .to_string()
        })
}

/// Gives back the name that was found, so that a test sees how it was decoded.
fn notes() -> ResourceTemplate {
    ResourceTemplate::new("notes://{name}", "note")
        .mime_type("text/plain")
        .handler(|Args(Name { name }): Args<Name>| async move {
            (name != "missing").then(|| format!("note {name:?}"))
        })
        .complete("name", |Prefix(typed): Prefix| async move {
            let all = (0..NOTES).map(|number| format!("n{number}"));
            all.filter(|name| name.starts_with(&typed)).collect::<Vec<_>>()
        })
}

/// Files below a folder, by their name alone and by their path.
fn files() -> [ResourceTemplate; 2] {
    [
        ResourceTemplate::new("docs://files/{name}", "file")
            .handler(|Args(Name { name }): Args<Name>| async move { read(Path::new(&name)) }),
        ResourceTemplate::new("docs://tree/{+path}", "path").handler(
            |Args(FilePath { path }): Args<FilePath>| async move { read(Path::new(&path)) },
        ),
    ]
}

/// The text of a file below the folder, wherever a link in it leads.
fn read(path: &Path) -> Option<String> {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("fixture/docs");
    let file = root.join(path).canonicalize().ok()?;
    file.starts_with(root.canonicalize().ok()?).then_some(())?;
    std::fs::read_to_string(file).ok()
}
