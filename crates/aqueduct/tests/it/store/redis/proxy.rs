//! A wire that breaks when it is told to: between the store and its server.

use std::net::SocketAddr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;

/// Where the next connection that carries a write breaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Cut {
    /// The server never gets the command.
    BeforeRequest,
    /// Half of the answer comes.
    InReply,
}

pub(super) struct Proxy {
    address: SocketAddr,
    wires: Arc<Wires>,
}

struct Wires {
    armed: Mutex<Option<Cut>>,
    /// Counts how often all connections were cut.
    cut: watch::Sender<u32>,
}

impl Proxy {
    pub(super) async fn start(server: SocketAddr) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let address = listener.local_addr().expect("an address");
        let wires = Arc::new(Wires { armed: Mutex::new(None), cut: watch::Sender::new(0) });
        let shared = Arc::clone(&wires);
        tokio::spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                let wires = Arc::clone(&shared);
                tokio::spawn(async move {
                    let Ok(server) = TcpStream::connect(server).await else { return };
                    carry(client, server, &wires).await;
                });
            }
        });
        Self { address, wires }
    }

    pub(super) fn url(&self, prefix: &str) -> String {
        format!("redis://{}/?prefix={prefix}", self.address)
    }

    /// Breaks the next connection that carries a script.
    pub(super) fn arm(&self, cut: Cut) {
        *self.wires.armed.lock().expect("a lock") = Some(cut);
    }

    /// Breaks every connection that there is.
    pub(super) fn cut_all(&self) {
        self.wires.cut.send_modify(|count| *count += 1);
    }
}

async fn carry(client: TcpStream, server: TcpStream, wires: &Wires) {
    let mut cut = wires.cut.subscribe();
    let (from_client, to_client) = client.into_split();
    let (from_server, to_server) = server.into_split();
    let breaks = AtomicBool::new(false);
    tokio::select! {
        _ = cut.changed() => {}
        () = requests(from_client, to_server, wires, &breaks) => {}
        () = replies(from_server, to_client, &breaks) => {}
    }
}

async fn requests(
    mut from: OwnedReadHalf,
    mut to: OwnedWriteHalf,
    wires: &Wires,
    breaks: &AtomicBool,
) {
    let mut bytes = vec![0; 64 * 1024];
    while let Ok(length @ 1..) = from.read(&mut bytes).await {
        let sent = &bytes[..length];
        if sent.windows(7).any(|word| word == b"EVALSHA") {
            match wires.armed.lock().expect("a lock").take() {
                Some(Cut::BeforeRequest) => return,
                Some(Cut::InReply) => breaks.store(true, Ordering::SeqCst),
                None => {}
            }
        }
        if to.write_all(sent).await.is_err() {
            return;
        }
    }
}

async fn replies(mut from: OwnedReadHalf, mut to: OwnedWriteHalf, breaks: &AtomicBool) {
    let mut bytes = vec![0; 64 * 1024];
    while let Ok(length @ 1..) = from.read(&mut bytes).await {
        let is_last = breaks.load(Ordering::SeqCst);
        let sent = if is_last { length / 2 } else { length };
        if to.write_all(&bytes[..sent]).await.is_err() || is_last {
            return;
        }
    }
}
