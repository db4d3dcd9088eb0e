//! A group of a tool and a resource.

#[tools(prefix = "notes_")]
impl Notes {
    /// Keep a note.
    #[tool]
    async fn put(&self, name: String) -> Result<Self> {
        Self::put_it(name)
    }

    #[resource("notes://{name}")]
    fn note(self: Arc<Self>, name: String) -> Option<String> {
        self.find(&name)
    }

    fn find(&self, name: &str) -> Option<String> {
        None
    }
}
