//! Where the server itself may connect to: addresses of the whole world, and what is allowed by
//! name.

use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::str::FromStr;

/// A range of addresses, such as `10.2.0.0/16`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Network {
    base: IpAddr,
    bits: u32,
}

/// A text that is no range of addresses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NetworkError(String);

impl fmt::Display for NetworkError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} is no network; write such as \"10.2.0.0/16\"", self.0)
    }
}

impl std::error::Error for NetworkError {}

impl FromStr for Network {
    type Err = NetworkError;

    fn from_str(text: &str) -> Result<Self, NetworkError> {
        let wrong = || NetworkError(crate::error::shorten(text));
        let (base, bits) = text.split_once('/').ok_or_else(wrong)?;
        let base: IpAddr = base.parse().map_err(|_| wrong())?;
        let bits: u32 = bits.parse().map_err(|_| wrong())?;
        let most = if base.is_ipv4() { 32 } else { 128 };
        if bits == 0 || bits > most {
            return Err(wrong());
        }
        Ok(Self { base, bits })
    }
}

impl Network {
    fn contains(&self, address: IpAddr) -> bool {
        match (self.base, address) {
            (IpAddr::V4(base), IpAddr::V4(address)) => {
                let shift = 32 - self.bits;
                base.to_bits() >> shift == address.to_bits() >> shift
            }
            (IpAddr::V6(base), IpAddr::V6(address)) => {
                let shift = 128 - self.bits;
                base.to_bits() >> shift == address.to_bits() >> shift
            }
            _ => false,
        }
    }
}

/// Where connections may go.
#[derive(Clone, Debug, Default)]
pub(super) struct Egress {
    pub(super) networks: Vec<Network>,
    /// For tests: this machine, and without TLS.
    pub(super) loopback: bool,
}

impl Egress {
    pub(super) fn allows(&self, address: IpAddr) -> bool {
        let address = address.to_canonical();
        is_global(address)
            || (self.loopback && address.is_loopback())
            || self.networks.iter().any(|network| network.contains(address))
    }
}

/// Is it an address of the whole world? What is not known to be is none: an embedded address of
/// another family is one of this machine as easily as any (6to4, NAT64, Teredo).
fn is_global(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => is_global_v4(address),
        IpAddr::V6(address) => is_global_v6(address),
    }
}

fn is_global_v4(address: Ipv4Addr) -> bool {
    let [a, b, c, _] = address.octets();
    let special = match (a, b, c) {
        (0 | 10 | 127, ..) | (192, 168, _) | (169, 254, _) => true,
        (100, b, _) => (64..128).contains(&b),
        (172, b, _) => (16..32).contains(&b),
        (192, 0, 0 | 2) | (192, 88, 99) | (198, 51, 100) | (203, 0, 113) => true,
        (198, b, _) => matches!(b, 18 | 19),
        (a, ..) => a >= 224,
    };
    !special
}

fn is_global_v6(address: Ipv6Addr) -> bool {
    let [a, b, ..] = address.segments();
    // 2000::/3 is all that is given out, without documentation, Teredo, ORCHID and 6to4.
    let given_out = a & 0xe000 == 0x2000;
    let special = a == 0x2002 || (a == 0x2001 && (b < 0x0200 || b == 0x0db8)) || a == 0x3fff;
    given_out && !special
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_addresses_of_the_whole_world_are_reached() {
        let egress = Egress::default();
        for inside in [
            "127.0.0.1",
            "10.0.0.1",
            "172.16.0.1",
            "172.31.255.255",
            "192.168.1.1",
            "169.254.169.254",
            "100.64.0.1",
            "0.0.0.0",
            "192.0.0.8",
            "198.18.0.1",
            "224.0.0.1",
            "255.255.255.255",
            "::1",
            "::",
            "::ffff:127.0.0.1",
            "::ffff:10.0.0.1",
            "64:ff9b::7f00:1",
            "2002:7f00:1::",
            "2001::1",
            "fc00::1",
            "fe80::1",
            "fec0::1",
            "ff02::1",
            "2001:db8::1",
        ] {
            assert!(!egress.allows(inside.parse().unwrap()), "{inside}");
        }
        for outside in ["1.1.1.1", "172.32.0.1", "8.8.8.8", "2606:4700::1111", "2a00::1"] {
            assert!(egress.allows(outside.parse().unwrap()), "{outside}");
        }
    }

    #[test]
    fn a_network_that_is_allowed_is_reached_and_no_other() {
        let networks = vec!["10.2.0.0/16".parse().unwrap()];
        let egress = Egress { networks, loopback: false };
        assert!(egress.allows("10.2.255.1".parse().unwrap()));
        assert!(!egress.allows("10.3.0.1".parse().unwrap()));
        assert!("0.0.0.0/0".parse::<Network>().is_err());
        assert!("10.0.0.0".parse::<Network>().is_err());
    }
}
