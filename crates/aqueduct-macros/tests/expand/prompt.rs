//! A prompt with a completer.

/// Review a piece of code.
#[prompt(title = "Review")]
async fn review(
    /// The code to look at
    code: String,
    #[arg(complete = languages)] language: Option<String>,
) -> String {
    code
}
