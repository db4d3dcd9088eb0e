//! Checks of the bus.

use std::time::Duration;

use bytes::Bytes;
use tokio::time::timeout;

use super::{Broken, Checked, Subject, holds, refused, same};
use crate::store::limit::MAX_MESSAGE_BYTES;
use crate::store::{Signal, Subscription};

/// How long a message may be on its way.
const SOON: Duration = Duration::from_secs(10);

async fn next(subscription: &mut Subscription) -> Result<Signal, Broken> {
    let next = timeout(SOON, subscription.next()).await;
    let next = next.map_err(|_| Broken("no message came".to_owned()))?;
    next.ok_or_else(|| Broken("the bus is gone".to_owned()))
}

fn message(text: &str) -> Signal {
    Signal::Message(Bytes::copy_from_slice(text.as_bytes()))
}

pub(super) async fn a_message_reaches_every_subscriber_of_its_topic(subject: Subject) -> Checked {
    let Some(bus) = &subject.bus else { return Ok(()) };
    let mut first = bus.subscribe("a").await?;
    let mut second = bus.subscribe("a").await?;
    let mut other = bus.subscribe("a/b*").await?;
    for text in ["1", "2", "3"] {
        bus.publish("a", text.into()).await?;
    }
    bus.publish("a/b*", "4".into()).await?;
    for text in ["1", "2", "3"] {
        same("the first subscriber's message", &next(&mut first).await?, &message(text))?;
        same("the second subscriber's message", &next(&mut second).await?, &message(text))?;
    }
    same("the message of another topic", &next(&mut other).await?, &message("4"))?;
    let every_byte: Bytes = (0..=u8::MAX).collect();
    bus.publish("a", every_byte.clone()).await?;
    same("a message of any bytes", &next(&mut first).await?, &Signal::Message(every_byte))?;
    let longest = Bytes::from(vec![b'x'; MAX_MESSAGE_BYTES]);
    bus.publish("a/b*", longest.clone()).await?;
    holds("the longest message comes", next(&mut other).await? == Signal::Message(longest))?;
    let longer = bus.publish("a", vec![b'x'; MAX_MESSAGE_BYTES + 1024].into()).await;
    let error = refused("a message that is too long", longer)?;
    holds("that is too large", error.is_too_large())
}

pub(super) async fn a_subscriber_hears_from_the_moment_it_subscribed(subject: Subject) -> Checked {
    let Some(bus) = &subject.bus else { return Ok(()) };
    bus.publish("a", "before".into()).await?;
    for round in 0..10 {
        let mut subscription = bus.subscribe("a").await?;
        let text = format!("{round}");
        bus.publish("a", text.clone().into()).await?;
        same("the first message", &next(&mut subscription).await?, &message(&text))?;
        // The next round subscribes to a topic that nobody listens to any more.
        drop(subscription);
    }
    Ok(())
}

pub(super) async fn a_slow_subscriber_is_told_to_read_again(subject: Subject) -> Checked {
    let Some(bus) = &subject.bus else { return Ok(()) };
    let mut slow = bus.subscribe("a").await?;
    let mut count = 0_usize;
    for number in 0..1_000 {
        bus.publish("a", format!("{number}").into()).await?;
        count += 1;
    }
    bus.publish("a", "last".into()).await?;
    let mut resynced = false;
    let mut got = 0_usize;
    loop {
        match next(&mut slow).await? {
            Signal::Resync => resynced = true,
            Signal::Message(text) if text == "last" => break,
            Signal::Message(_) => got += 1,
        }
    }
    holds("a subscriber that missed messages was told so", resynced || got == count)
}

pub(super) async fn a_message_reaches_other_nodes(subject: Subject) -> Checked {
    let (Some(bus), Some(peer)) = (&subject.bus, &subject.peer_bus) else { return Ok(()) };
    let mut here = bus.subscribe("a").await?;
    let mut there = peer.subscribe("a").await?;
    bus.publish("a", "1".into()).await?;
    same("the other node's message", &next(&mut there).await?, &message("1"))?;
    same("one's own message", &next(&mut here).await?, &message("1"))?;
    peer.publish("a", "2".into()).await?;
    same("the message from the other node", &next(&mut here).await?, &message("2"))
}
