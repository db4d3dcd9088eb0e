//! A value for every definition of the schema, each optional member filled.

use std::collections::BTreeMap;
use std::fmt::Debug;

use aqueduct_protocol::base64;
use aqueduct_protocol::cache::{CacheHint, CacheScope};
use aqueduct_protocol::cancellation::*;
use aqueduct_protocol::capabilities::*;
use aqueduct_protocol::completion::*;
use aqueduct_protocol::content::*;
use aqueduct_protocol::discover::*;
use aqueduct_protocol::elicitation::*;
use aqueduct_protocol::errors::*;
use aqueduct_protocol::icons::*;
use aqueduct_protocol::input::*;
use aqueduct_protocol::jsonrpc::*;
use aqueduct_protocol::logging::*;
use aqueduct_protocol::meta::{Meta, RequestMeta, SERVER_INFO};
use aqueduct_protocol::pagination::*;
use aqueduct_protocol::params::*;
use aqueduct_protocol::progress::*;
use aqueduct_protocol::prompts::*;
use aqueduct_protocol::resources::*;
use aqueduct_protocol::result::*;
use aqueduct_protocol::roots::*;
use aqueduct_protocol::sampling::*;
use aqueduct_protocol::subscriptions::*;
use aqueduct_protocol::tools::*;
use aqueduct_protocol::version::ProtocolVersion;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

/// What stands for a definition.
pub(crate) enum Entry {
    /// A value that has all of its members.
    Full(Value),
    /// A value of a type built upon it; the definition itself is never sent.
    Base(Value),
    /// A value for each of its alternatives.
    Union(Vec<Value>),
}

/// The value's JSON, after it came back from text and from `Value` as it was.
fn json_of<T: Serialize + DeserializeOwned + PartialEq + Debug>(value: &T) -> Value {
    let text = serde_json::to_string(value).unwrap();
    let back: T = serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}"));
    assert_eq!(&back, value, "{text}");
    let json = serde_json::to_value(value).unwrap();
    let back: T = serde_json::from_value(json.clone()).unwrap();
    assert_eq!(serde_json::to_value(&back).unwrap(), json);
    json
}

fn full<T: Serialize + DeserializeOwned + PartialEq + Debug>(value: &T) -> Entry {
    Entry::Full(json_of(value))
}

fn base<T: Serialize + DeserializeOwned + PartialEq + Debug>(value: &T) -> Entry {
    Entry::Base(json_of(value))
}

macro_rules! union {
    ($($value:expr),+ $(,)?) => { Entry::Union(vec![$(json_of(&$value)),+]) };
}

fn object(value: Value) -> JsonObject {
    let Value::Object(object) = value else { panic!("not an object") };
    object
}

fn raw(value: &Value) -> RawJson {
    RawJson::from(value)
}

fn meta() -> Meta {
    let mut meta = Meta::new();
    meta.insert("com.example/a", &1).unwrap();
    meta
}

fn result_meta() -> Meta {
    let mut meta = Meta::new();
    meta.insert_reserved(SERVER_INFO, &implementation()).unwrap();
    meta
}

fn stream_meta() -> Meta {
    subscription_meta(&RequestId::from("listen-1"))
}

fn request_meta() -> RequestMeta {
    RequestMeta::new("2026-07-28", client_capabilities())
        .client_info(implementation())
        .log_level(LoggingLevel::Info)
        .progress_token(7)
}

fn icon() -> Icon {
    Icon::new("https://example.com/i.png")
        .mime_type("image/png")
        .sizes(vec!["48x48".to_owned()])
        .theme(IconTheme::Dark)
}

fn implementation() -> Implementation {
    Implementation::new("name", "1.0.0")
        .title("Title")
        .description("What it is for")
        .icons(vec![icon()])
        .website_url("https://example.com")
}

fn settings() -> BTreeMap<String, JsonObject> {
    BTreeMap::from([("com.example/x".to_owned(), JsonObject::new())])
}

fn client_capabilities() -> ClientCapabilities {
    ClientCapabilities::new()
        .experimental(settings())
        .roots(RootsCapability::new())
        .sampling(SamplingCapability::new().context(JsonObject::new()).tools(JsonObject::new()))
        .elicitation(ElicitationCapability::new().form(JsonObject::new()).url(JsonObject::new()))
        .extensions(settings())
}

