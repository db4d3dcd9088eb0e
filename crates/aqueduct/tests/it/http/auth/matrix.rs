//! Everything that a token can be and must not, over every route of both generations.

use aqueduct::testing::idp::{Idp, Token};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use jsonwebtoken::{Algorithm, EncodingKey};
use serde_json::{Value, json};

use super::super::peer::{Peer, Post, call, request};
use super::super::session::{ALL, asked, called, initialize};
use super::{Door, RESOURCE, bearer};

/// One way to present something that is no good token.
struct Case {
    name: String,
    presented: Vec<String>,
    status: u16,
}

fn case(name: &str, token: impl AsRef<str>) -> Case {
    Case { name: name.to_owned(), presented: vec![bearer(token.as_ref())], status: 401 }
}

/// Requests of every kind, as heads and bodies without a credential.
struct Route {
    name: String,
    post: Option<Post>,
    /// A request without a body: its line, and its headers.
    bare: String,
}

fn posted(name: impl Into<String>, post: Post) -> Route {
    Route { name: name.into(), post: Some(post), bare: String::new() }
}

fn bare(name: impl Into<String>, head: impl Into<String>) -> Route {
    Route { name: name.into(), post: None, bare: head.into() }
}

impl Route {
    async fn ask(&self, door: &Door, presented: &[String]) -> super::Response {
        let addr = door.addr();
        if let Some(post) = &self.post {
            let add = |post: Post, value: &String| post.header("Authorization", value);
            return presented.iter().fold(post.clone(), add).ask(addr).await;
        }
        let credentials: String =
            presented.iter().map(|value| format!("Authorization: {value}\r\n")).collect();
        let mut peer = Peer::connect(addr).await;
        peer.ask(format!(
            "{}Host: {addr}\r\nAccept: text/event-stream\r\n{credentials}\r\n",
            self.bare
        ))
        .await
    }
}

/// Begins a session of each handshake revision with a good token.
async fn sessions(door: &Door) -> Vec<(&'static str, String)> {
    let good = bearer(&door.token(""));
    let mut sessions = Vec::new();
    for version in ALL {
        let post = Post::raw(initialize(version, &json!({})).to_string());
        let answer = post.header("Authorization", &good).ask(door.addr()).await;
        assert_eq!(answer.status, 200, "{}", answer.text());
        sessions.push((version, answer.header("mcp-session-id").expect("a session").to_owned()));
    }
    sessions
}

async fn routes(door: &Door) -> Vec<Route> {
    let open = call(1, "open", json!({}));
    let filter = json!({ "notifications": { "toolsListChanged": true } });
    let told = json!({ "jsonrpc": "2.0", "method": "notifications/cancelled",
        "params": { "requestId": 1 } });
    let events = "text/event-stream, application/json";
    let mut routes = vec![
        posted("call", Post::of(&open)),
        posted("call for events", Post::of(&open).with("Accept", events)),
        posted("list", Post::of(&request(1, "tools/list", json!({})))),
        posted("discover", Post::of(&request(1, "server/discover", json!({})))),
        posted("read", Post::of(&request(1, "resources/read", json!({ "uri": "notes://secret" })))),
        posted("listen", Post::of(&request(1, "subscriptions/listen", filter))),
        posted("task", Post::of(&request(1, "tasks/get", json!({ "taskId": "1" })))),
        posted("notification", Post::raw(told.to_string())),
        posted("garbage", Post::raw("{")),
        bare("GET", "GET /mcp HTTP/1.1\r\n"),
        bare("DELETE", "DELETE /mcp HTTP/1.1\r\n"),
        bare("OPTIONS", "OPTIONS /mcp HTTP/1.1\r\n"),
        bare("PUT", "PUT /mcp HTTP/1.1\r\n"),
    ];
    for (version, id) in sessions(door).await {
        let of = |message: &Value| {
            let post = Post::raw(message.to_string()).header("Mcp-Session-Id", &id);
            post.header("MCP-Protocol-Version", version)
        };
        let head = |method: &str| {
            format!(
                "{method} /mcp HTTP/1.1\r\nMcp-Session-Id: {id}\r\nMCP-Protocol-Version: {version}\r\n"
            )
        };
        let named = |what: &str| format!("{version} {what}");
        routes.push(posted(
            named("initialize"),
            Post::raw(initialize(version, &json!({})).to_string()),
        ));
        routes.push(posted(named("call"), of(&called(1, "open", json!({})))));
        routes.push(posted(named("list"), of(&asked(1, "tools/list", json!({})))));
        let batch = json!([called(1, "open", json!({})), called(2, "open", json!({}))]);
        routes.push(posted(named("batch"), of(&batch)));
        routes.push(bare(named("GET"), head("GET")));
        routes.push(bare(named("DELETE"), head("DELETE")));
    }
    routes
}

