//! The names of methods and notifications, each spelled here and nowhere else.

use std::fmt;

use crate::jsonrpc::Param;

/// The constants, the enum and the way between a name and its variant, from one list.
macro_rules! methods {
    ($($(#[$doc:meta])* $constant:ident $variant:ident $name:literal,)+) => {
        $($(#[$doc])* pub const $constant: &str = $name;)+

        /// A method or notification that this crate knows, of any revision.
        ///
        /// ```
        /// use aqueduct_protocol::{jsonrpc::Param, method::{self, Method}};
        ///
        /// assert_eq!(Method::parse("tools/call"), Some(Method::ToolsCall));
        /// assert_eq!(Method::ToolsCall.as_str(), method::TOOLS_CALL);
        /// assert_eq!(Method::ToolsCall.target_param(), Some(Param::Name));
        /// ```
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum Method {
            $($(#[$doc])* $variant,)+
        }

        impl Method {
            /// All of them.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)+];

            /// The method of this name; names are case-sensitive.
            #[must_use]
            pub fn parse(name: &str) -> Option<Self> {
                match name {
                    $($name => Some(Self::$variant),)+
                    _ => None,
                }
            }

            /// The name on the wire.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $name,)+ }
            }
        }
    };
}

methods! {
    /// What the server is and can do.
    SERVER_DISCOVER ServerDiscover "server/discover",
    /// The tools, a page at a time.
    TOOLS_LIST ToolsList "tools/list",
    /// Runs a tool.
    TOOLS_CALL ToolsCall "tools/call",
    /// The resources, a page at a time.
    RESOURCES_LIST ResourcesList "resources/list",
    /// The resource templates, a page at a time.
    RESOURCES_TEMPLATES_LIST ResourcesTemplatesList "resources/templates/list",
    /// The contents of a resource.
    RESOURCES_READ ResourcesRead "resources/read",
    /// The prompts, a page at a time.
    PROMPTS_LIST PromptsList "prompts/list",
    /// The messages of a prompt.
    PROMPTS_GET PromptsGet "prompts/get",
    /// Suggestions for an argument.
    COMPLETION_COMPLETE CompletionComplete "completion/complete",
    /// A stream of changes.
    SUBSCRIPTIONS_LISTEN SubscriptionsListen "subscriptions/listen",
    /// Asks the user; an input request in 2026-07-28, a request of its own before.
    ELICITATION_CREATE ElicitationCreate "elicitation/create",
    /// Asks the client's model; an input request in 2026-07-28, a request of its own before.
    SAMPLING_CREATE_MESSAGE SamplingCreateMessage "sampling/createMessage",
    /// Asks for the client's roots; an input request in 2026-07-28, a request of its own before.
    ROOTS_LIST RootsList "roots/list",

    /// Tasks extension: the state of a task.
    TASKS_GET TasksGet "tasks/get",
    /// Tasks extension: answers for a task that waits for them.
    TASKS_UPDATE TasksUpdate "tasks/update",
    /// Ends a task.
    TASKS_CANCEL TasksCancel "tasks/cancel",

    /// Skills extension: the skills, a page at a time.
    SKILLS_LIST SkillsList "skills/list",
    /// Skills extension: one skill.
    SKILLS_GET SkillsGet "skills/get",
    /// Skills extension: what lies in a directory, a page at a time.
    RESOURCES_DIRECTORY_READ ResourcesDirectoryRead "resources/directory/read",

    /// A request need not be answered any more.
    NOTIFICATIONS_CANCELLED NotificationsCancelled "notifications/cancelled",
    /// How far a request has come.
    NOTIFICATIONS_PROGRESS NotificationsProgress "notifications/progress",
    /// A log message.
    NOTIFICATIONS_MESSAGE NotificationsMessage "notifications/message",
    /// The set of tools is another.
    NOTIFICATIONS_TOOLS_LIST_CHANGED NotificationsToolsListChanged
        "notifications/tools/list_changed",
    /// The set of prompts is another.
    NOTIFICATIONS_PROMPTS_LIST_CHANGED NotificationsPromptsListChanged
        "notifications/prompts/list_changed",
    /// The set of resources is another.
    NOTIFICATIONS_RESOURCES_LIST_CHANGED NotificationsResourcesListChanged
        "notifications/resources/list_changed",
    /// A watched resource has other contents.
    NOTIFICATIONS_RESOURCES_UPDATED NotificationsResourcesUpdated
        "notifications/resources/updated",
    /// The first message of a listen stream: what it will carry.
    NOTIFICATIONS_SUBSCRIPTIONS_ACKNOWLEDGED NotificationsSubscriptionsAcknowledged
        "notifications/subscriptions/acknowledged",
    /// Tasks extension: the state of a task, on a listen stream.
    NOTIFICATIONS_TASKS NotificationsTasks "notifications/tasks",

    /// Handshake revisions: the first request of a connection.
    INITIALIZE Initialize "initialize",
    /// Handshake revisions: is the peer there.
    PING Ping "ping",
    /// Handshake revisions: the least severe log message that the client wants.
    LOGGING_SET_LEVEL LoggingSetLevel "logging/setLevel",
    /// Handshake revisions: watch a resource.
    RESOURCES_SUBSCRIBE ResourcesSubscribe "resources/subscribe",
    /// Handshake revisions: watch it no longer.
    RESOURCES_UNSUBSCRIBE ResourcesUnsubscribe "resources/unsubscribe",
    /// 2025-11-25: the result of a task, once there is one.
    TASKS_RESULT TasksResult "tasks/result",
    /// 2025-11-25: the tasks of the session.
    TASKS_LIST TasksList "tasks/list",
    /// Handshake revisions: the handshake is over.
    NOTIFICATIONS_INITIALIZED NotificationsInitialized "notifications/initialized",
    /// Handshake revisions: the client's roots are others.
    NOTIFICATIONS_ROOTS_LIST_CHANGED NotificationsRootsListChanged
        "notifications/roots/list_changed",
    /// 2025-11-25: what the user was sent to an address for is done.
    NOTIFICATIONS_ELICITATION_COMPLETE NotificationsElicitationComplete
        "notifications/elicitation/complete",
    /// 2025-11-25: the state of a task.
    NOTIFICATIONS_TASKS_STATUS NotificationsTasksStatus "notifications/tasks/status",
}

/// What the name of every notification begins with.
pub const NOTIFICATION_PREFIX: &str = "notifications/";

impl Method {
    /// Whether this is a notification.
    #[must_use]
    pub fn is_notification(self) -> bool {
        self.as_str().starts_with(NOTIFICATION_PREFIX)
    }

    /// The parameter that names what the method acts on, which `Mcp-Name` repeats over HTTP.
    #[must_use]
    pub const fn target_param(self) -> Option<Param> {
        match self {
            Self::ToolsCall | Self::PromptsGet => Some(Param::Name),
            Self::ResourcesRead => Some(Param::Uri),
            Self::TasksGet | Self::TasksUpdate | Self::TasksCancel | Self::TasksResult => {
                Some(Param::TaskId)
            }
            _ => None,
        }
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