fn server_capabilities() -> ServerCapabilities {
    ServerCapabilities::new()
        .experimental(settings())
        .logging(JsonObject::new())
        .completions(JsonObject::new())
        .prompts(PromptsCapability::new().list_changed(true))
        .resources(ResourcesCapability::new().subscribe(true).list_changed(true))
        .tools(ToolsCapability::new().list_changed(true))
        .extensions(settings())
}

fn annotations() -> Annotations {
    Annotations::new()
        .audience(vec![Role::User, Role::Assistant])
        .priority(Priority::new(0.5).unwrap())
        .last_modified("2026-07-28T00:00:00Z")
}

fn text() -> TextContent {
    TextContent::new("text").annotations(annotations()).meta(meta())
}

fn image() -> ImageContent {
    ImageContent::new(base64::encode(b"x"), "image/png").annotations(annotations()).meta(meta())
}

fn audio() -> AudioContent {
    AudioContent::new(base64::encode(b"x"), "audio/wav").annotations(annotations()).meta(meta())
}

fn resource() -> Resource {
    Resource::new("notes://x", "x")
        .title("X")
        .description("What it is")
        .mime_type("text/plain")
        .size(3)
        .icons(vec![icon()])
        .annotations(annotations())
        .meta(meta())
}

fn template() -> ResourceTemplate {
    ResourceTemplate::new("notes://{name}", "notes")
        .title("Notes")
        .description("What they are")
        .mime_type("text/plain")
        .icons(vec![icon()])
        .annotations(annotations())
        .meta(meta())
}

fn text_contents() -> TextResourceContents {
    TextResourceContents::new("notes://x", "text").mime_type("text/plain").meta(meta())
}

fn blob_contents() -> BlobResourceContents {
    BlobResourceContents::new("img://x", base64::encode(b"x")).mime_type("image/png").meta(meta())
}

fn embedded() -> EmbeddedResource {
    EmbeddedResource::new(text_contents().into()).annotations(annotations()).meta(meta())
}

fn tool() -> Tool {
    let schema =
        json!({ "$schema": "https://json-schema.org/draft/2020-12/schema", "type": "object" });
    Tool::new("echo", raw(&schema))
        .title("Echo")
        .description("Says it again")
        .icons(vec![icon()])
        .output_schema(raw(&schema))
        .annotations(tool_annotations())
        .meta(meta())
}

fn tool_annotations() -> ToolAnnotations {
    ToolAnnotations::new()
        .title("Echo")
        .read_only_hint(true)
        .destructive_hint(false)
        .idempotent_hint(true)
        .open_world_hint(false)
}

fn tool_use() -> ToolUseContent {
    ToolUseContent::new("call", "echo", object(json!({ "a": 1 }))).meta(meta())
}

fn tool_result() -> ToolResultContent {
    ToolResultContent::new("call", vec![text().into()])
        .structured_content(raw(&Value::Null))
        .is_error(false)
        .meta(meta())
}

fn prompt_argument() -> PromptArgument {
    PromptArgument::new("code").title("Code").description("What to review").required(true)
}

fn prompt() -> Prompt {
    Prompt::new("review")
        .title("Review")
        .description("What it is for")
        .arguments(vec![prompt_argument()])
        .icons(vec![icon()])
        .meta(meta())
}

fn option() -> EnumOption {
    EnumOption::new("a", "A")
}

fn string_schema() -> StringSchema {
    StringSchema::new()
        .title("T")
        .description("D")
        .min_length(1)
        .max_length(9)
        .format(StringFormat::DateTime)
        .default("d")
}

fn number_schema() -> NumberSchema {
    NumberSchema::number().title("T").description("D").minimum(0.0).maximum(9.5).default(1.0)
}

fn boolean_schema() -> BooleanSchema {
    BooleanSchema::new().title("T").description("D").default(true)
}

fn untitled_single() -> UntitledSingleSelectEnumSchema {
    UntitledSingleSelectEnumSchema::new(vec!["a".to_owned()])
        .title("T")
        .description("D")
        .default("a")
}

fn titled_single() -> TitledSingleSelectEnumSchema {
    TitledSingleSelectEnumSchema::new(vec![option()]).title("T").description("D").default("a")
}

