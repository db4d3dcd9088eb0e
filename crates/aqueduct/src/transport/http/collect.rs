//! Reads a request's body as text, within bounds of size and time.

use std::future::poll_fn;
use std::pin::pin;
use std::time::Duration;

use bytes::Buf;
use http_body::Body;

/// Why a body was not read to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unread {
    TooLarge,
    TooSlow,
    NotUtf8,
    Broken,
}

/// Reads the whole body; the clock is wound only when it is not there at once.
pub(super) async fn text<B>(body: B, limit: usize, time: Duration) -> Result<String, Unread>
where
    B: Body,
{
    let announced = usize::try_from(body.size_hint().lower()).unwrap_or(usize::MAX);
    if announced > limit {
        return Err(Unread::TooLarge);
    }
    let mut body = pin!(body);
    let mut bytes = Vec::with_capacity(announced);
    let mut whole = pin!(async {
        while let Some(frame) = poll_fn(|cx| body.as_mut().poll_frame(cx)).await {
            let frame = frame.map_err(|_| Unread::Broken)?;
            let Ok(mut data) = frame.into_data() else { continue };
            if bytes.len() + data.remaining() > limit {
                return Err(Unread::TooLarge);
            }
            while data.has_remaining() {
                let chunk = data.chunk();
                bytes.extend_from_slice(chunk);
                let read = chunk.len();
                data.advance(read);
            }
        }
        Ok(())
    });
    let now = poll_fn(|cx| std::task::Poll::Ready(whole.as_mut().poll(cx))).await;
    match now {
        std::task::Poll::Ready(read) => read?,
        std::task::Poll::Pending => {
            tokio::time::timeout(time, whole).await.map_err(|_| Unread::TooSlow)??;
        }
    }
    String::from_utf8(bytes).map_err(|_| Unread::NotUtf8)
}
