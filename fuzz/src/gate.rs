//! The gate: method, target, header fields and body, as any client may send them.

use std::sync::atomic::Ordering;

use aqueduct::server::Service;
use aqueduct::transport::http::HttpService;
use bytes::Bytes;
use http::{HeaderMap, Method, Request, header};
use http_body_util::{BodyExt as _, Full};
use tower_service::Service as _;

use crate::world::World;

const PORT: u16 = 8000;
const METHODS: [&str; 6] = ["POST", "GET", "DELETE", "OPTIONS", "HEAD", "post"];
/// Every status that the endpoint is known to answer with.
const KNOWN: [u16; 12] = [200, 202, 204, 400, 403, 404, 405, 406, 413, 415, 429, 503];

thread_local! {
    static HTTP: (World, HttpService<Service>) = {
        let world = World::new();
        let http = world.service.clone().into_http().port(PORT);
        (world, http)
    };
}

/// A method, a target and header fields, each on a line; behind an empty line the body.
pub(crate) fn run(data: &[u8]) {
    let Some(request) = request(data) else { return };
    HTTP.with(|(world, http)| {
        let mut http = http.clone();
        let (headers, uri) = (request.headers().clone(), request.uri().clone());
        let is_post = request.method() == Method::POST;
        let before = world.ran.load(Ordering::Relaxed);
        let (status, body) = world.runtime.block_on(async {
            let Ok(response) = http.call(request).await;
            let status = response.status().as_u16();
            let body = response.into_body().collect().await;
            (status, body.map(|body| body.to_bytes().len()).unwrap_or_default())
        });
        assert!(KNOWN.contains(&status), "{status}");
        assert!(body < 1024 * 1024, "{body}");
        if world.ran.load(Ordering::Relaxed) == before {
            return;
        }
        assert!(is_post, "only a POST runs anything");
        assert!(is_allowed(&headers, uri.authority().map(http::uri::Authority::as_str)));
    });
}

fn request(data: &[u8]) -> Option<Request<Full<Bytes>>> {
    let split = data.windows(2).position(|pair| pair == b"\n\n")?;
    let (head, body) = (data.get(..split)?, data.get(split + 2..)?);
    let mut lines = head.split(|byte| *byte == b'\n');
    let method = METHODS.get(usize::from(*lines.next()?.first()?) % METHODS.len())?;
    let target = str::from_utf8(lines.next()?).ok()?;
    let mut request = Request::builder().method(*method).uri(target);
    for line in lines {
        let colon = line.iter().position(|byte| *byte == b':')?;
        let (name, value) = (line.get(..colon)?, line.get(colon + 1..)?);
        request = request.header(name, value);
    }
    request.body(Full::new(Bytes::copy_from_slice(body))).ok()
}

/// The rule again, said in another way.
fn is_allowed(headers: &HeaderMap, target: Option<&str>) -> bool {
    const HERE: [&str; 3] = ["localhost", "127.0.0.1", "[::1]"];
    let is_here = |authority: &str| {
        let lower = authority.to_ascii_lowercase();
        let Some((host, port)) = lower.rsplit_once(':') else { return false };
        let host = host.strip_suffix('.').unwrap_or(host);
        let host = if host.starts_with('[') { canonical(host) } else { host.to_owned() };
        HERE.contains(&host.as_str()) && port.parse() == Ok(PORT)
    };
    let one = |name| {
        let mut all = headers.get_all(name).iter();
        let first = all.next().map(|value| value.to_str().unwrap_or("?").trim().to_owned());
        (first, all.next().is_some())
    };
    let (host, again) = one(header::HOST);
    let host_fits = host.is_some_and(|host| is_here(&host)) && !again;
    let (origin, again) = one(header::ORIGIN);
    let own = |origin: &str| {
        origin.split_once("://").is_some_and(|(scheme, rest)| {
            let scheme = scheme.to_ascii_lowercase();
            matches!(scheme.as_str(), "http" | "https") && is_here(rest)
        })
    };
    let origin_fits = origin.is_none_or(|origin| own(&origin)) && !again;
    let (kind, again) = one(header::CONTENT_TYPE);
    let is_json = kind.is_some_and(|kind| {
        let essence = kind.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
        essence == "application/json"
    });
    let encoded = one(header::CONTENT_ENCODING).0;
    let is_plain = encoded.is_none_or(|coding| coding.eq_ignore_ascii_case("identity"));
    host_fits && target.is_none_or(is_here) && origin_fits && is_json && !again && is_plain
}

fn canonical(host: &str) -> String {
    let bare = host.trim_start_matches('[').trim_end_matches(']');
    let parsed = bare.parse::<std::net::Ipv6Addr>();
    parsed.map_or_else(|_| host.to_owned(), |address| format!("[{address}]"))
}
