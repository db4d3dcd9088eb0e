//! Who is connected: how many by each address, and how to tell all of them that the end is near.

use std::collections::HashMap;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::Waker;

/// How a listener goes to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub(super) enum Stage {
    /// Requests come and go.
    Open,
    /// Running requests end, and no others begin.
    Draining,
    /// What still runs is cut short.
    Ending,
}

/// All connections of a listener.
#[derive(Debug)]
pub(super) struct Roster {
    stage: AtomicU8,
    seats: Mutex<Seats>,
}

#[derive(Debug, Default)]
struct Seats {
    next: u64,
    peers: HashMap<IpAddr, usize>,
    wakers: HashMap<u64, Waker>,
}

/// The place of one connection; dropping it frees the place.
#[derive(Debug)]
pub(super) struct Seat {
    roster: Arc<Roster>,
    peer: IpAddr,
    id: u64,
}

impl Roster {
    pub(super) fn new() -> Arc<Self> {
        Arc::new(Self {
            stage: AtomicU8::new(Stage::Open as u8),
            seats: Mutex::new(Seats::default()),
        })
    }

    fn seats(&self) -> MutexGuard<'_, Seats> {
        self.seats.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A seat for a connection from this address, unless it has `most` already.
    pub(super) fn sit(self: &Arc<Self>, address: IpAddr, most: usize) -> Option<Seat> {
        let peer = peer(address);
        let mut seats = self.seats();
        let taken = seats.peers.get(&peer).copied().unwrap_or_default();
        if taken >= most {
            return None;
        }
        seats.peers.insert(peer, taken + 1);
        seats.next += 1;
        Some(Seat { roster: Arc::clone(self), peer, id: seats.next })
    }

    /// Goes on to the next stage and wakes all connections, so that they see it.
    pub(super) fn advance(&self, stage: Stage) {
        self.stage.store(stage as u8, Ordering::SeqCst);
        let wakers: Vec<Waker> = self.seats().wakers.values().cloned().collect();
        for waker in wakers {
            waker.wake();
        }
    }
}

impl Seat {
    /// The task that is woken when the stage changes.
    pub(super) fn watch(&self, waker: &Waker) {
        self.roster.seats().wakers.insert(self.id, waker.clone());
    }

    pub(super) fn stage(&self) -> Stage {
        match self.roster.stage.load(Ordering::SeqCst) {
            0 => Stage::Open,
            1 => Stage::Draining,
            _ => Stage::Ending,
        }
    }
}

impl Drop for Seat {
    fn drop(&mut self) {
        let mut seats = self.roster.seats();
        seats.wakers.remove(&self.id);
        match seats.peers.get_mut(&self.peer) {
            Some(taken) if *taken > 1 => *taken -= 1,
            _ => drop(seats.peers.remove(&self.peer)),
        }
    }
}

/// What counts as one peer: an IPv4 address, or the 64 bits of an IPv6 network.
fn peer(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V4(address) => IpAddr::V4(address),
        IpAddr::V6(address) => {
            let [a, b, c, d, ..] = address.segments();
            IpAddr::V6(Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_has_so_many_seats_and_gets_them_back() {
        let roster = Roster::new();
        let here: IpAddr = "192.0.2.1".parse().unwrap();
        let seats: Vec<_> = (0..2).map(|_| roster.sit(here, 2).unwrap()).collect();
        assert!(roster.sit(here, 2).is_none());
        assert!(roster.sit("::ffff:192.0.2.1".parse().unwrap(), 2).is_none());
        assert!(roster.sit("192.0.2.2".parse().unwrap(), 2).is_some());
        drop(seats);
        assert!(roster.sit(here, 2).is_some());
        assert!(roster.seats().peers.is_empty());
    }

    #[test]
    fn a_network_of_ipv6_is_one_peer() {
        let roster = Roster::new();
        let _seat = roster.sit("2001:db8::1".parse().unwrap(), 1).unwrap();
        assert!(roster.sit("2001:db8::2".parse().unwrap(), 1).is_none());
        assert!(roster.sit("2001:db8:0:1::1".parse().unwrap(), 1).is_some());
    }
}
