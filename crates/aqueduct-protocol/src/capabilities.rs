//! What each side can do.
//!
//! Neither set is closed: members that this crate does not know are tolerated and forgotten.

use std::collections::BTreeMap;

use crate::jsonrpc::JsonObject;
use crate::record::record;

record! {
    /// What a client can do, said anew with each request.
    ///
    /// ```
    /// use aqueduct_protocol::capabilities::ClientCapabilities;
    ///
    /// let said = r#"{"elicitation":{},"voice":{"v":1}}"#;
    /// let client: ClientCapabilities = serde_json::from_str(said)?;
    /// assert!(client.has_form_elicitation() && !client.has_url_elicitation());
    /// # Ok::<(), serde_json::Error>(())
    /// ```
    #[derive(Default, Eq)]
    ClientCapabilities {
        /// What no specification defines yet.
        experimental: Option<BTreeMap<String, JsonObject>>,
        /// It can list its roots (deprecated).
        roots: Option<RootsCapability>,
        /// Its model can be asked (deprecated).
        sampling: Option<SamplingCapability>,
        /// Its user can be asked.
        elicitation: Option<ElicitationCapability>,
        /// Extensions by their id, each with its settings; `{}` is support without settings.
        extensions: Option<BTreeMap<String, JsonObject>>,
    }
}

record! {
    /// What a server can do.
    #[derive(Default, Eq)]
    ServerCapabilities {
        /// What no specification defines yet.
        experimental: Option<BTreeMap<String, JsonObject>>,
        /// It sends log messages when asked to (deprecated).
        logging: Option<JsonObject>,
        /// It suggests values for arguments.
        completions: Option<JsonObject>,
        /// It has prompts.
        prompts: Option<PromptsCapability>,
        /// It has resources.
        resources: Option<ResourcesCapability>,
        /// It has tools.
        tools: Option<ToolsCapability>,
        /// 2025-11-25: calls can be made as tasks.
        tasks: Option<JsonObject>,
        /// Extensions by their id, each with its settings; `{}` is support without settings.
        extensions: Option<BTreeMap<String, JsonObject>>,
    }
}

record! {
    /// A client can list its roots; there is nothing more to say about it.
    #[derive(Default, Eq)]
    RootsCapability {}
}

record! {
    /// How a client's model can be asked.
    #[derive(Default, Eq)]
    SamplingCapability {
        /// With context of servers included (deprecated).
        context: Option<JsonObject>,
        /// With tools that it may ask for.
        tools: Option<JsonObject>,
    }
}

record! {
    /// How a client's user can be asked; neither way means by a form.
    #[derive(Default, Eq)]
    ElicitationCapability {
        /// By a form.
        form: Option<JsonObject>,
        /// By being sent to an address.
        url: Option<JsonObject>,
    }
}

record! {
    /// What a server does with prompts.
    #[derive(Default, Eq)]
    PromptsCapability {
        /// It tells when the set of prompts changes.
        list_changed: Option<bool>,
    }
}

record! {
    /// What a server does with resources.
    #[derive(Default, Eq)]
    ResourcesCapability {
        /// It tells when a watched resource changes.
        subscribe: Option<bool>,
        /// It tells when the set of resources changes.
        list_changed: Option<bool>,
    }
}

record! {
    /// What a server does with tools.
    #[derive(Default, Eq)]
    ToolsCapability {
        /// It tells when the set of tools changes.
        list_changed: Option<bool>,
    }
}

impl ClientCapabilities {
    /// Whether the user can be asked by a form; `elicitation: {}` says so too.
    #[must_use]
    pub fn has_form_elicitation(&self) -> bool {
        self.elicitation.as_ref().is_some_and(|way| way.form.is_some() || way.url.is_none())
    }

    /// Whether the user can be sent to an address.
    #[must_use]
    pub fn has_url_elicitation(&self) -> bool {
        self.elicitation.as_ref().is_some_and(|way| way.url.is_some())
    }

    /// Whether the client's model can be asked.
    #[must_use]
    pub const fn has_sampling(&self) -> bool {
        self.sampling.is_some()
    }

    /// Whether the client's model can be asked with tools.
    #[must_use]
    pub fn has_sampling_tools(&self) -> bool {
        self.sampling.as_ref().is_some_and(|way| way.tools.is_some())
    }

    /// Whether the client can list its roots.
    #[must_use]
    pub const fn has_roots(&self) -> bool {
        self.roots.is_some()
    }

    /// The settings of an extension, if the client supports it.
    #[must_use]
    pub fn extension(&self, id: &str) -> Option<&JsonObject> {
        self.extensions.as_ref()?.get(id)
    }

    /// Adds an extension.
    #[must_use]
    pub fn with_extension(mut self, id: impl Into<String>, settings: JsonObject) -> Self {
        self.extensions.get_or_insert_default().insert(id.into(), settings);
        self
    }
}

impl ClientCapabilities {
    /// Whether everything that `required` has is declared here too.
    ///
    /// `elicitation: {}` declares forms; extensions count by their id, whatever their settings.
    #[must_use]
    pub fn covers(&self, required: &Self) -> bool {
        let has = |wanted: bool, declared: bool| !wanted || declared;
        let named = |wanted: &Option<BTreeMap<String, JsonObject>>,
                     declared: &Option<BTreeMap<String, JsonObject>>| {
            wanted
                .iter()
                .flat_map(BTreeMap::keys)
                .all(|id| declared.as_ref().is_some_and(|declared| declared.contains_key(id)))
        };
        let context =
            |way: &Self| way.sampling.as_ref().is_some_and(|sampling| sampling.context.is_some());
        has(required.has_roots(), self.has_roots())
            && has(required.has_sampling(), self.has_sampling())
            && has(required.has_sampling_tools(), self.has_sampling_tools())
            && has(context(required), context(self))
            && has(required.has_form_elicitation(), self.has_form_elicitation())
            && has(required.has_url_elicitation(), self.has_url_elicitation())
            && named(&required.experimental, &self.experimental)
            && named(&required.extensions, &self.extensions)
    }
}

impl ServerCapabilities {
    /// The settings of an extension, if the server supports it.
    #[must_use]
    pub fn extension(&self, id: &str) -> Option<&JsonObject> {
        self.extensions.as_ref()?.get(id)
    }

    /// Adds an extension.
    #[must_use]
    pub fn with_extension(mut self, id: impl Into<String>, settings: JsonObject) -> Self {
        self.extensions.get_or_insert_default().insert(id.into(), settings);
        self
    }
}
