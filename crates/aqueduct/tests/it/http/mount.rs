//! The endpoint in servers that are not ours.

use std::net::SocketAddr;
use std::sync::Arc;

use aqueduct::server::Service;
use aqueduct::transport::http::HttpService;
use hyper::body::Incoming;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use serde_json::json;
use tokio::net::TcpListener;
use tower_service::Service as _;

use super::fixture::{Seen, service};
use super::peer::{Peer, Post, call, call_with_progress, request};

fn list() -> Post {
    Post::of(&request(1, "tools/list", json!({})))
}

/// Serves the endpoint of a fixture in the way of `serve`, on a free port.
async fn mounted<F>(
    serve: impl FnOnce(TcpListener, HttpService<Service>) -> F,
) -> (SocketAddr, Arc<Seen>)
where
    F: Future<Output = ()> + Send + 'static,
{
    let seen = Arc::default();
    let tcp = TcpListener::bind("127.0.0.1:0").await.expect("a port is free");
    let addr = tcp.local_addr().expect("the port is known");
    let http = service(&seen).into_http().port(addr.port());
    tokio::spawn(serve(tcp, http));
    (addr, seen)
}

async fn in_axum(tcp: TcpListener, http: HttpService<Service>) {
    let nested = axum::Router::new().nest_service("/api/mcp", http.clone());
    let app = nested.route_service("/mcp", http);
    axum::serve(tcp, app).await.expect("it serves");
}

async fn in_hyper(tcp: TcpListener, http: HttpService<Service>) {
    loop {
        let (stream, _) = tcp.accept().await.expect("it listens");
        let http = http.clone();
        tokio::spawn(async move {
            let service =
                service_fn(move |request: hyper::Request<Incoming>| http.clone().call(request));
            let connection = hyper::server::conn::http1::Builder::new()
                .serve_connection(TokioIo::new(stream), service);
            // A client that goes is an error here, and no failure of the test.
            connection.await.ok();
        });
    }
}

/// What must hold wherever the endpoint is.
async fn check(addr: SocketAddr, seen: &Seen, path: &'static str) {
    let mut peer = Peer::connect(addr).await;
    peer.ask(list().path(path).sized(addr)).await.result(1);
    peer.ask(list().path(path).chunked(addr, 16)).await.result(1);

    let burst = Post::of(&call_with_progress(2, "burst", json!({}))).path(path);
    let events = peer.ask(burst.sized(addr)).await.events();
    assert_eq!(events.len(), 51);

    let evil = list().path(path).header("Host", "evil.example").ask(addr).await;
    assert_eq!(evil.refused(), (403, -32600));
    let foreign = list().path(path).header("Origin", "https://evil.example").ask(addr).await;
    assert_eq!(foreign.refused(), (403, -32600));
    let get = super::peer::ask(addr, format!("GET {path} HTTP/1.1\r\nHost: {addr}\r\n\r\n")).await;
    assert_eq!((get.status, get.header("allow")), (405, Some("GET, POST, DELETE")));
    let plain = list().path(path).with("Content-Type", "text/plain").ask(addr).await;
    assert_eq!(plain.refused(), (415, -32600));
    let long = Post::raw(vec![b' '; 1024 * 1024 + 1]).path(path);
    let mut peer = Peer::connect(addr).await;
    peer.push(long.chunked(addr, 64 * 1024)).await;
    let answer = peer.response().await;
    assert_eq!(answer.refused(), (413, -32600));

    for post in
        [Post::of(&call(3, "wait", json!({}))), Post::of(&call_with_progress(4, "wait", json!({})))]
    {
        let (started, dropped) = (seen.started.get(), seen.dropped.get());
        let mut peer = Peer::connect(addr).await;
        peer.send(post.path(path).sized(addr)).await;
        seen.started.reaches(started + 1).await;
        drop(peer);
        seen.dropped.reaches(dropped + 1).await;
    }
}

#[tokio::test]
async fn in_axum_as_a_route_and_nested() {
    let (addr, seen) = mounted(in_axum).await;
    check(addr, &seen, "/mcp").await;
    check(addr, &seen, "/api/mcp").await;
}

#[tokio::test]
async fn in_plain_hyper() {
    let (addr, seen) = mounted(in_hyper).await;
    check(addr, &seen, "/mcp").await;
    check(addr, &seen, "/anything").await;
}

#[tokio::test]
async fn without_a_port_loopback_names_are_served_on_any() {
    let seen = Arc::default();
    let tcp = TcpListener::bind("127.0.0.1:0").await.expect("a port is free");
    let addr = tcp.local_addr().expect("the port is known");
    tokio::spawn(in_hyper(tcp, service(&seen).into_http()));
    list().header("Host", "localhost").ask(addr).await.result(1);
    let evil = list().header("Host", "evil.example").ask(addr).await;
    assert_eq!(evil.refused(), (403, -32600));
}