fn untitled_multi() -> UntitledMultiSelectEnumSchema {
    UntitledMultiSelectEnumSchema::new(UntitledItems::new(vec!["a".to_owned()]))
        .title("T")
        .description("D")
        .min_items(0)
        .max_items(1)
        .default(vec!["a".to_owned()])
}

fn titled_multi() -> TitledMultiSelectEnumSchema {
    TitledMultiSelectEnumSchema::new(TitledItems::new(vec![option()]))
        .title("T")
        .description("D")
        .min_items(0)
        .max_items(1)
        .default(vec!["a".to_owned()])
}

fn legacy_enum() -> LegacyTitledEnumSchema {
    LegacyTitledEnumSchema::new(vec!["a".to_owned()])
        .title("T")
        .description("D")
        .enum_names(vec!["A".to_owned()])
        .default("a")
}

fn form() -> ElicitRequestFormParams {
    let fields = RequestedSchema::new(Properties::new())
        .schema("https://json-schema.org/draft/2020-12/schema")
        .field("name", string_schema())
        .optional("age", number_schema());
    ElicitRequestFormParams::new("Who are you?", fields).mode(FormMode::Form)
}

fn url() -> ElicitRequestUrlParams {
    ElicitRequestUrlParams::new("Sign in", "https://example.com/sign-in")
}

fn elicit() -> ElicitRequest {
    ElicitRequest::new(ElicitRequestParams::Form(form()))
}

fn elicit_result() -> ElicitResult {
    ElicitResult::accept(object(json!({ "a": "x", "b": 1, "c": true, "d": ["y"] })))
}

fn sampling_message() -> SamplingMessage {
    SamplingMessage::user("hello").meta(meta())
}

fn model_preferences() -> ModelPreferences {
    ModelPreferences::new()
        .hints(vec![ModelHint::new().name("small")])
        .cost_priority(Priority::new(0.0).unwrap())
        .speed_priority(Priority::new(1.0).unwrap())
        .intelligence_priority(Priority::new(0.25).unwrap())
}

fn create_message_params() -> CreateMessageRequestParams {
    CreateMessageRequestParams::new(vec![sampling_message()], 100)
        .model_preferences(model_preferences())
        .system_prompt("Be short")
        .include_context(IncludeContext::ThisServer)
        .temperature(0.5)
        .stop_sequences(vec!["end".to_owned()])
        .metadata(object(json!({ "a": 1 })))
        .tools(vec![tool()])
        .tool_choice(ToolChoice::new().mode(ToolChoiceMode::Auto))
}

fn create_message_result() -> CreateMessageResult {
    let said = SamplingMessageContentBlock::Text(text());
    CreateMessageResult::new(Role::Assistant, said.into(), "model")
        .stop_reason("endTurn")
        .meta(meta())
}

fn list_roots() -> ListRootsRequest {
    ListRootsRequest::new().params(NotificationParams::new().meta(meta()))
}

fn list_roots_result() -> ListRootsResult {
    ListRootsResult::new(vec![Root::new("file:///a").name("A").meta(meta())])
}

fn input_requests() -> InputRequests {
    BTreeMap::from([
        ("who".to_owned(), elicit().into()),
        ("what".to_owned(), CreateMessageRequest::new(create_message_params()).into()),
        ("where".to_owned(), list_roots().into()),
    ])
}

fn input_responses() -> InputResponses {
    BTreeMap::from([
        ("who".to_owned(), InputResponse::new(&elicit_result()).unwrap()),
        ("what".to_owned(), InputResponse::new(&create_message_result()).unwrap()),
        ("where".to_owned(), InputResponse::new(&list_roots_result()).unwrap()),
    ])
}

fn input_required() -> InputRequiredResult {
    InputRequiredResult::asking(input_requests()).request_state("sealed").meta(result_meta())
}

fn filter() -> SubscriptionFilter {
    SubscriptionFilter::new()
        .tools_list_changed(true)
        .prompts_list_changed(true)
        .resources_list_changed(true)
        .resource_subscriptions(vec!["notes://x".to_owned()])
}

fn request_params() -> RequestParams {
    RequestParams::new(request_meta())
}

fn page_params() -> PaginatedRequestParams {
    PaginatedRequestParams::new(request_meta()).cursor("2")
}

