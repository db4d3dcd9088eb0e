//! Every official example is read into its type and written again as the same JSON.

use std::collections::BTreeSet;
use std::fs;

use aqueduct_protocol::cancellation::*;
use aqueduct_protocol::capabilities::*;
use aqueduct_protocol::completion::*;
use aqueduct_protocol::content::*;
use aqueduct_protocol::discover::*;
use aqueduct_protocol::elicitation::*;
use aqueduct_protocol::errors::*;
use aqueduct_protocol::input::*;
use aqueduct_protocol::logging::*;
use aqueduct_protocol::pagination::*;
use aqueduct_protocol::progress::*;
use aqueduct_protocol::prompts::*;
use aqueduct_protocol::resources::*;
use aqueduct_protocol::roots::*;
use aqueduct_protocol::sampling::*;
use aqueduct_protocol::subscriptions::*;
use aqueduct_protocol::tools::*;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::shared::revision;

type Rewrite = fn(&str) -> Result<Value, serde_json::Error>;

fn rewrite<T: Serialize + DeserializeOwned>(text: &str) -> Result<Value, serde_json::Error> {
    serde_json::to_value(serde_json::from_str::<T>(text)?)
}

macro_rules! types {
    ($($type:ident),+ $(,)?) => { vec![$((stringify!($type), rewrite::<$type> as Rewrite)),+] };
}

fn types() -> Vec<(&'static str, Rewrite)> {
    let mut types = types![
        AudioContent,
        BlobResourceContents,
        BooleanSchema,
        CallToolRequest,
        CallToolRequestParams,
        CallToolResult,
        CallToolResultResponse,
        CancelledNotification,
        CancelledNotificationParams,
        ClientCapabilities,
        CompleteRequest,
        CompleteRequestParams,
        CompleteResult,
        CompleteResultResponse,
        CreateMessageRequest,
        CreateMessageRequestParams,
        CreateMessageResult,
        DiscoverRequest,
        DiscoverResult,
        DiscoverResultResponse,
        ElicitRequest,
        ElicitRequestFormParams,
        ElicitResult,
        EmbeddedResource,
        GetPromptRequest,
        GetPromptRequestParams,
        GetPromptResult,
        GetPromptResultResponse,
        HeaderMismatchError,
        ImageContent,
        InputRequests,
        InputRequiredResult,
        InputResponses,
        InternalError,
        InvalidParamsError,
        ListPromptsRequest,
        ListPromptsResult,
        ListPromptsResultResponse,
        ListResourceTemplatesRequest,
        ListResourceTemplatesResult,
        ListResourceTemplatesResultResponse,
        ListResourcesRequest,
        ListResourcesResult,
        ListResourcesResultResponse,
        ListRootsRequest,
        ListRootsResult,
        ListToolsRequest,
        ListToolsResult,
        ListToolsResultResponse,
        LoggingMessageNotification,
        LoggingMessageNotificationParams,
        MethodNotFoundError,
        MissingRequiredClientCapabilityError,
        ModelPreferences,
        NumberSchema,
        PaginatedRequestParams,
        ParseError,
        ProgressNotification,
        ProgressNotificationParams,
        PromptListChangedNotification,
        ReadResourceRequest,
        ReadResourceResult,
        ReadResourceResultResponse,
        Resource,
        ResourceLink,
        ResourceListChangedNotification,
        ResourceUpdatedNotification,
        ResourceUpdatedNotificationParams,
        Root,
        SamplingMessage,
        ServerCapabilities,
        StringSchema,
        SubscriptionsAcknowledgedNotification,
        SubscriptionsListenRequest,
        SubscriptionsListenResult,
        SubscriptionsListenResultResponse,
        TextContent,
        TextResourceContents,
        TitledMultiSelectEnumSchema,
        TitledSingleSelectEnumSchema,
        Tool,
        ToolListChangedNotification,
        ToolResultContent,
        ToolUseContent,
        UnsupportedProtocolVersionError,
        UntitledMultiSelectEnumSchema,
        UntitledSingleSelectEnumSchema,
    ];
    types.push(("ElicitRequestURLParams", rewrite::<ElicitRequestUrlParams>));
    types
}

/// What an example says and we do not say again, each for a reason.
fn normalise(folder: &str, example: &mut Value) {
    if folder == "ListRootsRequest" {
        // The example still has the id of the revisions in which it was a request of its own; the
        // schema has none.
        example.as_object_mut().unwrap().remove("id");
    }
    if folder == "ReadResourceResultResponse" {
        // The example leaves out two members that the schema requires; we always write them.
        let result = example["result"].as_object_mut().unwrap();
        result.entry("ttlMs").or_insert(0.into());
        result.entry("cacheScope").or_insert("private".into());
    }
}

#[test]
fn every_official_example_survives() {
    let Some(revision) = revision() else { return };
    let types = types();
    let (mut faults, mut seen, mut count) = (Vec::new(), BTreeSet::new(), 0);
    for folder in fs::read_dir(revision.join("examples")).unwrap() {
        let folder = folder.unwrap();
        let name = folder.file_name().into_string().unwrap();
        let Some((_, rewrite)) = types.iter().find(|(known, _)| *known == name) else {
            faults.push(format!("{name}: no type"));
            continue;
        };
        for file in fs::read_dir(folder.path()).unwrap() {
            let path = file.unwrap().path();
            let text = fs::read_to_string(&path).unwrap();
            let mut example: Value = serde_json::from_str(&text).unwrap();
            normalise(&name, &mut example);
            match rewrite(&text) {
                Ok(written) if written == example => {}
                Ok(written) => faults.push(format!("{}:\n{written}\n{example}", path.display())),
                Err(error) => faults.push(format!("{}: {error}", path.display())),
            }
            count += 1;
        }
        seen.insert(name);
    }
    assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), faults.join("\n"));
    let unused: Vec<_> = types.iter().filter(|(name, _)| !seen.contains(*name)).collect();
    assert!(unused.is_empty() && count >= seen.len(), "no example for {unused:?}");
}
