//! Keys that come and go, and an issuer that does.

use std::time::Duration;

use aqueduct::auth::{Issuer, ResourceServer, TokenProfile};
use aqueduct::testing::idp::{Fault, Idp};
use serde_json::json;

use super::super::peer::{Post, call};
use super::{Door, RESOURCE, bearer};

async fn status(door: &Door, token: &str) -> u16 {
    door.call(token, &call(1, "open", json!({}))).await.status
}

#[tokio::test]
async fn a_new_key_is_fetched_and_a_withdrawn_one_is_good_no_more() {
    let door = Door::new().await;
    let (old, token) = (door.idp.key(), door.token(""));
    assert_eq!(status(&door, &token).await, 200);
    door.idp.rotate().unwrap();
    assert_eq!(status(&door, &door.token("")).await, 200);
    assert_eq!(status(&door, &token).await, 200);
    door.idp.withdraw(&old);
    door.idp.rotate().unwrap();
    // The newest key is asked for, and what the withdrawn one has signed is forgotten with it.
    assert_eq!(status(&door, &door.token("")).await, 200);
    assert_eq!(status(&door, &token).await, 401);
}

#[tokio::test]
async fn an_issuer_that_is_away_is_nobodys_fault_and_opens_nothing() {
    let faults = [
        Fault::Status(500),
        Fault::Status(404),
        Fault::Redirect("http://127.0.0.1:1/".to_owned()),
        Fault::Body(b"{".to_vec()),
        Fault::Body(br#"{"keys":[]}"#.to_vec()),
        Fault::Body(vec![b' '; 300 * 1024]),
        Fault::Body(
            br#"{"issuer":"https://evil.example","jwks_uri":"https://evil.example"}"#.to_vec(),
        ),
    ];
    let door = Door::new().await;
    let token = door.token("");
    for fault in faults {
        door.idp.fail(fault.clone());
        let response = door.call(&token, &call(1, "open", json!({}))).await;
        assert_eq!(response.status, 503, "{fault:?}");
        assert_eq!(response.header("retry-after"), Some("5"));
        assert_eq!(response.header("www-authenticate"), None);
    }
    assert_eq!(door.entered(), 0);
    door.idp.fail(None);
    assert_eq!(status(&door, &token).await, 200);
    // The keys are there now, so it may be away.
    door.idp.fail(Fault::Status(500));
    assert_eq!(status(&door, &door.token("other")).await, 200);
    assert_eq!(
        status(&door, &door.idp.token(RESOURCE).header("kid", "new").sign().unwrap()).await,
        503
    );
}

#[tokio::test]
async fn an_issuer_is_asked_once_for_all_and_then_left_alone() {
    let door = Door::with(|auth| auth.key_cooldown(Duration::from_secs(60))).await;
    door.idp.fail(Fault::Slow(Duration::from_millis(50)));
    let tokens: Vec<String> = (0..20).map(|n| door.token(&format!("s{n}"))).collect();
    for token in &tokens {
        assert_eq!(status(&door, token).await, 200);
    }
    for n in 0..20 {
        let kid = format!("unknown-{n}");
        let token = door.idp.token(RESOURCE).header("kid", kid).sign().unwrap();
        assert_eq!(status(&door, &token).await, 401);
    }
    assert_eq!(door.idp.hits("/jwks"), 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn those_who_come_together_wait_for_one_question() {
    let door = std::sync::Arc::new(Door::new().await);
    door.idp.fail(Fault::Slow(Duration::from_millis(200)));
    let asked: Vec<_> = (0..30)
        .map(|n| {
            let door = std::sync::Arc::clone(&door);
            let token = door.token(&format!("s{n}"));
            tokio::spawn(async move { status(&door, &token).await })
        })
        .collect();
    for one in asked {
        assert_eq!(one.await.unwrap(), 200);
    }
    assert_eq!(door.idp.hits("/jwks"), 1);
}

/// A caller who is gone before the issuer has answered keeps the keys from nobody else.
#[tokio::test]
async fn who_goes_away_does_not_take_the_keys_along() {
    let door = Door::with(|auth| auth.key_cooldown(Duration::from_secs(60))).await;
    door.idp.fail(Fault::Slow(Duration::from_millis(200)));
    let token = door.token("");
    let forged = door.idp.token(RESOURCE).header("kid", "unknown").sign().unwrap();
    let post = Post::of(&call(1, "open", json!({}))).header("Authorization", &bearer(&forged));
    let gone = tokio::time::timeout(Duration::from_millis(100), post.ask(door.addr())).await;
    assert!(gone.is_err(), "the issuer has answered too soon");
    assert_eq!(status(&door, &token).await, 200);
    assert_eq!(door.idp.hits("/jwks"), 1);
}

/// Another key under an old name is another key.
#[tokio::test]
async fn a_key_that_is_another_under_its_old_name_ends_what_the_old_one_signed() {
    let door = Door::new().await;
    // The first token makes sure of the keys, the second is remembered.
    assert_eq!(status(&door, &door.token("first")).await, 200);
    let token = door.token("");
    assert_eq!(status(&door, &token).await, 200);
    let other = Idp::start().await.unwrap();
    assert_eq!(other.key(), door.idp.key());
    door.idp.shows(other.jwks());
    let unknown = door.idp.token(RESOURCE).header("kid", "unknown").sign().unwrap();
    assert_eq!(status(&door, &unknown).await, 401);
    assert_eq!(status(&door, &token).await, 401);
}

#[tokio::test]
async fn a_provider_of_another_kind_of_token_is_taken_by_name() {
    let idp = Idp::start().await.unwrap();
    let issuer = Issuer::jwks(idp.issuer(), format!("{}/jwks", idp.issuer()))
        .profile(TokenProfile::Generic)
        .audience("api://5a8c");
    let auth = ResourceServer::new(RESOURCE).issuer(issuer).loopback_issuers().build().unwrap();
    let door = Door::of(idp, auth).await;
    let token = || door.idp.token("api://5a8c").header("typ", "JWT");
    assert_eq!(status(&door, &token().claim("scp", "a b").sign().unwrap()).await, 200);
    assert_eq!(status(&door, &token().claim("roles", json!(["a"])).sign().unwrap()).await, 200);
    assert_eq!(status(&door, &token().sign().unwrap()).await, 401);
    for mark in ["nonce", "at_hash"] {
        let id_token = token().claim("scp", "a").claim(mark, "x").sign().unwrap();
        assert_eq!(status(&door, &id_token).await, 401, "{mark}");
    }
    let logout = token().header("typ", "logout+jwt").claim("scp", "a").sign().unwrap();
    assert_eq!(status(&door, &logout).await, 401);
}

#[test]
fn what_is_not_safe_is_refused_with_the_mend() {
    let issuer = || Issuer::discover("https://idp.example.com");
    let cases = [
        (ResourceServer::new(RESOURCE), "add an issuer"),
        (ResourceServer::new("http://mcp.example.com/mcp").issuer(issuer()), "make it https"),
        (ResourceServer::new(RESOURCE).issuer(issuer()).issuer(issuer()), "twice"),
        (ResourceServer::new(RESOURCE).issuer(Issuer::discover("http://127.0.0.1:1")), "https"),
        (ResourceServer::new(RESOURCE).issuer(Issuer::discover("https://10.0.0.1")), "network"),
        (ResourceServer::new(RESOURCE).issuer(issuer().audience("mcp")), "this server alone"),
        (
            ResourceServer::new(RESOURCE).issuer(issuer()).baseline_scopes(["offline_access"]),
            "leave it out",
        ),
        (ResourceServer::new(RESOURCE).issuer(issuer()).baseline_scopes(["a b"]), "no scope"),
        (
            ResourceServer::new(RESOURCE)
                .issuer(Issuer::introspect("https://a.example", "https://a.example/i", "me", "s"))
                .issuer(Issuer::introspect("https://b.example", "https://b.example/i", "me", "s")),
            "keep one",
        ),
        (ResourceServer::new(RESOURCE).issuer(Issuer::keys("https://a.example", "{}")), "JWK Set"),
        (
            ResourceServer::new(RESOURCE).api_key(aqueduct::auth::ApiKey::hashed("a", "hunter2")),
            "ApiKey::hash",
        ),
    ];
    for (server, mend) in cases {
        let error = server.build().expect_err(mend).to_string();
        assert!(error.contains(mend), "{error}");
    }
    let shared =
        r#"{"keys":[{"kty":"oct","k":"c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0","kid":"a"}]}"#;
    let error = ResourceServer::new(RESOURCE).issuer(Issuer::keys("https://a.example", shared));
    assert!(error.build().is_err(), "a shared secret is no key for signatures");
}

#[test]
fn a_file_says_the_same_and_an_unknown_key_is_an_error() {
    let text = r#"
        [auth]
        resource = "https://mcp.example.com/mcp"
        [[auth.issuer]]
        issuer = "https://idp.example.com"
        jwks_uri = "https://idp.example.com/keys"
        profile = "generic"
        [[auth.key]]
        name = "backup"
        sha256 = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
        scopes = ["files:read"]
        [auth.scopes]
        baseline = ["mcp:basic"]
        implies = { admin = ["files:write"] }
        [auth.limits]
        token_lifetime_hours = 8
    "#;
    let auth = ResourceServer::from_toml(text).unwrap().build().unwrap();
    assert_eq!(auth.metadata_paths(), ["/.well-known/oauth-protected-resource/mcp"]);
    for (right, wrong) in [
        ("resource =", "resourse ="),
        ("jwks_uri =", "jwks_url ="),
        ("generic", "anything"),
        ("baseline =", "basis ="),
        ("sha256 =", "secret ="),
    ] {
        assert!(ResourceServer::from_toml(&text.replace(right, wrong)).is_err(), "{wrong}");
    }
}