/// A token whose head says one thing and whose signature is a keyed hash.
fn keyed(token: &Token<'_>, secret: &[u8]) -> String {
    let (head, claims) = token.clone().header("alg", "HS256").texts();
    let message = format!("{}.{}", URL_SAFE_NO_PAD.encode(head), URL_SAFE_NO_PAD.encode(claims));
    let key = EncodingKey::from_secret(secret).expect("a secret that is not empty");
    let signature = jsonwebtoken::crypto::sign(message.as_bytes(), &key, Algorithm::HS256);
    format!("{message}.{}", signature.expect("a hash"))
}

fn unsigned(token: &Token<'_>, algorithm: &str, signature: &str) -> String {
    let (head, claims) = token.clone().header("alg", algorithm).texts();
    format!("{}.{}.{signature}", URL_SAFE_NO_PAD.encode(head), URL_SAFE_NO_PAD.encode(claims))
}

/// The same token with another signature.
fn resigned(token: &str, change: impl FnOnce(Vec<u8>) -> Vec<u8>) -> String {
    let (message, signature) = token.rsplit_once('.').expect("three parts");
    let signature = URL_SAFE_NO_PAD.decode(signature).expect("base64");
    format!("{message}.{}", URL_SAFE_NO_PAD.encode(change(signature)))
}

/// What no token is.
fn shapes(good: &Token<'_>) -> Vec<Case> {
    let token = good.clone().sign().expect("a token");
    let parts: Vec<&str> = token.split('.').collect();
    let (head, claims, signature) = (parts[0], parts[1], parts[2]);
    let plain = |name: &str, presented: &[&str], status| Case {
        name: name.to_owned(),
        presented: presented.iter().map(|&one| one.to_owned()).collect(),
        status,
    };
    let good_line = bearer(&token);
    // The last letter of 64 bytes has four bits that mean nothing.
    let (rest, last) = token.split_at(token.len() - 1);
    let alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    let at = alphabet.find(last).expect("a letter of base64");
    let loose = format!("{rest}{}", &alphabet[at + 1..at + 2]);
    vec![
        plain("nothing", &[], 401),
        plain("Basic", &["Basic YTpi"], 401),
        plain("scheme alone", &["Bearer"], 401),
        plain("scheme and space", &["Bearer "], 401),
        plain("token alone", &[&token], 401),
        plain("two lines", &[&good_line, &good_line], 400),
        plain("two tokens", &[&format!("{good_line} {token}")], 400),
        plain("with a comma", &[&format!("{good_line}, x")], 400),
        plain("a tab", &[&format!("Bearer\t{token}")], 401),
        case("one part", head),
        case("two parts", format!("{head}.{claims}")),
        case("five parts", format!("{token}.{claims}.{signature}")),
        case("no signature", format!("{head}.{claims}.")),
        case("padding", format!("{head}=.{claims}.{signature}")),
        case("other base64", format!("{head}+/.{claims}.{signature}")),
        case("bits behind the signature", loose),
        case("other claims", format!("{head}.{}.{signature}", URL_SAFE_NO_PAD.encode("{}"))),
        case("short signature", resigned(&token, |mut s| s.split_off(32))),
        case("zero signature", resigned(&token, |s| vec![0; s.len()])),
        case(
            "turned signature",
            resigned(&token, |mut s| {
                s.rotate_left(32);
                s
            }),
        ),
        case(
            "long signature",
            resigned(&token, |mut s| {
                s.extend([0; 8]);
                s
            }),
        ),
    ]
}

