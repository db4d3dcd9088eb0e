//! The one way in which the server asks others: bounded, without redirects, and only where it may.

use std::fmt;
use std::net::{IpAddr, SocketAddr};
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use http::{HeaderValue, Method, Request, StatusCode, Uri, header};
use http_body_util::{BodyExt, Full, Limited};
use hyper_util::rt::TokioIo;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;
use tokio_rustls::rustls::crypto::aws_lc_rs;
use tokio_rustls::rustls::pki_types::ServerName;
use tokio_rustls::rustls::{ClientConfig, RootCertStore};

use super::address::Egress;
use super::identifier::is_loopback;

/// How long one question may take, from the name to the last byte.
const TIME: Duration = Duration::from_secs(5);
/// How long an answer may be.
const MAX_ANSWER: usize = 256 * 1024;

/// An address that may be asked.
#[derive(Clone, Debug)]
pub(super) struct Address {
    host: String,
    port: u16,
    is_secure: bool,
    authority: HeaderValue,
    target: Uri,
}

/// Why there is no answer.
#[derive(Debug)]
pub(super) struct FetchError(String);

impl fmt::Display for FetchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

fn failed(what: &str, error: impl fmt::Display) -> FetchError {
    FetchError(format!("{what}: {error}"))
}

impl Address {
    /// # Errors
    /// What is wrong with it.
    pub(super) fn parse(url: &str, egress: &Egress) -> Result<Self, String> {
        let wrong = |what: &str| Err(format!("{url:?} {what}"));
        let Ok(uri) = url.parse::<Uri>() else { return wrong("is no URL") };
        let (Some(host), Some(authority)) = (uri.host(), uri.authority()) else {
            return wrong("is no absolute URL");
        };
        if url.contains('#') || authority.as_str().contains('@') {
            return wrong("has a fragment or names a user");
        }
        let is_secure = match uri.scheme_str() {
            Some("https") => true,
            Some("http") if egress.loopback && is_loopback(host) => false,
            _ => return wrong("is no https URL"),
        };
        let port = uri.port_u16().unwrap_or(if is_secure { 443 } else { 80 });
        let bare = host.trim_start_matches('[').trim_end_matches(']');
        if let Ok(address) = bare.parse::<IpAddr>()
            && !egress.allows(address)
        {
            return wrong("is no address of the whole world; allow its network by name");
        }
        let Ok(authority) = HeaderValue::from_str(authority.as_str()) else {
            return wrong("is no URL");
        };
        let target = uri.path_and_query().map_or("/", |target| target.as_str());
        let Ok(target) = target.parse() else { return wrong("is no URL") };
        Ok(Self { host: bare.to_owned(), port, is_secure, authority, target })
    }
}

/// Asks; it has no memory.
pub(super) struct Fetcher {
    egress: Egress,
    tls: Option<TlsConnector>,
}

impl fmt::Debug for Fetcher {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Fetcher").field("egress", &self.egress).finish_non_exhaustive()
    }
}

impl Fetcher {
    /// # Errors
    /// When `secure` addresses are to be asked and the system trusts nobody.
    pub(super) fn new(egress: Egress, secure: bool) -> Result<Self, String> {
        let tls = if secure { Some(connector()?) } else { None };
        Ok(Self { egress, tls })
    }

    pub(super) fn egress(&self) -> &Egress {
        &self.egress
    }

    pub(super) async fn get(&self, url: &Address) -> Result<Bytes, FetchError> {
        let request = Request::builder()
            .method(Method::GET)
            .uri(url.target.clone())
            .header(header::HOST, &url.authority)
            .header(header::ACCEPT, "application/json")
            .body(Full::default());
        self.ask(url, request.map_err(|error| failed("request", error))?).await
    }

    /// Sends a form, with a name and a password.
    pub(super) async fn post(
        &self,
        url: &Address,
        form: String,
        credentials: &HeaderValue,
    ) -> Result<Bytes, FetchError> {
        let request = Request::builder()
            .method(Method::POST)
            .uri(url.target.clone())
            .header(header::HOST, &url.authority)
            .header(header::ACCEPT, "application/json")
            .header(header::AUTHORIZATION, credentials)
            .header(header::CONTENT_TYPE, "application/x-www-form-urlencoded")
            .body(Full::from(form));
        self.ask(url, request.map_err(|error| failed("request", error))?).await
    }

    async fn ask(&self, url: &Address, request: Request<Full<Bytes>>) -> Result<Bytes, FetchError> {
        let asked = async {
            let stream = self.connect(url).await?;
            if !url.is_secure {
                return exchange(stream, request).await;
            }
            let Some(tls) = &self.tls else { return Err(FetchError("TLS is not set up".into())) };
            let name = ServerName::try_from(url.host.clone()).map_err(|e| failed("name", e))?;
            let stream = tls.connect(name, stream).await.map_err(|e| failed("TLS", e))?;
            exchange(stream, request).await
        };
        let asked = tokio::time::timeout(TIME, Box::pin(asked)).await;
        asked.map_err(|_| FetchError("no answer in time".into()))?
    }

    /// Connects to one of the name's addresses that may be reached; the one that was looked at is
    /// the one that is used.
    async fn connect(&self, url: &Address) -> Result<TcpStream, FetchError> {
        let found = tokio::net::lookup_host((url.host.as_str(), url.port)).await;
        let found: Vec<SocketAddr> = found.map_err(|error| failed("name", error))?.collect();
        let mut last = FetchError(format!("{:?} has no address that may be reached", url.host));
        for address in found.into_iter().filter(|address| self.egress.allows(address.ip())) {
            match TcpStream::connect(address).await {
                Ok(stream) => return Ok(stream),
                Err(error) => last = failed("connect", error),
            }
        }
        Err(last)
    }
}

async fn exchange<S>(stream: S, request: Request<Full<Bytes>>) -> Result<Bytes, FetchError>
where
    S: AsyncRead + AsyncWrite + Send + Unpin + 'static,
{
    let (mut sender, connection) = hyper::client::conn::http1::handshake(TokioIo::new(stream))
        .await
        .map_err(|error| failed("HTTP", error))?;
    let work = async {
        let response = sender.send_request(request).await.map_err(|e| failed("HTTP", e))?;
        // Every other status, a redirect too, is no answer.
        if response.status() != StatusCode::OK {
            return Err(FetchError(format!("status {}", response.status().as_u16())));
        }
        let body = Limited::new(response.into_body(), MAX_ANSWER).collect().await;
        body.map(http_body_util::Collected::to_bytes).map_err(|error| failed("body", error))
    };
    let (mut work, mut connection) = (pin!(work), pin!(connection));
    tokio::select! {
        biased;
        answer = &mut work => answer,
        // What has been read already is still there.
        _ = &mut connection => work.await,
    }
}

fn connector() -> Result<TlsConnector, String> {
    let mut roots = RootCertStore::empty();
    roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
    if roots.is_empty() {
        return Err("the system trusts no certificate authority, so no issuer can be asked over \
                    https; install its certificates (ca-certificates)"
            .to_owned());
    }
    let provider = Arc::new(aws_lc_rs::default_provider());
    let config = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(|error| format!("TLS cannot be set up: {error}"))?
        .with_root_certificates(roots)
        .with_no_client_auth();
    Ok(TlsConnector::from(Arc::new(config)))
}
