//! A tool with most that there is.

/// Search the catalogue.
#[tool(read_only, timeout = "30s", tags("books"), requires(sampling))]
pub async fn search(
    /// Words to look for
    query: &str,
    #[arg(default = 20, range = 1..=100)] limit: u32,
    State(db): State<Db>,
    ctx: &Context,
) -> Result<Json<Vec<Hit>>, Failure> {
    db.search(query, limit).await
}
