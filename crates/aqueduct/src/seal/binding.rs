//! What must be the same when a sealed string comes back.

/// Fields in an order, such as the principal, the method and the arguments' hash of a call.
///
/// Each field is written with its length, so that `ab`, `c` and `a`, `bc` are not the same.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Binding(Vec<u8>);

impl Binding {
    /// No fields: the string is bound to its purpose only.
    #[must_use]
    pub const fn new() -> Self {
        Self(Vec::new())
    }

    /// Adds a field.
    #[must_use]
    pub fn field(mut self, field: impl AsRef<[u8]>) -> Self {
        let field = field.as_ref();
        // Lossless wherever `usize` has at most 64 bits, and Rust knows no wider one.
        let length = field.len() as u64;
        self.0.extend_from_slice(&length.to_be_bytes());
        self.0.extend_from_slice(field);
        self
    }

    /// The fields as one string of bytes.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }
}

impl AsRef<[u8]> for Binding {
    fn as_ref(&self) -> &[u8] {
        self.as_bytes()
    }
}
