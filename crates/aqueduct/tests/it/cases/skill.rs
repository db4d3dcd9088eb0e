//! Skills: what is listed, got and read, page by page, and what is refused or never served.

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::symlink;

use aqueduct::Server;
use aqueduct::item::Visibility;
use aqueduct::prelude::*;
use aqueduct::server::{SkillError, Skills};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use super::peer::{Peer, Said, fixtures, in_session, on_each, stateless};

const GIT: &str = "skill://git-workflow/SKILL.md";

fn skill(name: &str) -> String {
    format!("---\nname: {name}\ndescription: About {name}\n---\nDo {name}.\n")
}

async fn read(peer: &mut Peer, uri: &str) -> Said {
    peer.request("resources/read", json!({ "uri": uri })).await
}

fn uris(items: &Value) -> Vec<&str> {
    items.as_array().expect("items").iter().map(|item| item["uri"].as_str().expect("uri")).collect()
}

/// Every file of every skill is read, and has the size and the digest that the list promised.
#[tokio::test]
async fn what_is_listed_is_what_is_read() {
    on_each(fixtures, async |peer: &mut Peer| {
        let said = peer.request("skills/list", json!({})).await;
        let skills = said.result()["skills"].clone();
        let billing = "skill://acme/billing/refunds/SKILL.md";
        assert_eq!(uris(&skills), [billing, GIT, "skill://pdf-processing/SKILL.md"]);
        assert_eq!(
            skills[1]["frontmatter"],
            json!({
                "name": "git-workflow",
                "description":
                    "Follow this team's conventions for branches and commits. Use when committing.",
                "license": "MIT",
                "metadata": { "version": "1.0", "reviewed": true },
            })
        );
        let mut seen = BTreeSet::new();
        for file in skills
            .as_array()
            .unwrap()
            .iter()
            .flat_map(|skill| skill["resources"].as_array().unwrap().clone())
        {
            let uri = file["uri"].as_str().unwrap();
            let said = read(peer, uri).await;
            let contents = &said.result()["contents"][0];
            assert_eq!(contents["uri"], uri);
            let decoded = |blob: &Value| {
                let blob = blob.as_str().expect("text or blob");
                aqueduct::protocol::base64::decode(blob).unwrap()
            };
            let text = contents["text"].as_str().map(|text| text.as_bytes().to_vec());
            let bytes = text.unwrap_or_else(|| decoded(&contents["blob"]));
            assert_eq!(file["size"], bytes.len(), "{uri}");
            let digest: String =
                Sha256::digest(&bytes).iter().map(|byte| format!("{byte:02x}")).collect();
            assert_eq!(file["digest"], format!("sha256:{digest}"), "{uri}");
            assert!(seen.insert(uri.to_owned()), "{uri} twice");
        }
        assert_eq!(seen.len(), 9);
        assert!(seen.contains("skill://acme/billing/refunds/examples/first%20reply.md"));
        for skill in skills.as_array().unwrap() {
            let said = peer.request("skills/get", json!({ "uri": skill["uri"] })).await;
            assert_eq!(&said.result()["skill"], skill);
            assert!(said.result().get("nextCursor").is_none());
        }
    })
    .await;
}

#[tokio::test]
async fn a_directory_has_its_children_and_no_more() {
    on_each(fixtures, async |peer: &mut Peer| {
        let mut list = async |uri: &str| {
            let said = peer.request("resources/directory/read", json!({ "uri": uri })).await;
            said.result()["resources"].clone()
        };
        let templates = list("skill://pdf-processing/templates").await;
        let about = |item: &Value| {
            ["uri", "name", "mimeType"].map(|key| item[key].as_str().unwrap_or_default().to_owned())
        };
        let expected = [
            ["invoice.md", "text/markdown"],
            ["logo.png", "image/png"],
            ["regional", "inode/directory"],
        ];
        let expected = expected.map(|[name, mime]| {
            let uri = format!("skill://pdf-processing/templates/{name}");
            [uri, name.to_owned(), mime.to_owned()]
        });
        assert_eq!(templates.as_array().unwrap().iter().map(about).collect::<Vec<_>>(), expected);
        assert_eq!(uris(&list("skill://acme").await), ["skill://acme/billing"]);
        let top = list("skill://git-workflow").await;
        assert_eq!((&top[0]["uri"], &top[0]["name"]), (&json!(GIT), &json!("git-workflow")));
    })
    .await;
}

/// SEP-2640 › Error Handling: what is not served is -32602, on whichever way it is asked for.
#[tokio::test]
async fn what_is_not_there_is_told_apart_from_nothing() {
    on_each(fixtures, async |peer: &mut Peer| {
        for uri in ["skill://nope/SKILL.md", "skill://git-workflow", "test://static-text", "", "x"]
        {
            let said = peer.request("skills/get", json!({ "uri": uri })).await;
            said.is_error(-32602, 200);
        }
        for uri in [GIT, "skill://git-workflow/", "skill://", "skill://nope", "skill://../etc"] {
            let said = peer.request("resources/directory/read", json!({ "uri": uri })).await;
            said.is_error(-32602, 200);
        }
        for method in ["skills/get", "resources/directory/read"] {
            for params in [json!({}), json!({ "uri": 7 })] {
                peer.request(method, params).await.is_error(-32602, 400);
            }
        }
        for uri in [
            "skill://README.md",
            "skill://git-workflow/../git-workflow/SKILL.md",
            "skill://git-workflow/%2e%2e/README.md",
            "skill://git-workflow/../../../secret.txt",
            "skill:///etc/passwd",
            "skill://git-workflow",
        ] {
            let said = read(peer, uri).await;
            assert_eq!(said.code(), -32602, "{uri}");
        }
    })
    .await;
}

