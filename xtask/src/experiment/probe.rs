//! Ordinary traffic beside an experiment: how long it takes, and whether any of it fails.

use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use serde_json::json;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::sync::watch;
use tokio::task::JoinHandle;
use tokio::time::timeout;

use super::peer::call_bytes;

/// Longer than anything that passes could take.
const PATIENCE: Duration = Duration::from_secs(30);

/// What one exchange came to: the status, and how long it took in milliseconds.
#[derive(Clone, Copy, Debug)]
pub(super) struct Told {
    pub(super) status: u16,
    pub(super) took: f64,
    /// Did a refusal say when to come back?
    pub(super) retry: bool,
}

/// Sends bytes on a connection of their own and reads all that comes.
pub(super) async fn send(host: &str, bytes: &[u8]) -> Result<Told> {
    let start = Instant::now();
    let mut tcp = TcpStream::connect(host).await.context("no connection")?;
    // A server that refuses a head may close before it has read all of a body.
    let _sent = tcp.write_all(bytes).await;
    let mut answer = Vec::new();
    let _read = timeout(PATIENCE, tcp.read_to_end(&mut answer)).await?;
    let head = String::from_utf8_lossy(answer.get(..answer.len().min(1024)).unwrap_or_default());
    let status = head.strip_prefix("HTTP/1.1 ").and_then(|rest| rest.get(..3));
    let status = status.with_context(|| format!("no status in {head:?}"))?.parse()?;
    let retry = head.to_ascii_lowercase().contains("\r\nretry-after: ");
    Ok(Told { status, took: start.elapsed().as_secs_f64() * 1_000.0, retry })
}

/// Ordinary calls, one after the other with a pause.
pub(super) struct Probe {
    stop: watch::Sender<bool>,
    calls: JoinHandle<Vec<Option<Told>>>,
}

impl Probe {
    pub(super) fn start(host: &str, pause: Duration) -> Self {
        let (stop, stopped) = watch::channel(false);
        let host = host.to_owned();
        let bytes = call_bytes(&host, "echo", &json!({ "text": "here" }));
        let calls = tokio::spawn(async move {
            let mut told = Vec::new();
            while !*stopped.borrow() {
                told.push(send(&host, &bytes).await.ok());
                tokio::time::sleep(pause).await;
            }
            told
        });
        Self { stop, calls }
    }

    /// How many calls were made, how many of them did not succeed, and the milliseconds within
    /// which 99 of 100 were answered.
    pub(super) async fn end(self) -> Result<(f64, f64, f64)> {
        self.stop.send(true).ok();
        let told = self.calls.await?;
        let good: Vec<_> = told.iter().flatten().filter(|one| one.status == 200).collect();
        let lost = told.len() - good.len();
        let took = good.iter().map(|one| one.took).collect();
        Ok((count(told.len()), count(lost), percentile(took, 99)))
    }
}

pub(super) fn count(number: usize) -> f64 {
    u32::try_from(number).map_or(f64::MAX, f64::from)
}

/// The value that so many of a hundred do not exceed.
pub(super) fn percentile(mut values: Vec<f64>, share: usize) -> f64 {
    values.sort_by(f64::total_cmp);
    let at = (values.len() * share).div_ceil(100).saturating_sub(1);
    values.get(at).copied().unwrap_or(f64::NAN)
}

#[cfg(test)]
mod tests {
    use super::percentile;

    #[test]
    fn ninety_nine_of_a_hundred() {
        let values: Vec<f64> = (1..=200_u32).rev().map(f64::from).collect();
        assert!((percentile(values.clone(), 99) - 198.0).abs() < f64::EPSILON);
        assert!((percentile(values, 50) - 100.0).abs() < f64::EPSILON);
        assert!(percentile(Vec::new(), 99).is_nan());
    }
}
