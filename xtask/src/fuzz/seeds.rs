//! Inputs that the fuzzer would need long to find: one of each shape that matters.

/// The inputs that a target begins with.
pub(super) fn of(target: &str) -> Vec<Vec<u8>> {
    let texts: &[&str] = match target {
        "gate" => GATE,
        "scan" => SCAN,
        "lines" => LINES,
        "header" => HEADER,
        "template" => TEMPLATE,
        "seal" => SEAL,
        "authority" => AUTHORITY,
        "schema" => SCHEMA,
        "events" => EVENTS,
        "dispatch" => DISPATCH,
        _ => &[],
    };
    texts.iter().map(|text| text.as_bytes().to_vec()).collect()
}

const GATE: &[&str] = &[
    "\0\n/mcp\nhost:localhost:8000\ncontent-type:application/json\naccept:application/json, text/event-stream\nmcp-protocol-version:2026-07-28\nmcp-method:tools/call\nmcp-name:add\n\n{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"add\",\"arguments\":{\"a\":1},\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\",\"io.modelcontextprotocol/clientCapabilities\":{}}}}",
    "\0\nhttp://evil/mcp\nhost:[::1]:8000\norigin:http://localhost:8000\nsec-fetch-site:cross-site\n\n",
    "\x01\n/mcp\nhost:127.0.0.1:8000\nmcp-session-id:x\nlast-event-id:1\n\n",
    "\x03\n/mcp\nhost:localhost:8000\norigin:null\naccess-control-request-method:POST\n\n",
    "\0\n/mcp\nhost:localhost:8000\ncontent-type:application/json\naccept:*/*\n\n{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\",\"params\":{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{},\"clientInfo\":{\"name\":\"x\",\"version\":\"1\"}}}",
];

const SCAN: &[&str] = &[
    "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"a\\u0041\",\"arguments\":{\"x\":[1e5,-0,null,true]},\"_meta\":{}}}",
    "{\"jsonrpc\":\"2.0\",\"id\":\"\\ud83d\\ude00\",\"method\":\"ping\"}",
    "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}",
    "{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":-1,\"message\":\"x\"}}",
    "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":1}}",
];

const LINES: &[&str] = &[
    "\x02\x05{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"add\",\"arguments\":{\"a\":1},\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\",\"io.modelcontextprotocol/clientCapabilities\":{}}}}\r\n{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"x\"}\n",
    "\0\0{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\",\"params\":{\"protocolVersion\":\"2025-06-18\",\"capabilities\":{},\"clientInfo\":{\"name\":\"x\",\"version\":\"1\"}}}\n{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}\n{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/list\"}\n",
    "\0\0{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\",\"params\":{\"protocolVersion\":\"2025-03-26\",\"capabilities\":{},\"clientInfo\":{\"name\":\"x\",\"version\":\"1\"}}}\n[{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"ping\"},{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"tools/call\",\"params\":{\"name\":\"text\",\"arguments\":{\"name\":\"y\"}}}]\n",
    "\x07\x00\n\n[]\nnot json\n",
];

const HEADER: &[&str] = &[
    "plain",
    "=?base64?SGVsbG8=?=",
    "=?base64?SGVsbG8?=",
    "=?base64?=?=",
    " spaced ",
    "gr\u{fc}\u{df}e\r\n",
    "=?base64?4pyT?=",
];

const TEMPLATE: &[&str] = &[
    "notes://{name}\nnotes://hello%20world",
    "docs://tree/{+path}\ndocs://tree/a/b/c.md",
    "tags://list{/tag*}\ntags://list/a/b/c",
    "q://x{?a,b*}{&c}\nq://x?a=1&b=2&b=3&c=4",
    "f://{a:3}{#b}\nf://abc#d%2Fe",
    "l://{.x*}{;y}\nl://.a.b;y=1",
];

const SEAL: &[&str] =
    &["v1.k.AAAA", "v1.k.", "v2.k.AAAAAAAAAAAAAAAAAAAAAAAAAAAA", "\0\x05Axyz", "\0\x20\x01"];

const AUTHORITY: &[&str] = &[
    "localhost:8000",
    "LOCALHOST.",
    "[::1]:80",
    "[0:0:0:0:0:0:0:1]",
    "127.0.0.1",
    "0x7f.1",
    "user@localhost",
    "localhost:00080",
    "[::ffff:127.0.0.1]:1",
];

const SCHEMA: &[&str] = &[
    "{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"integer\",\"minimum\":1}},\"required\":[\"a\"],\"additionalProperties\":false}\n{\"a\":0,\"b\":1}",
    "{\"anyOf\":[{\"type\":\"string\",\"pattern\":\"^(a+)+$\"},{\"$ref\":\"#/$defs/n\"}],\"$defs\":{\"n\":{\"type\":\"array\",\"items\":{\"$ref\":\"#\"}}}}\n[\"aaaa\",[\"b\"]]",
    "{\"$schema\":\"http://json-schema.org/draft-07/schema#\",\"items\":[{\"const\":1},{\"enum\":[2,3]}],\"additionalItems\":false,\"dependencies\":{\"x\":[\"y\"]}}\n[1,2,3]",
    "{\"if\":{\"type\":\"number\"},\"then\":{\"multipleOf\":0.1},\"else\":{\"not\":{\"type\":\"null\"}},\"unevaluatedProperties\":false}\n0.3",
    "{\"prefixItems\":[true],\"contains\":{\"type\":\"string\"},\"minContains\":2,\"uniqueItems\":true}\n[1,\"a\",\"a\"]",
    "{\"oneOf\":[{\"propertyNames\":{\"maxLength\":2}},{\"dependentRequired\":{\"a\":[\"b\"]}}]}\n{\"a\":1,\"long\":2}",
];

const EVENTS: &[&str] =
    &["text", "two\nlines", "cr\rlf\r\n", "data: x\n\n", "\u{2028}\u{2029}", "\u{0}\u{7f}\"\\"];

const DISPATCH: &[&str] = &[
    "\x02\"name\":\"add\",\"arguments\":{\"a\":1,\"b\":2.5,\"tags\":[\"x\"]}",
    "\x02\"name\":\"text\",\"arguments\":{\"name\":\"y\"},\"requestState\":\"v1.k.x\",\"inputResponses\":{}",
    "\x01\"cursor\":\"v1.k.x\"",
    "\x05\"uri\":\"notes://a%20b?lang=en\"",
    "\x05\"uri\":\"notes://..%2F..%2Fetc\"",
    "\x07\"name\":\"plan\",\"arguments\":{\"what\":\"x\"}",
    "\x08\"ref\":{\"type\":\"ref/prompt\",\"name\":\"plan\"},\"argument\":{\"name\":\"what\",\"value\":\"h\"}",
    "\x08\"ref\":{\"type\":\"ref/resource\",\"uri\":\"notes://{name}{?lang}\"},\"argument\":{\"name\":\"name\",\"value\":\"\"},\"context\":{\"arguments\":{\"lang\":\"en\"}}",
    "\x09\"requestId\":1,\"reason\":\"x\"",
    "\x0a\"protocolVersion\":\"2025-11-25\"",
];