#[tokio::test]
async fn a_server_with_skills_says_so_and_another_knows_no_such_method() {
    let settings = json!({ "io.modelcontextprotocol/skills": { "directoryRead": true } });
    let server =
        || Server::new("s", "1").skills(Skills::embedded([("a/SKILL.md", skill("a"))]).unwrap());
    stateless(server, async |peer: &mut Peer| {
        let said = peer.request("server/discover", json!({})).await;
        let capabilities = &said.result()["capabilities"];
        assert_eq!(capabilities["extensions"], settings);
        assert!(capabilities["resources"].is_object());
        let said = peer.request("skills/list", json!({})).await;
        assert_eq!(
            (&said.result()["ttlMs"], &said.result()["cacheScope"]),
            (&json!(0), &json!("private"))
        );
    })
    .await;
    in_session(server, async |peer: &mut Peer| {
        if peer.is_http() {
            let initialize = json!({ "protocolVersion": "2025-11-25", "capabilities": {},
                "clientInfo": { "name": "t", "version": "0" } });
            let said = peer.request("initialize", initialize).await;
            assert_eq!(said.result()["capabilities"]["extensions"], settings);
        }
    })
    .await;
    on_each(
        || Server::new("s", "1"),
        async |peer: &mut Peer| {
            for method in ["skills/list", "skills/get", "resources/directory/read"] {
                let said = peer.request(method, json!({ "uri": GIT })).await;
                said.is_error(-32601, 404);
            }
        },
    )
    .await;
}

fn many() -> Server {
    let mut files: Vec<_> =
        (0..5).map(|nth| (format!("s{nth}/SKILL.md"), skill(&format!("s{nth}")))).collect();
    files.extend((0..4).map(|nth| (format!("s0/n{nth}.md"), "x".to_owned())));
    Server::new("many", "1").page_size(2).skills(Skills::embedded(files).unwrap())
}

/// PAG: entries are neither split, skipped nor repeated, and a cursor is good for its own list.
#[tokio::test]
async fn lists_come_a_page_at_a_time() {
    let hides = || many().visibility(Visibility::by(|item, _| item.name != "skill://s1/SKILL.md"));
    for (server, count) in [(&many as &dyn Fn() -> Server, 5), (&hides, 4)] {
        on_each(server, async |peer: &mut Peer| {
            let mut all = async |method: &str, items: &str, params: Value| {
                let (mut seen, mut cursors) = (Vec::new(), Vec::new());
                let mut params = params;
                loop {
                    let said = peer.request(method, params.clone()).await;
                    let page = uris(&said.result()[items]).into_iter().map(ToOwned::to_owned);
                    let page: Vec<_> = page.collect();
                    assert!(page.len() <= 2 && !page.is_empty(), "{page:?}");
                    seen.extend(page);
                    match said.result()["nextCursor"].as_str() {
                        Some(next) => params["cursor"] = json!(next),
                        None => return (seen, cursors),
                    }
                    cursors.push(params["cursor"].clone());
                }
            };
            let (skills, list_cursors) = all("skills/list", "skills", json!({})).await;
            assert_eq!(skills.iter().collect::<BTreeSet<_>>().len(), count);
            assert_eq!(skills.len(), count);
            let method = "resources/directory/read";
            let (files, cursors) = all(method, "resources", json!({ "uri": "skill://s0" })).await;
            assert_eq!(files.len(), 5);
            for (uri, cursor) in [
                ("skill://s2", &cursors[0]),
                ("skill://s0", &list_cursors[0]),
                ("skill://s0", &json!("x")),
            ] {
                let params = json!({ "uri": uri, "cursor": cursor });
                peer.request(method, params).await.is_error(-32602, 200);
            }
            let params = json!({ "cursor": cursors[0] });
            peer.request("skills/list", params).await.is_error(-32602, 200);
        })
        .await;
    }
}

/// What a caller does not see is not there for him, on whichever way he asks.
#[tokio::test]
async fn a_hidden_skill_is_not_there() {
    let server =
        || many().visibility(Visibility::by(|item, _| !item.name.starts_with("skill://s0")));
    on_each(server, async |peer: &mut Peer| {
        let listed = peer.request("resources/list", json!({})).await;
        assert_eq!(uris(&listed.result()["resources"])[0], "skill://s1/SKILL.md");
        let uri = "skill://s0/SKILL.md";
        assert_eq!(read(peer, uri).await.code(), -32602);
        peer.request("skills/get", json!({ "uri": uri })).await.is_error(-32602, 200);
        let params = json!({ "uri": "skill://s0" });
        peer.request("resources/directory/read", params).await.is_error(-32602, 200);
    })
    .await;
}