fn call_params() -> CallToolRequestParams {
    CallToolRequestParams::new(request_meta(), "echo")
        .arguments(object(json!({ "text": "x" })))
        .input_responses(input_responses())
        .request_state("sealed")
}

fn read_params() -> ReadResourceRequestParams {
    ReadResourceRequestParams::new(request_meta(), "notes://x")
        .input_responses(input_responses())
        .request_state("sealed")
}

fn prompt_params() -> GetPromptRequestParams {
    GetPromptRequestParams::new(request_meta(), "review")
        .arguments(BTreeMap::from([("code".to_owned(), "x".to_owned())]))
        .input_responses(input_responses())
        .request_state("sealed")
}

fn complete_params() -> CompleteRequestParams {
    let prompt = PromptReference::new("review").title("Review");
    CompleteRequestParams::new(
        request_meta(),
        CompletionReference::Prompt(prompt),
        CompletionArgument::new("lang", "ru"),
    )
    .context(CompletionContext::new().arguments(BTreeMap::from([("a".to_owned(), "b".to_owned())])))
}

fn listen_params() -> SubscriptionsListenRequestParams {
    SubscriptionsListenRequestParams::new(request_meta(), filter())
}

fn discover_result() -> DiscoverResult {
    DiscoverResult::of(&implementation(), ProtocolVersion::ALL, server_capabilities())
        .instructions("Use it well")
        .cache(CacheHint::public(1_000))
}

fn tools() -> ListToolsResult {
    ListToolsResult::new(vec![tool()])
        .next_cursor("2")
        .ttl_ms(1)
        .cache_scope(CacheScope::Public)
        .meta(result_meta())
}

fn resources() -> ListResourcesResult {
    ListResourcesResult::new(vec![resource()]).next_cursor("2").meta(result_meta())
}

fn templates() -> ListResourceTemplatesResult {
    ListResourceTemplatesResult::new(vec![template()]).next_cursor("2").meta(result_meta())
}

fn prompts() -> ListPromptsResult {
    ListPromptsResult::new(vec![prompt()]).next_cursor("2").meta(result_meta())
}

fn call_result() -> CallToolResult {
    CallToolResult::new(vec![
        text().into(),
        image().into(),
        audio().into(),
        ContentBlock::link(resource()),
        embedded().into(),
    ])
    .structured_content(raw(&Value::Null))
    .is_error(false)
    .meta(result_meta())
}

fn read_result() -> ReadResourceResult {
    ReadResourceResult::contents(vec![text_contents().into(), blob_contents().into()])
        .cache(CacheHint::private(5))
        .meta(result_meta())
}

fn prompt_result() -> GetPromptResult {
    GetPromptResult::new(vec![PromptMessage::user(text()), PromptMessage::assistant("done")])
        .description("A review")
        .meta(result_meta())
}

fn complete_result() -> CompleteResult {
    CompleteResult::of(["rust"]).meta(result_meta())
}

fn listen_result() -> SubscriptionsListenResult {
    let mut meta = stream_meta();
    meta.insert_reserved(SERVER_INFO, &implementation()).unwrap();
    SubscriptionsListenResult::new().meta(meta)
}

fn empty_result() -> EmptyResult {
    EmptyResult::new().meta(result_meta())
}

fn error() -> Error {
    Error::new(1, "wrong").data(raw(&Value::Null))
}

fn cancelled() -> CancelledNotification {
    let params = CancelledNotificationParams::new(RequestId::from(1));
    CancelledNotification::new(params.reason("enough").meta(stream_meta()))
}

fn progress() -> ProgressNotification {
    let params = ProgressNotificationParams::new(RequestId::from("t"), 0.5);
    ProgressNotification::new(params.total(2.0).message("half").meta(stream_meta()))
}

fn log() -> LoggingMessageNotification {
    let params =
        LoggingMessageNotificationParams::new(LoggingLevel::Error, raw(&json!({ "a": 1 })));
    LoggingMessageNotification::new(params.logger("db").meta(stream_meta()))
}

fn updated() -> ResourceUpdatedNotification {
    let params = ResourceUpdatedNotificationParams::new("notes://x");
    ResourceUpdatedNotification::new(params.meta(stream_meta()))
}