/// What heads must not say.
fn heads(idp: &Idp, others: [&Idp; 2], good: &Token<'_>) -> Vec<Case> {
    let [other, stranger] = others;
    let sign = |token: Token<'_>| token.sign().expect("a token");
    let (head, claims) = good.texts();
    let raw = |head: &str| idp.sign(None, head, &claims).expect("a token");
    let by_stranger = |name: &str, value: Value| {
        let (head, claims) = good.clone().header(name, value).texts();
        stranger.sign(None, &head, &claims).expect("a token")
    };
    let public = &idp.jwks()["keys"][0];
    let secret = public["x"].as_str().expect("an EC key");
    let mut cases = vec![
        case("an array as head", raw("[\"ES256\",\"at+jwt\"]")),
        case("alg twice", raw(&head.replacen('{', "{\"alg\":\"ES256\",", 1))),
        case("no alg", sign(good.clone().without_header("alg"))),
        case("alg of another key", sign(good.clone().header("alg", "RS256"))),
        case("alg of nobody", sign(good.clone().header("alg", "ES257"))),
        case("HS256 of x", keyed(good, secret.as_bytes())),
        case("HS256 of x in bytes", keyed(good, &URL_SAFE_NO_PAD.decode(secret).expect("base64"))),
        case("HS256 of the set", keyed(good, idp.jwks().to_string().as_bytes())),
        case("crit", sign(good.clone().header("crit", json!(["x"])))),
        case("crit null", sign(good.clone().header("crit", Value::Null))),
        case("b64", sign(good.clone().header("b64", false))),
        case("jku", by_stranger("jku", json!(format!("{}/jwks", stranger.issuer())))),
        case("jwk", by_stranger("jwk", stranger.jwks()["keys"][0].clone())),
        case("x5u", by_stranger("x5u", json!(stranger.issuer()))),
        case("no kid of two keys", sign(good.clone().without_header("kid"))),
        case("long kid", sign(good.clone().header("kid", "k".repeat(257)))),
        case("a number as kid", sign(good.clone().header("kid", 1))),
        case("key of another issuer", {
            let (head, claims) = good.clone().header("kid", other.key()).texts();
            other.sign(None, &head, &claims).expect("a token")
        }),
    ];
    for kid in ["unknown", "../../etc/passwd", "' OR 1=1 --", ""] {
        cases.push(case(&format!("kid {kid:?}"), sign(good.clone().header("kid", kid))));
    }
    for algorithm in ["none", "None", "nOnE", ""] {
        cases.push(case(&format!("alg {algorithm:?}"), unsigned(good, algorithm, "")));
        cases.push(case(&format!("alg {algorithm:?}, signed"), unsigned(good, algorithm, "AAAA")));
    }
    for kind in ["JWT", "id+jwt", "logout+jwt", "dpop+jwt", "at+jwt2", "application/jwt", ""] {
        cases.push(case(&format!("typ {kind:?}"), sign(good.clone().header("typ", kind))));
    }
    cases.push(case("no typ", sign(good.clone().without_header("typ"))));
    cases
}

