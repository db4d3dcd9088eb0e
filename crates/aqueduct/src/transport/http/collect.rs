//! Reads a request's body as text, within bounds of size and time.

use std::future::{Future, poll_fn};
use std::pin::pin;
use std::task::Poll;
use std::time::Duration;

use bytes::Buf;
use http_body::Body;

use super::load::Reading;

/// How much is made ready for a body before a byte of it has come.
const FIRST: usize = 64 * 1024;

/// Why a body was not read to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unread {
    TooLarge,
    TooSlow,
    TooMany,
    NotUtf8,
    Broken,
}

/// What a body may have.
#[derive(Debug)]
pub(super) struct Bounds<'l> {
    /// How many bytes.
    pub(super) body: usize,
    /// How long to arrive.
    pub(super) time: Duration,
    /// How many bytes together with all other bodies that are being read.
    pub(super) all: usize,
    pub(super) reading: Reading<'l>,
}

/// Reads the whole body; the clock is wound only when it is not there at once.
pub(super) async fn text<B: Body>(body: B, bounds: Bounds<'_>) -> Result<String, Unread> {
    let announced = usize::try_from(body.size_hint().lower()).unwrap_or(usize::MAX);
    if announced > bounds.body {
        return Err(Unread::TooLarge);
    }
    let time = bounds.time;
    let mut whole = pin!(read(body, announced, bounds));
    let now = poll_fn(|cx| Poll::Ready(whole.as_mut().poll(cx))).await;
    let bytes = match now {
        Poll::Ready(read) => read?,
        Poll::Pending => {
            // Boxed, so that a body which is there at once does not carry a clock along.
            let timed = Box::pin(tokio::time::timeout(time, whole));
            timed.await.map_err(|_| Unread::TooSlow)??
        }
    };
    String::from_utf8(bytes).map_err(|_| Unread::NotUtf8)
}

async fn read<B: Body>(
    body: B,
    announced: usize,
    mut bounds: Bounds<'_>,
) -> Result<Vec<u8>, Unread> {
    let mut body = pin!(body);
    let mut bytes = Vec::with_capacity(announced.min(FIRST));
    while let Some(frame) = poll_fn(|cx| body.as_mut().poll_frame(cx)).await {
        let frame = frame.map_err(|_| Unread::Broken)?;
        // Trailers say nothing that is wanted here.
        let Ok(mut data) = frame.into_data() else { continue };
        let more = data.remaining();
        if bytes.len().saturating_add(more) > bounds.body {
            return Err(Unread::TooLarge);
        }
        if bounds.reading.add(more, bounds.all) {
            return Err(Unread::TooMany);
        }
        while data.has_remaining() {
            let chunk = data.chunk();
            bytes.extend_from_slice(chunk);
            let read = chunk.len();
            data.advance(read);
        }
    }
    Ok(bytes)
}
