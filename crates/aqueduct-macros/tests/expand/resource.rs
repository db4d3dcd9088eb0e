//! A resource template.

#[resource("notes://{name}", mime_type = "text/plain", cache_ms = 60_000, cache_public)]
async fn note(name: String, notes: State<Notes>) -> Result<String> {
    notes.read(&name)
}
