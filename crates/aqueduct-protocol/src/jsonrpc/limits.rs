//! What one message may cost before it is refused.

/// Bounds on the shape of a message; its size in bytes is the transport's to bound.
///
/// ```
/// use aqueduct_protocol::jsonrpc::Limits;
///
/// let mut limits = Limits::new();
/// limits.depth = 16;
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// Objects and arrays inside one another, the message itself included: 64.
    pub depth: u16,
    /// Values in the whole message, each object, array, string, number and literal: 50,000.
    pub nodes: u32,
    /// Members of one object: 2,000.
    pub members: u32,
    /// Bytes of one number: 64.
    pub number: u16,
    /// Bytes of the id, between its quotes if it is a string: 256.
    pub id: u16,
    /// Bytes of the method's name, between its quotes: 128.
    pub method: u16,
}

impl Limits {
    /// The limits that a server has when it sets none.
    #[must_use]
    pub const fn new() -> Self {
        Self { depth: 64, nodes: 50_000, members: 2_000, number: 64, id: 256, method: 128 }
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self::new()
    }
}