/// What claims must not say.
fn claims(idp: &Idp, good: &Token<'_>) -> Vec<Case> {
    let sign = |token: Token<'_>| token.sign().expect("a token");
    let mut cases = Vec::new();
    for missing in ["iss", "aud", "exp", "sub"] {
        cases.push(case(&format!("no {missing}"), sign(good.clone().without(missing))));
    }
    let issuer = idp.issuer();
    let values = [
        ("iss", json!("https://elsewhere.example")),
        ("iss", json!(format!("{issuer}/"))),
        ("iss", json!(issuer.to_uppercase())),
        ("iss", json!([issuer])),
        ("iss", json!(null)),
        ("aud", json!(null)),
        ("aud", json!(7)),
        ("aud", json!([])),
        ("aud", json!("")),
        ("aud", json!({ RESOURCE: true })),
        ("aud", json!([7, RESOURCE])),
        ("aud", json!("https://mcp.example.com/other")),
        ("aud", json!("https://mcp.example.com/mcp2")),
        ("aud", json!("https://mcp.example.com/mcp/")),
        ("aud", json!("https://mcp.example.com/MCP")),
        ("aud", json!("https://mcp.example.com")),
        ("aud", json!("http://mcp.example.com/mcp")),
        ("aud", json!("https://mcp.example.com.evil.example/mcp")),
        ("aud", json!("*")),
        ("exp", json!("4000000000")),
        ("exp", json!(null)),
        ("exp", json!(true)),
        ("exp", json!(-1)),
        ("exp", json!(0)),
        ("exp", json!(1_000_000_000)),
        ("exp", json!(99_999_999_999_u64)),
        ("exp", json!(1e300)),
        ("nbf", json!("0")),
        ("nbf", json!(4_000_000_000_u64)),
        ("iat", json!(4_000_000_000_u64)),
        ("nbf", json!(null)),
        ("iat", json!("0")),
        ("iat", json!(null)),
        ("sub", json!("")),
        ("sub", json!(7)),
        ("sub", json!(null)),
        ("sub", json!(["alice"])),
        ("scope", json!(7)),
        ("scope", json!(["a"])),
    ];
    for (name, value) in values {
        cases.push(case(&format!("{name} {value}"), sign(good.clone().claim(name, value))));
    }
    let (head, text) = good.clone().claim("exp", "END").texts();
    let huge = idp.sign(None, &head, &text.replace("\"END\"", "1e400")).expect("a token");
    cases.push(case("exp 1e400", huge));
    let twice = good.texts().1.replacen('{', "{\"aud\":\"x\",", 1);
    cases.push(case("aud twice", idp.sign(None, &head, &twice).expect("a token")));
    cases
}

