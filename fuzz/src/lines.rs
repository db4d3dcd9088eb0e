//! The framing of stdio: lines, however they are cut on their way.

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};

use crate::world::World;

thread_local! {
    static WORLD: World = World::new();
}

/// The sizes of the pieces in the first two bytes, and behind them what is sent.
pub(crate) fn run(data: &[u8]) {
    let [first, second, stream @ ..] = data else { return };
    let sizes = [usize::from(*first) + 1, usize::from(*second) + 1];
    WORLD.with(|world| {
        let whole = world.runtime.block_on(conversation(world, stream, &[stream.len().max(1)]));
        let pieces = world.runtime.block_on(conversation(world, stream, &sizes));
        assert_eq!(whole, pieces, "the pieces were of {sizes:?} bytes");
        let text = String::from_utf8(whole);
        assert!(text.is_ok_and(|text| text.lines().all(is_message)), "each line is a message");
    });
}

/// What a server answers to this input, which it gets piece by piece.
async fn conversation(world: &World, stream: &[u8], sizes: &[usize]) -> Vec<u8> {
    let (mut write, input) = tokio::io::duplex(64);
    let (output, mut read) = tokio::io::duplex(1024 * 1024);
    let serve = world.service.clone().serve_lines(input, output);
    let send = async {
        let mut rest = stream;
        for size in sizes.iter().cycle() {
            let (piece, more) = rest.split_at((*size).min(rest.len()));
            if piece.is_empty() || write.write_all(piece).await.is_err() {
                break;
            }
            tokio::task::yield_now().await;
            rest = more;
        }
        drop(write);
    };
    let mut answer = Vec::new();
    let (served, (), read) = tokio::join!(serve, send, read.read_to_end(&mut answer));
    assert!(served.is_ok() && read.is_ok(), "{served:?} {read:?}");
    answer
}

fn is_message(line: &str) -> bool {
    let value: Result<serde_json::Value, _> = serde_json::from_str(line);
    value.is_ok_and(|value| {
        let messages = value.as_array().cloned().unwrap_or_else(|| vec![value.clone()]);
        messages.iter().all(|one| one.get("jsonrpc").is_some_and(|version| version == "2.0"))
    })
}
