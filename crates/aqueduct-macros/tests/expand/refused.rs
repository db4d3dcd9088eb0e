//! A tool with a mistake in each line.

/// Wrong in several places.
#[tool(readonly, timeout = "soon")]
async fn wrong<T>(
    /// Documented
    (a, b): (u8, u8),
    #[arg(rang = 1..=2)] n: u8,
    good: String,
) -> &str {
    "x"
}