/// AUTH-05, AUTH-12; CVE-2026-11717, -11718, -11719, -33032, -34953: nothing of it is let in, on no
/// route and in no revision, and no handler is entered.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_no_good_token_is_let_in_nowhere() {
    let other = Idp::start().await.expect("another issuer");
    let stranger = Idp::start().await.expect("an issuer of others");
    let second = aqueduct::auth::Issuer::discover(other.issuer());
    let door = Door::with(|auth| auth.issuer(second)).await;
    let first = door.idp.key();
    door.idp.rotate().expect("a second key");
    let good = door.idp.token(RESOURCE).claim("scope", "files:write");
    let mut cases = shapes(&good);
    cases.extend(heads(&door.idp, [&other, &stranger], &good));
    cases.extend(claims(&door.idp, &good));
    let (head, text) = good.texts();
    let mismatched = door.idp.sign(Some(&first), &head, &text).expect("a token");
    cases.push(case("the other key's name", mismatched));
    let routes = routes(&door).await;
    let mut wrong = Vec::new();
    for case in &cases {
        for route in &routes {
            let response = route.ask(&door, &case.presented).await;
            if response.status != case.status {
                wrong.push(format!("{} on {}: {}", case.name, route.name, response.status));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert_eq!(door.entered(), 0, "a handler was entered");
    println!("{} tokens on {} routes: 0 let in", cases.len(), routes.len());
}

/// AUTH-09: what is good however it is written.
#[tokio::test]
async fn what_is_a_good_token_is_let_in() {
    let door = Door::new().await;
    let good = || door.idp.token(RESOURCE);
    let token = good().sign().unwrap();
    let upper = "HTTPS://MCP.Example.COM/mcp";
    let signed = |token: Token<'_>| bearer(&token.sign().unwrap());
    let presented = [
        bearer(&token),
        format!("bearer {token}"),
        format!("BEARER {token}"),
        format!("Bearer   {token}"),
        signed(good().claim("aud", upper)),
        signed(good().claim("aud", "https://mcp.example.com:443/mcp")),
        signed(good().claim("aud", json!(["https://other.example", RESOURCE]))),
        signed(good().header("typ", "application/at+jwt")),
        signed(good().without("iat")),
        signed(good().time("exp", -20)),
        signed(good().time("nbf", 20)),
        signed(good().without_header("kid")),
    ];
    for (count, presented) in presented.iter().enumerate() {
        let post = Post::of(&call(1, "open", json!({}))).header("Authorization", presented);
        let response = post.ask(door.addr()).await;
        assert_eq!(response.status, 200, "{presented}: {}", response.text());
        assert_eq!(door.entered(), count + 1);
    }
}

/// The keys of the other families are as good.
#[tokio::test]
async fn ed25519_and_rsa_keys_are_taken() {
    let door = Door::new().await;
    door.idp.rotate_ed25519().unwrap();
    assert_eq!(door.call(&door.token(""), &call(1, "open", json!({}))).await.status, 200);
    door.idp.rotate_rsa().unwrap();
    assert_eq!(door.call(&door.token(""), &call(1, "open", json!({}))).await.status, 200);
    // Its public part is no secret to sign with (CVE class: algorithm confusion).
    let good = door.idp.token(RESOURCE);
    let n = door.idp.jwks()["keys"][0]["n"].as_str().unwrap().to_owned();
    assert_eq!(
        door.call(&keyed(&good, n.as_bytes()), &call(1, "open", json!({}))).await.status,
        401
    );
    assert_eq!(door.entered(), 2);
}

/// The scenario that the official conformance suite has open, `auth-token-audience-validation`:
/// keys are fetched when the first token comes, a token is for this address, and no scope is needed
/// to begin.
#[tokio::test]
async fn a_token_for_another_resource_is_refused_in_every_revision() {
    let (door, stranger) = (Door::new().await, Idp::start().await.expect("another issuer"));
    door.idp.rotate_rsa().expect("a key");
    assert_eq!(door.idp.hits("/jwks"), 0, "nobody has come yet");
    let sessions = sessions(&door).await;
    assert!(door.idp.hits("/jwks") > 0);
    let good = door.idp.token(RESOURCE).without("scope");
    let (head, claims) = good.texts();
    let audience = "not intended for this resource";
    let tokens = [
        (door.idp.token("https://other.example.com/mcp").sign().unwrap(), audience),
        (door.idp.token("https://mcp.example.com/mcp-evil").sign().unwrap(), audience),
        (door.idp.token(RESOURCE).without("aud").sign().unwrap(), audience),
        (door.idp.token(RESOURCE).time("exp", -3600).sign().unwrap(), "expired"),
        (stranger.sign(None, &head, &claims).unwrap(), "is invalid"),
        (stranger.token(RESOURCE).sign().unwrap(), "is invalid"),
    ];
    let discover = request(1, "server/discover", json!({}));
    let posts = || {
        let mut posts = vec![Post::of(&call(1, "open", json!({}))), Post::of(&discover)];
        for (version, id) in &sessions {
            posts.push(Post::raw(initialize(version, &json!({})).to_string()));
            let post = Post::raw(called(1, "open", json!({})).to_string());
            posts.push(post.header("Mcp-Session-Id", id).header("MCP-Protocol-Version", version));
        }
        posts
    };
    for (token, said) in &tokens {
        for post in posts() {
            let answer = post.header("Authorization", &bearer(token)).ask(door.addr()).await;
            assert_eq!(answer.status, 401);
            let challenge = answer.header("www-authenticate").unwrap();
            assert!(challenge.contains(said), "{challenge}");
        }
    }
    for post in posts() {
        assert_eq!(post.ask(door.addr()).await.status, 401);
    }
    assert_eq!(door.entered(), 0);
    let token = bearer(&good.sign().unwrap());
    for post in posts() {
        let answer = post.header("Authorization", &token).ask(door.addr()).await;
        assert_eq!(answer.status, 200, "{}", answer.text());
    }
    assert_eq!(door.entered(), 1 + sessions.len());
}

/// CVE-2026-52869, -33946, -67431: a session is of him who began it.
#[tokio::test]
async fn a_session_is_of_its_caller() {
    let door = Door::new().await;
    let (version, id) = sessions(&door).await.swap_remove(0);
    let bob = door.idp.token(RESOURCE).claim("sub", "bob").sign().unwrap();
    let post = Post::raw(called(1, "open", json!({})).to_string());
    let post = post.header("Mcp-Session-Id", &id).header("MCP-Protocol-Version", version);
    let as_bob = post.clone().header("Authorization", &bearer(&bob)).ask(door.addr()).await;
    assert_eq!((as_bob.status, door.entered()), (404, 0));
    // A new token of the same caller goes on with it.
    let fresh = door.idp.token(RESOURCE).claim("jti", "another").sign().unwrap();
    let as_alice = post.header("Authorization", &bearer(&fresh)).ask(door.addr()).await;
    assert_eq!((as_alice.status, door.entered()), (200, 1));
}