fn acknowledged() -> SubscriptionsAcknowledgedNotification {
    SubscriptionsAcknowledgedNotification::new(SubscriptionsAcknowledgedNotificationParams::of(
        &RequestId::from("listen-1"),
        filter(),
    ))
}

fn stream_params() -> NotificationParams {
    NotificationParams::new().meta(stream_meta())
}

/// The table.
pub(crate) fn table() -> Vec<(&'static str, Entry)> {
    [envelopes(), requests(), results(), notifications(), things(), forms()]
        .into_iter()
        .flatten()
        .collect()
}

fn envelopes() -> Vec<(&'static str, Entry)> {
    let any = || Some(object(json!({ "a": 1 })));
    let request = || JsonRpcRequest::new(1, "tools/list", any());
    let notification = || JsonRpcNotification::new("notifications/x", any());
    let result =
        || JsonRpcResultResponse::new(1, object(json!({ "resultType": "complete", "a": 1 })));
    let failure = || JsonRpcErrorResponse::new(error()).id(RequestId::from(1));
    let supported = UnsupportedProtocolVersionData::new(vec!["2026-07-28".to_owned()], "1900");
    let needed = MissingRequiredClientCapabilityData::new(client_capabilities());
    let id = || Some(RequestId::from(1));
    vec![
        ("JSONValue", union!(json!({ "a": "x" }), json!([1]), json!("x"), json!(1), json!(true))),
        ("JSONObject", full(&object(json!({ "a": "x" })))),
        ("JSONArray", full(&vec![json!(1)])),
        ("RequestId", union!(RequestId::from(1), RequestId::from("1"))),
        ("ProgressToken", union!(ProgressToken::from(1), ProgressToken::from("1"))),
        ("Cursor", full(&Cursor::from("2"))),
        ("Request", full(&Request::new("tools/list").params(any().unwrap()))),
        ("Notification", full(&Notification::new("notifications/x").params(any().unwrap()))),
        ("JSONRPCRequest", full(&request())),
        ("JSONRPCNotification", full(&notification())),
        ("JSONRPCResultResponse", full(&result())),
        ("JSONRPCErrorResponse", full(&failure())),
        (
            "JSONRPCResponse",
            union!(JsonRpcResponse::Result(result()), JsonRpcResponse::Error(failure())),
        ),
        (
            "JSONRPCMessage",
            union!(
                JsonRpcMessage::Request(request()),
                JsonRpcMessage::Notification(notification()),
                JsonRpcMessage::Response(JsonRpcResponse::Result(result())),
                JsonRpcMessage::Response(JsonRpcResponse::Error(failure())),
            ),
        ),
        ("Error", full(&error())),
        ("ParseError", full(&ParseError::new("m").data(raw(&json!(1))))),
        ("InvalidRequestError", full(&InvalidRequestError::new("m").data(raw(&json!(1))))),
        ("MethodNotFoundError", full(&MethodNotFoundError::new("m").data(raw(&json!(1))))),
        ("InvalidParamsError", full(&InvalidParamsError::new("m").data(raw(&json!(1))))),
        ("InternalError", full(&InternalError::new("m").data(raw(&json!(1))))),
        ("HeaderMismatchError", full(&HeaderMismatchError::new(id(), "m", Some(raw(&json!(1)))))),
        (
            "MissingRequiredClientCapabilityError",
            full(&MissingRequiredClientCapabilityError::new(id(), "m", needed)),
        ),
        (
            "UnsupportedProtocolVersionError",
            full(&UnsupportedProtocolVersionError::new(id(), "m", supported)),
        ),
    ]
}