/// Skills of a mounted server are those of the whole; what is there twice is told.
#[test]
fn skills_of_several_are_joined() {
    let one = |name: &str| Skills::embedded([(format!("{name}/SKILL.md"), skill(name))]).unwrap();
    let inner = || Server::new("inner", "1").skills(one("a"));
    assert!(Server::new("s", "1").skills(one("b")).mount("x_", inner()).build().is_ok());
    let twice = Server::new("s", "1").skills(one("a")).mount("x_", inner()).build().unwrap_err();
    assert!(twice.to_string().contains("\"skill://a/SKILL.md\" is given twice"), "{twice}");
    let ruled = inner().visibility(Visibility::by(|_, _| false));
    let error = Server::new("s", "1").mount("x_", ruled).build().unwrap_err();
    assert!(error.to_string().contains("do not hold for them"), "{error}");
}

#[track_caller]
fn refused(found: Result<Skills, SkillError>, told: &str) {
    let error = found.expect_err("it is refused");
    assert!(error.to_string().contains(told), "{error}");
}

#[test]
fn a_directory_is_read_without_leaving_it() {
    let fixture = tempfile::tempdir().unwrap();
    let top = fixture.path().join("skills");
    fs::create_dir_all(top.join("a/sub")).unwrap();
    fs::create_dir_all(top.join("a/inner")).unwrap();
    fs::create_dir_all(top.join("plain")).unwrap();
    fs::write(fixture.path().join("secret.txt"), "secret").unwrap();
    fs::write(top.join("a/SKILL.md"), skill("a")).unwrap();
    fs::write(top.join("a/inner/SKILL.md"), skill("inner")).unwrap();
    fs::write(top.join("a/sub/x.bin"), [0xff, 0xfe]).unwrap();
    fs::write(top.join("a/.env"), "PASSWORD=x").unwrap();
    fs::write(top.join("plain/big"), "of no skill").unwrap();
    let skills = Skills::directory(&top).unwrap();
    let shown = format!("{skills:?}");
    assert_eq!(shown, r#"["skill://a/SKILL.md", "skill://a/inner/SKILL.md"]"#);
    let listed = serde_json::to_value(skills.entries()).unwrap();
    let outer = ["skill://a/SKILL.md", "skill://a/inner/SKILL.md", "skill://a/sub/x.bin"];
    assert_eq!(uris(&listed[0]["resources"]), outer);
    assert_eq!(uris(&listed[1]["resources"]), ["skill://a/inner/SKILL.md"]);

    symlink("../../secret.txt", top.join("a/link.txt")).unwrap();
    refused(Skills::directory(&top), "\"a/link.txt\" is a symbolic link");
    fs::remove_file(top.join("a/link.txt")).unwrap();
    symlink("../..", top.join("a/up")).unwrap();
    refused(Skills::directory(&top), "\"a/up\" is a symbolic link");
    fs::remove_file(top.join("a/up")).unwrap();
    let socket = std::os::unix::net::UnixListener::bind(top.join("a/socket")).unwrap();
    refused(Skills::directory(&top), "\"a/socket\" is neither a file nor a directory");
    fs::remove_file(top.join("a/socket")).unwrap();
    drop(socket);
    assert!(Skills::directory(&top).is_ok());
    refused(Skills::directory(top.join("missing")), "missing");
    refused(Skills::directory(top.join("a/SKILL.md")), "SKILL.md");
    let deep = top.join("d/".repeat(40));
    fs::create_dir_all(deep).unwrap();
    refused(Skills::directory(&top), "directories deep");
}

#[test]
fn what_no_host_takes_is_refused_with_its_path() {
    let one = |path: &str, text: String| Skills::embedded([(path.to_owned(), text)]);
    refused(one("a/SKILL.md", skill("b")), "\"a/SKILL.md\": its name is \"b\"");
    refused(one("SKILL.md", skill("a")), "lies at the top");
    refused(one("a/SKILL.md", "# A".to_owned()), "does not begin with frontmatter");
    refused(one("a/../b/SKILL.md", skill("b")), "is no path below the top");
    refused(one("/b/SKILL.md", skill("b")), "is no path below the top");
    let twice = [("a/SKILL.md", skill("a")), ("a/SKILL.md", skill("a"))];
    refused(Skills::embedded(twice), "is given twice");
    refused(Skills::embedded([("a/SKILL.md", vec![0xff])]), "not UTF-8");
    let with = |files: usize, bytes: usize| {
        let more = (0..files).map(|nth| (format!("a/{nth}"), "x".repeat(bytes)));
        Skills::embedded([("a/SKILL.md".to_owned(), skill("a"))].into_iter().chain(more))
    };
    assert!(with(511, 1).is_ok());
    refused(with(512, 1), "513 files");
    let rest = 16 * 1024 * 1024 - skill("a").len();
    assert!(with(1, rest).is_ok());
    refused(with(1, rest + 1), "16777217 bytes");
}
