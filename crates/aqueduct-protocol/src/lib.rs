//! The Model Context Protocol on the wire.