fn requests() -> Vec<(&'static str, Entry)> {
    vec![
        ("RequestMetaObject", full(&request_meta())),
        ("RequestParams", full(&request_params())),
        ("PaginatedRequestParams", full(&page_params())),
        ("PaginatedRequest", full(&PaginatedRequest::new(1, "tools/list", Some(page_params())))),
        ("ResourceRequestParams", base(&read_params())),
        ("InputResponseRequestParams", base(&read_params())),
        ("CallToolRequestParams", full(&call_params())),
        ("ReadResourceRequestParams", full(&read_params())),
        ("GetPromptRequestParams", full(&prompt_params())),
        ("CompleteRequestParams", full(&complete_params())),
        ("SubscriptionsListenRequestParams", full(&listen_params())),
        ("DiscoverRequest", full(&DiscoverRequest::new(1, request_params()))),
        ("ListToolsRequest", full(&ListToolsRequest::new(1, page_params()))),
        ("CallToolRequest", full(&CallToolRequest::new(1, call_params()))),
        ("ListResourcesRequest", full(&ListResourcesRequest::new(1, page_params()))),
        (
            "ListResourceTemplatesRequest",
            full(&ListResourceTemplatesRequest::new(1, page_params())),
        ),
        ("ReadResourceRequest", full(&ReadResourceRequest::new(1, read_params()))),
        ("ListPromptsRequest", full(&ListPromptsRequest::new(1, page_params()))),
        ("GetPromptRequest", full(&GetPromptRequest::new(1, prompt_params()))),
        ("CompleteRequest", full(&CompleteRequest::new(1, complete_params()))),
        ("SubscriptionsListenRequest", full(&SubscriptionsListenRequest::new(1, listen_params()))),
        (
            "ClientRequest",
            union!(
                ClientRequest::from(DiscoverRequest::new(1, request_params())),
                ClientRequest::from(ListToolsRequest::new(1, page_params())),
                ClientRequest::from(CallToolRequest::new(1, call_params())),
                ClientRequest::from(ListResourcesRequest::new(1, page_params())),
                ClientRequest::from(ListResourceTemplatesRequest::new(1, page_params())),
                ClientRequest::from(ReadResourceRequest::new(1, read_params())),
                ClientRequest::from(ListPromptsRequest::new(1, page_params())),
                ClientRequest::from(GetPromptRequest::new(1, prompt_params())),
                ClientRequest::from(CompleteRequest::new(1, complete_params())),
                ClientRequest::from(SubscriptionsListenRequest::new(1, listen_params())),
            ),
        ),
    ]
}

fn results() -> Vec<(&'static str, Entry)> {
    vec![
        (
            "ResultType",
            union!(
                ResultType::Complete,
                ResultType::InputRequired,
                ResultType::Task,
                ResultType::Other("x".to_owned()),
            ),
        ),
        ("ResultMetaObject", full(&result_meta())),
        ("Result", full(&empty_result())),
        ("EmptyResult", full(&empty_result())),
        ("ClientResult", full(&ClientResult::new().meta(result_meta()))),
        ("PaginatedResult", base(&tools())),
        ("CacheableResult", base(&tools())),
        ("InputRequiredResult", full(&input_required())),
        ("DiscoverResult", full(&discover_result())),
        ("DiscoverResultResponse", full(&DiscoverResultResponse::new(1, discover_result()))),
        ("ListToolsResult", full(&tools())),
        ("ListToolsResultResponse", full(&ListToolsResultResponse::new(1, tools()))),
        ("ListResourcesResult", full(&resources())),
        ("ListResourcesResultResponse", full(&ListResourcesResultResponse::new(1, resources()))),
        ("ListResourceTemplatesResult", full(&templates())),
        (
            "ListResourceTemplatesResultResponse",
            full(&ListResourceTemplatesResultResponse::new(1, templates())),
        ),
        ("ListPromptsResult", full(&prompts())),
        ("ListPromptsResultResponse", full(&ListPromptsResultResponse::new(1, prompts()))),
        ("CallToolResult", full(&call_result())),
        (
            "CallToolResultResponse",
            union!(
                CallToolResultResponse::new(1, Outcome::Complete(call_result())),
                CallToolResultResponse::new(1, input_required().into()),
            ),
        ),
        ("ReadResourceResult", full(&read_result())),
        (
            "ReadResourceResultResponse",
            union!(
                ReadResourceResultResponse::new(1, Outcome::Complete(read_result())),
                ReadResourceResultResponse::new(1, input_required().into()),
            ),
        ),
        ("GetPromptResult", full(&prompt_result())),
        (
            "GetPromptResultResponse",
            union!(
                GetPromptResultResponse::new(1, Outcome::Complete(prompt_result())),
                GetPromptResultResponse::new(1, input_required().into()),
            ),
        ),
        ("CompleteResult", full(&complete_result())),
        ("CompleteResultResponse", full(&CompleteResultResponse::new(1, complete_result()))),
        ("SubscriptionsListenResultMetaObject", full(listen_result().meta.as_ref().unwrap())),
        ("SubscriptionsListenResult", full(&listen_result())),
        (
            "SubscriptionsListenResultResponse",
            full(&SubscriptionsListenResultResponse::new(1, listen_result())),
        ),
        (
            "ServerResult",
            union!(
                empty_result(),
                input_required(),
                discover_result(),
                tools(),
                call_result(),
                resources(),
                templates(),
                read_result(),
                prompts(),
                prompt_result(),
                complete_result(),
                listen_result(),
            ),
        ),
    ]
}

