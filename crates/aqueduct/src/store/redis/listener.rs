//! The connection for messages: subscribes again after a break, and says that there was one.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use ::redis::aio::MultiplexedConnection;
use ::redis::{PushInfo, PushKind, Value, cmd};
use bytes::Bytes;
use tokio::sync::{Notify, mpsc, oneshot};
use tokio::task::JoinHandle;
use tokio::time::{MissedTickBehavior, interval, sleep, timeout};

use super::link::{Link, PATIENCE};
use crate::store::bus::{Feed, Subscription};
use crate::store::error::StoreError;

/// How many subscriptions wait to be made; who comes later waits for a place.
const MAX_WAITING: usize = 64;
/// How long to wait between two tries to connect.
const RETRY: Duration = Duration::from_millis(200);
/// How often the connection is asked whether it lives; a peer that lost its power says nothing.
const ASK_EVERY: Duration = Duration::from_secs(2);

/// The way to the task that listens, which ends when this is dropped.
pub(super) struct Listener {
    wanted: mpsc::Sender<Wanted>,
    task: JoinHandle<()>,
}

struct Wanted {
    channel: String,
    answer: oneshot::Sender<Result<Subscription, StoreError>>,
}

impl Listener {
    pub(super) fn start(link: Arc<Link>) -> Self {
        let (wanted, waiting) = mpsc::channel(MAX_WAITING);
        let listening = Listening { link, topics: Arc::default(), waiting };
        Self { wanted, task: tokio::spawn(listening.run()) }
    }

    pub(super) async fn subscribe(&self, channel: String) -> Result<Subscription, StoreError> {
        let gone = || StoreError::unavailable("the connection for messages cannot be made");
        let (answer, answered) = oneshot::channel();
        let asked = async {
            let sent = self.wanted.send(Wanted { channel, answer }).await;
            sent.map_err(|_| gone())?;
            answered.await.unwrap_or_else(|_| Err(gone()))
        };
        timeout(PATIENCE, asked).await.unwrap_or_else(|_| Err(gone()))
    }
}

impl Drop for Listener {
    fn drop(&mut self) {
        self.task.abort();
    }
}

type Topics = Arc<Mutex<HashMap<String, Vec<Feed>>>>;

struct Listening {
    link: Arc<Link>,
    topics: Topics,
    waiting: mpsc::Receiver<Wanted>,
}

impl Listening {
    async fn run(mut self) {
        let mut was_connected = false;
        loop {
            match self.connect().await {
                Ok((connection, lost)) => {
                    if was_connected {
                        tracing::info!(link = %self.link, "messages come again");
                    }
                    was_connected = true;
                    self.serve(connection, &lost).await;
                    tracing::warn!(link = %self.link, "the connection for messages broke");
                }
                Err(error) => {
                    while let Ok(wanted) = self.waiting.try_recv() {
                        drop(wanted.answer.send(Err(error.duplicate())));
                    }
                    sleep(RETRY).await;
                }
            }
        }
    }

    /// Connects, subscribes to every topic, and tells every subscriber to read again.
    ///
    /// The second is told when this connection is lost.
    async fn connect(&self) -> Result<(MultiplexedConnection, Arc<Notify>), StoreError> {
        let (topics, lost) = (Arc::clone(&self.topics), Arc::new(Notify::new()));
        let notice = {
            let lost = Arc::clone(&lost);
            move |push: PushInfo| {
                match push.kind {
                    PushKind::Message => deliver(&topics, push.data),
                    PushKind::Disconnection => lost.notify_one(),
                    _ => {}
                }
                Ok::<(), ()>(())
            }
        };
        let mut connection = self.link.connect(notice).await?;
        let channels: Vec<_> = lock(&self.topics).keys().cloned().collect();
        if !channels.is_empty() {
            let subscribed = timeout(PATIENCE, connection.subscribe(channels)).await;
            if !matches!(subscribed, Ok(Ok(()))) {
                return Err(StoreError::unavailable(format!("{} does not subscribe", self.link)));
            }
        }
        for feed in lock(&self.topics).values().flatten() {
            feed.resync();
        }
        Ok((connection, lost))
    }

    /// Serves until the connection fails.
    async fn serve(&mut self, mut connection: MultiplexedConnection, lost: &Notify) {
        let mut ask = interval(ASK_EVERY);
        ask.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            tokio::select! {
                () = lost.notified() => return,
                wanted = self.waiting.recv() => {
                    let Some(wanted) = wanted else { return };
                    if !self.subscribe(&mut connection, wanted).await {
                        return;
                    }
                }
                _ = ask.tick() => {
                    let lives = async {
                        self.forget(&mut connection).await?;
                        cmd("PING").exec_async(&mut connection).await
                    };
                    if !matches!(timeout(PATIENCE, lives).await, Ok(Ok(()))) {
                        return;
                    }
                }
            }
        }
    }

    /// Makes a subscription; `false` when the connection failed.
    async fn subscribe(&self, connection: &mut MultiplexedConnection, wanted: Wanted) -> bool {
        let Wanted { channel, answer } = wanted;
        let (feed, subscription) = Subscription::pair();
        // Before the server is asked, so that the first message finds it.
        lock(&self.topics).entry(channel.clone()).or_default().push(feed);
        let subscribed = timeout(PATIENCE, connection.subscribe(&channel)).await;
        let is_subscribed = matches!(subscribed, Ok(Ok(())));
        let outcome = if is_subscribed {
            Ok(subscription)
        } else {
            Err(StoreError::unavailable(format!("{} does not subscribe", self.link)))
        };
        drop(answer.send(outcome));
        is_subscribed
    }

    /// Leaves the topics that nobody listens to any more.
    async fn forget(&self, connection: &mut MultiplexedConnection) -> ::redis::RedisResult<()> {
        let mut left = Vec::new();
        lock(&self.topics).retain(|channel, feeds| {
            feeds.retain(|feed| !feed.is_closed());
            if feeds.is_empty() {
                left.push(channel.clone());
            }
            !feeds.is_empty()
        });
        if left.is_empty() { Ok(()) } else { connection.unsubscribe(left).await }
    }
}

fn deliver(topics: &Topics, data: Vec<Value>) {
    let mut data = data.into_iter();
    let (Some(Value::BulkString(channel)), Some(Value::BulkString(message))) =
        (data.next(), data.next())
    else {
        return;
    };
    let Ok(channel) = String::from_utf8(channel.to_vec()) else { return };
    let message = Bytes::from(message);
    if let Some(feeds) = lock(topics).get_mut(&channel) {
        feeds.retain(|feed| feed.message(message.clone()));
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
