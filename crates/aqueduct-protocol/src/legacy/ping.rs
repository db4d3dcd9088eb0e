//! Is the peer there; either side may ask.
//!
//! [Ping](https://modelcontextprotocol.io/specification/2025-11-25/basic/utilities/ping).

use crate::jsonrpc::JsonRpcRequest;
use crate::params::NotificationParams;

/// A request whose method is [`PING`](crate::method::PING) and whose result is empty.
pub type PingRequest = JsonRpcRequest<NotificationParams>;