fn notifications() -> Vec<(&'static str, Entry)> {
    let tools = || ToolListChangedNotification::new(Some(stream_params()));
    let prompts = || PromptListChangedNotification::new(Some(stream_params()));
    let resources = || ResourceListChangedNotification::new(Some(stream_params()));
    vec![
        ("NotificationMetaObject", full(&stream_meta())),
        ("NotificationParams", full(&stream_params())),
        ("CancelledNotificationParams", full(&cancelled().params)),
        ("CancelledNotification", full(&cancelled())),
        ("ClientNotification", full(&ClientNotification::new(cancelled().params))),
        ("ProgressNotificationParams", full(&progress().params)),
        ("ProgressNotification", full(&progress())),
        ("LoggingMessageNotificationParams", full(&log().params)),
        ("LoggingMessageNotification", full(&log())),
        ("ResourceUpdatedNotificationParams", full(&updated().params)),
        ("ResourceUpdatedNotification", full(&updated())),
        ("ToolListChangedNotification", full(&tools())),
        ("PromptListChangedNotification", full(&prompts())),
        ("ResourceListChangedNotification", full(&resources())),
        ("SubscriptionsAcknowledgedNotificationParams", full(&acknowledged().params)),
        ("SubscriptionsAcknowledgedNotification", full(&acknowledged())),
        (
            "ServerNotification",
            union!(
                ServerNotification::from(cancelled()),
                ServerNotification::from(progress()),
                ServerNotification::from(log()),
                ServerNotification::from(updated()),
                ServerNotification::from(tools()),
                ServerNotification::from(prompts()),
                ServerNotification::from(resources()),
                ServerNotification::from(acknowledged()),
            ),
        ),
    ]
}

fn things() -> Vec<(&'static str, Entry)> {
    let link = || ResourceLink::from(resource());
    vec![
        ("MetaObject", full(&meta())),
        ("BaseMetadata", base(&implementation())),
        ("Icons", base(&implementation())),
        ("Icon", full(&icon())),
        ("Implementation", full(&implementation())),
        ("ClientCapabilities", full(&client_capabilities())),
        ("ServerCapabilities", full(&server_capabilities())),
        ("Role", union!(Role::User, Role::Assistant)),
        ("Annotations", full(&annotations())),
        ("TextContent", full(&text())),
        ("ImageContent", full(&image())),
        ("AudioContent", full(&audio())),
        ("ResourceLink", full(&link())),
        ("EmbeddedResource", full(&embedded())),
        (
            "ContentBlock",
            union!(
                ContentBlock::from(text()),
                ContentBlock::from(image()),
                ContentBlock::from(audio()),
                ContentBlock::from(link()),
                ContentBlock::from(embedded()),
            ),
        ),
        ("Tool", full(&tool())),
        ("ToolAnnotations", full(&tool_annotations())),
        ("Resource", full(&resource())),
        ("ResourceTemplate", full(&template())),
        ("ResourceContents", base(&ResourceContents::from(text_contents()))),
        ("TextResourceContents", full(&text_contents())),
        ("BlobResourceContents", full(&blob_contents())),
        ("Prompt", full(&prompt())),
        ("PromptArgument", full(&prompt_argument())),
        ("PromptMessage", full(&PromptMessage::assistant(image()))),
        ("PromptReference", full(&PromptReference::new("review").title("Review"))),
        ("ResourceTemplateReference", full(&ResourceTemplateReference::new("notes://{name}"))),
        (
            "LoggingLevel",
            union!(
                LoggingLevel::Debug,
                LoggingLevel::Info,
                LoggingLevel::Notice,
                LoggingLevel::Warning,
                LoggingLevel::Error,
                LoggingLevel::Critical,
                LoggingLevel::Alert,
                LoggingLevel::Emergency,
            ),
        ),
        ("SubscriptionFilter", full(&filter())),
    ]
}

