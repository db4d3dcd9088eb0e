//! Tokens that nobody can read: introspection, API keys, a verifier of one's own.

use aqueduct::Principal;
use aqueduct::auth::{ApiKey, Issuer, Refusal, ResourceServer, Verified, Verifier};
use aqueduct::testing::idp::{Fault, Idp};
use serde_json::{Value, json};

use super::super::peer::call;
use super::{Door, RESOURCE};

async fn status(door: &Door, token: &str) -> u16 {
    door.call(token, &call(1, "open", json!({}))).await.status
}

/// CVE-2026-11717: what is not literally active is not.
#[tokio::test]
async fn introspection_is_believed_only_when_it_says_all() {
    let idp = Idp::start().await.unwrap();
    let (name, url) = (idp.issuer().to_owned(), format!("{}/introspect", idp.issuer()));
    let auth = ResourceServer::new(RESOURCE)
        .issuer(Issuer::introspect(&name, url, "me", "s3cret"))
        .loopback_issuers()
        .build()
        .unwrap();
    let door = Door::of(idp, auth).await;
    let good = json!({ "active": true, "iss": name, "sub": "alice", "aud": RESOURCE,
        "scope": "files:write files:audit", "exp": 4_000_000_000_u64 });
    door.idp.introspects("good", good.clone());
    assert_eq!(status(&door, "good").await, 200);
    assert_eq!(door.call("good", &call(1, "write", json!({}))).await.status, 200);
    assert_eq!(door.idp.hits("/introspect"), 1, "a token is remembered for a moment");
    let changes = [
        ("active", json!(false)),
        ("active", json!("true")),
        ("active", json!(1)),
        ("iss", json!("https://other.example")),
        ("iss", Value::Null),
        ("sub", json!("")),
        ("sub", Value::Null),
        ("aud", json!("https://mcp.example.com/mcp2")),
        ("aud", Value::Null),
        ("aud", json!([])),
        ("exp", json!(1)),
        ("nbf", json!(4_000_000_000_u64)),
    ];
    let entered = door.entered();
    for (at, (member, value)) in changes.iter().enumerate() {
        let mut answer = good.clone();
        answer[*member] = value.clone();
        door.idp.introspects(format!("t{at}"), answer);
        assert_eq!(status(&door, &format!("t{at}")).await, 401, "{member} {value}");
    }
    let mut silent = good;
    silent.as_object_mut().unwrap().remove("active");
    door.idp.introspects("silent", silent);
    assert_eq!(status(&door, "silent").await, 503);
    assert_eq!(status(&door, "unknown").await, 401);
    for fault in [Fault::Status(500), Fault::Body(b"[true]".to_vec())] {
        door.idp.fail(fault);
        assert_eq!(status(&door, "new").await, 503);
    }
    assert_eq!(door.entered(), entered);
}

/// Those who come together with one token wait for one question.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_issuer_is_asked_once_about_a_token() {
    let idp = Idp::start().await.unwrap();
    let (name, url) = (idp.issuer().to_owned(), format!("{}/introspect", idp.issuer()));
    let auth = ResourceServer::new(RESOURCE)
        .issuer(Issuer::introspect(&name, url, "me", "s3cret"))
        .loopback_issuers()
        .build()
        .unwrap();
    let door = std::sync::Arc::new(Door::of(idp, auth).await);
    let good = json!({ "active": true, "iss": name, "sub": "alice", "aud": RESOURCE });
    door.idp.introspects("good", good);
    door.idp.fail(Fault::Slow(std::time::Duration::from_millis(300)));
    for (token, expected, asked) in [("good", 200, 1), ("bad", 401, 2)] {
        let all: Vec<_> = (0..20)
            .map(|_| {
                let door = std::sync::Arc::clone(&door);
                tokio::spawn(async move { status(&door, token).await })
            })
            .collect();
        for one in all {
            assert_eq!(one.await.unwrap(), expected);
        }
        assert_eq!(door.idp.hits("/introspect"), asked);
    }
}

#[tokio::test]
async fn an_api_key_is_taken_whole_and_while_it_lasts() {
    let idp = Idp::start().await.unwrap();
    let new = ApiKey::generate("backup").unwrap();
    let old = ApiKey::generate("old").unwrap();
    let past = std::time::SystemTime::now() - std::time::Duration::from_secs(1);
    let auth = ResourceServer::new(RESOURCE)
        .api_key(new.key.clone().scopes(["files:write"]))
        .api_key(old.key.expires(past))
        .build()
        .unwrap();
    assert!(auth.metadata_paths().is_empty());
    let door = Door::of(idp, auth).await;
    assert_eq!(status(&door, &new.token).await, 200);
    let (name, secret) = new.token.rsplit_once('_').unwrap();
    for wrong in [
        format!("{name}_"),
        format!("{name}_{}", &secret[1..]),
        format!("mk_other_{secret}"),
        format!("mk_{secret}"),
        new.key.hash().to_owned(),
        format!("{name}_{}", new.key.hash()),
        old.token,
        door.token(""),
    ] {
        let response = door.call(&wrong, &call(1, "open", json!({}))).await;
        assert_eq!(response.status, 401, "{wrong}");
    }
    assert_eq!(door.entered(), 1);
    let response = door.call(&new.token, &call(1, "write", json!({}))).await;
    let challenge = response.header("www-authenticate").unwrap();
    assert!(challenge.contains("files:write files:audit"), "{challenge}");
    let nobody = super::Post::of(&call(1, "open", json!({}))).ask(door.addr()).await;
    assert_eq!(nobody.header("www-authenticate"), Some("Bearer realm=\"mcp\""));
}

struct Words;

impl Verifier for Words {
    async fn verify(&self, token: &str) -> Result<Verified, Refusal> {
        match token {
            "sesame" => Ok(Verified::new(Principal::new("words", "ali"))),
            "later" => Err(Refusal::unknown("the list is away")),
            "past" => Ok(Verified::new(Principal::new("words", "ali"))
                .expires(std::time::SystemTime::UNIX_EPOCH)),
            _ => Err(Refusal::invalid("no such word")),
        }
    }
}

/// An error of a verifier is no pass, and its word is held against the clock.
#[tokio::test]
async fn a_verifier_of_ones_own_passes_nobody_by_mistake() {
    let idp = Idp::start().await.unwrap();
    let auth = ResourceServer::new(RESOURCE).verifier(Words, ["https://idp.example.com"]);
    let door = Door::of(idp, auth.build().unwrap()).await;
    for (token, expected) in [("sesame", 200), ("later", 503), ("past", 401), ("x", 401)] {
        assert_eq!(status(&door, token).await, expected, "{token}");
    }
    assert_eq!(door.entered(), 1);
}
