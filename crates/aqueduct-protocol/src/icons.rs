//! Who a program is, and its pictures.

use crate::record::{record, words};

record! {
    /// A picture for a program, a tool, a prompt or a resource.
    ///
    /// Clients take `https:` and `data:` addresses only.
    #[derive(Eq)]
    Icon {
        /// Where it is.
        src: String,
        /// What kind of picture it is.
        mime_type: Option<String>,
        /// The sizes that it is good for: `48x48`, or `any`.
        sizes: Option<Vec<String>>,
        /// The background that it is made for.
        theme: Option<IconTheme>,
    }
}

words! {
    /// The background that an icon is made for.
    IconTheme {
        /// A light one.
        Light = "light",
        /// A dark one.
        Dark = "dark",
    }
}

record! {
    /// A client or a server, in its own words.
    ///
    /// ```
    /// use aqueduct_protocol::icons::Implementation;
    ///
    /// let server = Implementation::new("catalogue", "1.0.0").title("The catalogue");
    /// # let _ = server;
    /// ```
    #[derive(Eq)]
    Implementation {
        /// Its name for programs.
        name: String,
        /// Its name for people.
        title: Option<String>,
        /// Its version.
        version: String,
        /// What it is for.
        description: Option<String>,
        /// Its pictures.
        icons: Option<Vec<Icon>>,
        /// Its page.
        website_url: Option<String>,
    }
}

impl Icon {
    /// Whether clients will take its address: `https:` or `data:` (Basic › Icons).
    #[must_use]
    pub fn has_allowed_source(&self) -> bool {
        let scheme = self.src.split_once(':').map(|(scheme, _)| scheme);
        scheme.is_some_and(|scheme| {
            scheme.eq_ignore_ascii_case("https") || scheme.eq_ignore_ascii_case("data")
        })
    }
}
