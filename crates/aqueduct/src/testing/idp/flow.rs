//! The flow that clients go through: registration, a code with PKCE, a token.

use std::collections::HashMap;

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use http::HeaderValue;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use super::Shared;
use super::form;
use super::serve::{Answer, json_answer, redirect};
use super::token;

type Fields = HashMap<String, String>;

/// What was registered and granted.
#[derive(Default)]
pub(super) struct Grants {
    clients: HashMap<String, Client>,
    codes: HashMap<String, Grant>,
    count: usize,
}

#[derive(Clone)]
struct Client {
    redirects: Vec<String>,
    secret: Option<String>,
}

/// One code; it is good once.
struct Grant {
    client: String,
    redirect: String,
    challenge: String,
    resource: String,
    scope: String,
}

impl Grants {
    fn name(&mut self, what: &str) -> String {
        self.count += 1;
        format!("{what}-{}", self.count)
    }
}

fn refused(error: &str, why: &str) -> Answer {
    json_answer(400, &json!({ "error": error, "error_description": why }))
}

/// Dynamic client registration (RFC 7591).
pub(super) fn register(shared: &Shared, text: &str) -> Answer {
    let Ok(Value::Object(mut asked)) = serde_json::from_str(text) else {
        return refused("invalid_client_metadata", "no object");
    };
    let redirects = asked.get("redirect_uris").and_then(Value::as_array);
    let redirects: Vec<String> =
        redirects.into_iter().flatten().filter_map(Value::as_str).map(str::to_owned).collect();
    let method = asked.get("token_endpoint_auth_method").and_then(Value::as_str);
    let is_public = method.is_none_or(|method| method == "none");
    let mut state = shared.lock();
    let id = state.grants.name("client");
    let secret = (!is_public).then(|| format!("secret-of-{id}"));
    asked.insert("client_id".into(), json!(id));
    asked.insert("client_id_issued_at".into(), json!(token::now()));
    asked.insert(
        "token_endpoint_auth_method".into(),
        json!(if is_public { "none" } else { "client_secret_post" }),
    );
    if let Some(secret) = &secret {
        asked.insert("client_secret".into(), json!(secret));
        asked.insert("client_secret_expires_at".into(), json!(0));
    }
    state.grants.clients.insert(id, Client { redirects, secret });
    json_answer(201, &Value::Object(asked))
}

/// Grants a code to whoever asks rightly; nobody is asked.
pub(super) fn authorize(shared: &Shared, query: &Fields) -> Answer {
    let field = |name: &str| query.get(name).cloned().unwrap_or_default();
    let (client, back) = (field("client_id"), field("redirect_uri"));
    let mut state = shared.lock();
    let known = state.grants.clients.get(&client);
    if !known.is_some_and(|known| known.redirects.contains(&back)) {
        return refused("invalid_request", "unknown client or redirect_uri");
    }
    if field("response_type") != "code" || field("code_challenge_method") != "S256" {
        return refused("invalid_request", "only code with S256");
    }
    if field("code_challenge").is_empty() || field("resource").is_empty() {
        return refused("invalid_target", "code_challenge and resource are needed");
    }
    let code = state.grants.name("code");
    let grant = Grant {
        client,
        redirect: back.clone(),
        challenge: field("code_challenge"),
        resource: field("resource"),
        scope: field("scope"),
    };
    state.grants.codes.insert(code.clone(), grant);
    let joint = if back.contains('?') { '&' } else { '?' };
    redirect(&format!(
        "{back}{joint}code={code}&state={}&iss={}",
        form::encode(&field("state")),
        form::encode(&shared.issuer)
    ))
}

/// Changes a code, or a client's own word, for a token.
pub(super) fn token(shared: &Shared, fields: &Fields, basic: Option<&HeaderValue>) -> Answer {
    let field = |name: &str| fields.get(name).cloned().unwrap_or_default();
    let (client, secret) = credentials(fields, basic);
    let mut state = shared.lock();
    let Some(known) = state.grants.clients.get(&client).cloned() else {
        return refused("invalid_client", "unknown client");
    };
    if known.secret.is_some() && known.secret != secret {
        return refused("invalid_client", "wrong secret");
    }
    let (subject, resource, scope) = match field("grant_type").as_str() {
        "authorization_code" => {
            let Some(grant) = state.grants.codes.remove(&field("code")) else {
                return refused("invalid_grant", "unknown code");
            };
            let digest = Sha256::digest(field("code_verifier").as_bytes());
            let is_its = grant.client == client
                && grant.redirect == field("redirect_uri")
                && grant.challenge == URL_SAFE_NO_PAD.encode(digest);
            if !is_its || field("resource") != grant.resource {
                return refused("invalid_grant", "not what the code was granted for");
            }
            ("alice".to_owned(), grant.resource, grant.scope)
        }
        "client_credentials" if known.secret.is_some() => {
            (client.clone(), field("resource"), field("scope"))
        }
        _ => return refused("unsupported_grant_type", "authorization_code or client_credentials"),
    };
    let Some(key) = state.key(None) else { return refused("server_error", "no key") };
    let now = token::now();
    let head = json!({ "typ": "at+jwt", "alg": format!("{:?}", key.algorithm), "kid": key.name });
    let claims = json!({
        "iss": shared.issuer, "sub": subject, "aud": resource, "client_id": client,
        "iat": now, "exp": now + 300, "jti": format!("{now:x}-{}", state.grants.count),
        "scope": scope,
    });
    let Ok(token) = key.sign(&head.to_string(), &claims.to_string()) else {
        return refused("server_error", "cannot sign");
    };
    let answer = json!({
        "access_token": token, "token_type": "Bearer", "expires_in": 300, "scope": scope,
    });
    json_answer(200, &answer)
}

/// Who asks, by either of the two ways (OAuth 2.1, section 2.4.1).
fn credentials(fields: &Fields, basic: Option<&HeaderValue>) -> (String, Option<String>) {
    let basic = basic.and_then(|value| value.to_str().ok()?.strip_prefix("Basic "));
    let pair = basic.and_then(|encoded| String::from_utf8(STANDARD.decode(encoded).ok()?).ok());
    if let Some((client, secret)) = pair.as_deref().and_then(|pair| pair.split_once(':')) {
        return (form::decode(client), Some(form::decode(secret)));
    }
    (fields.get("client_id").cloned().unwrap_or_default(), fields.get("client_secret").cloned())
}