fn forms() -> Vec<(&'static str, Entry)> {
    let create = || CreateMessageRequest::new(create_message_params());
    let many = vec![SamplingMessageContentBlock::ToolUse(tool_use())];
    vec![
        (
            "InputRequest",
            union!(
                InputRequest::from(elicit()),
                InputRequest::from(create()),
                InputRequest::from(list_roots()),
            ),
        ),
        ("InputRequests", full(&input_requests())),
        (
            "InputResponse",
            union!(
                InputResponse::new(&elicit_result()).unwrap(),
                InputResponse::new(&create_message_result()).unwrap(),
                InputResponse::new(&list_roots_result()).unwrap(),
            ),
        ),
        ("InputResponses", full(&input_responses())),
        ("ElicitRequest", full(&elicit())),
        (
            "ElicitRequestParams",
            union!(ElicitRequestParams::Form(form()), ElicitRequestParams::Url(url()),),
        ),
        ("ElicitRequestFormParams", full(&form())),
        ("ElicitRequestURLParams", full(&url())),
        ("ElicitResult", full(&elicit_result())),
        (
            "PrimitiveSchemaDefinition",
            union!(
                PrimitiveSchemaDefinition::from(string_schema()),
                PrimitiveSchemaDefinition::from(number_schema()),
                PrimitiveSchemaDefinition::from(boolean_schema()),
                PrimitiveSchemaDefinition::from(untitled_single()),
                PrimitiveSchemaDefinition::from(titled_single()),
                PrimitiveSchemaDefinition::from(untitled_multi()),
                PrimitiveSchemaDefinition::from(titled_multi()),
                PrimitiveSchemaDefinition::from(legacy_enum()),
            ),
        ),
        ("StringSchema", full(&string_schema())),
        ("NumberSchema", full(&number_schema())),
        ("BooleanSchema", full(&boolean_schema())),
        (
            "EnumSchema",
            union!(
                EnumSchema::SingleSelect(untitled_single().into()),
                EnumSchema::SingleSelect(titled_single().into()),
                EnumSchema::MultiSelect(untitled_multi().into()),
                EnumSchema::MultiSelect(titled_multi().into()),
                EnumSchema::Legacy(legacy_enum()),
            ),
        ),
        (
            "SingleSelectEnumSchema",
            union!(
                SingleSelectEnumSchema::from(untitled_single()),
                SingleSelectEnumSchema::from(titled_single()),
            ),
        ),
        (
            "MultiSelectEnumSchema",
            union!(
                MultiSelectEnumSchema::from(untitled_multi()),
                MultiSelectEnumSchema::from(titled_multi()),
            ),
        ),
        ("UntitledSingleSelectEnumSchema", full(&untitled_single())),
        ("TitledSingleSelectEnumSchema", full(&titled_single())),
        ("UntitledMultiSelectEnumSchema", full(&untitled_multi())),
        ("TitledMultiSelectEnumSchema", full(&titled_multi())),
        ("LegacyTitledEnumSchema", full(&legacy_enum())),
        ("CreateMessageRequest", full(&create())),
        ("CreateMessageRequestParams", full(&create_message_params())),
        ("CreateMessageResult", full(&create_message_result())),
        ("SamplingMessage", full(&SamplingMessage::assistant(many).meta(meta()))),
        (
            "SamplingMessageContentBlock",
            union!(
                SamplingMessageContentBlock::Text(text()),
                SamplingMessageContentBlock::Image(image()),
                SamplingMessageContentBlock::Audio(audio()),
                SamplingMessageContentBlock::ToolUse(tool_use()),
                SamplingMessageContentBlock::ToolResult(tool_result()),
            ),
        ),
        ("ToolUseContent", full(&tool_use())),
        ("ToolResultContent", full(&tool_result())),
        ("ToolChoice", full(&ToolChoice::new().mode(ToolChoiceMode::Required))),
        ("ModelPreferences", full(&model_preferences())),
        ("ModelHint", full(&ModelHint::new().name("small"))),
        ("ListRootsRequest", full(&list_roots())),
        ("ListRootsResult", full(&list_roots_result())),
        ("Root", full(&Root::new("file:///a").name("A").meta(meta()))),
    ]
}
