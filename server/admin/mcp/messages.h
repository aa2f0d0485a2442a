#pragma once

#include <string_view>

#include "server/system/sentence.h"

// Sentences for agents and for the users that connect them.
namespace magneto::server::admin::mcp::messages {

// Errors of the protocol.
inline constexpr std::string_view kNoJson = "the message is not valid JSON";
inline constexpr std::string_view kNoMessage =
    "the message must be a JSON object with jsonrpc \"2.0\" and a method";
inline constexpr std::string_view kWrongId = "the id must be a string or a whole number";
inline constexpr std::string_view kWrongParams = "params must be a JSON object";
inline constexpr std::string_view kNoBatches =
    "this version of the protocol has no batches: send each message alone";
inline constexpr std::string_view kEmptyBatch = "the batch is empty";
inline constexpr system::Sentence<1> kLongBatch{"a batch may have {most} messages"};
inline constexpr std::string_view kInitializeInBatch = "initialize must not be part of a batch";
inline constexpr system::Sentence<1> kLongMessage{"the message has more than {most} bytes"};
inline constexpr system::Sentence<1> kUnknownMethod{"there is no method '{name}'"};
inline constexpr system::Sentence<2> kWrongParam{"params: '{name}' must be {what}"};
inline constexpr system::Sentence<1> kUnknownTool{
    "there is no tool '{name}': tools/list names them"};
inline constexpr system::Sentence<1> kNotReadOnly{
    "the tool '{name}' changes data or settings, and this connection is read-only"};
inline constexpr std::string_view kUnknownCursor =
    "unknown cursor: leave it out, or give the nextCursor of the page before";
inline constexpr system::Sentence<1> kUnknownResource{
    "there is no resource '{uri}': resources are magneto://NAMESPACE/tables/TABLE"};

// Refused requests of HTTP.
inline constexpr system::Sentence<2> kUnknownVersion{
    "MCP-Protocol-Version '{given}' is not supported: the versions are {known}"};
inline constexpr std::string_view kNotAcceptable =
    "the answer is application/json: name it in Accept, beside text/event-stream";
inline constexpr std::string_view kPostOnly =
    "send messages with POST: this server has no streams and no sessions of MCP";
inline constexpr std::string_view kWrongQuery =
    "the query can be read_only=true or read_only=false";
inline constexpr std::string_view kTurnedOff = "this server does not serve agents: --mcp off";

// Arguments of tools.
inline constexpr system::Sentence<1> kWrongAccessKey{
    "'access_key' must have 1 to {most} characters"};
inline constexpr system::Sentence<2> kUnknownPlace{"unknown member '{name}' in {place}"};
inline constexpr system::Sentence<1> kUnknownOperation{
    "there is no operation '{name}' that reads or writes items"};

inline constexpr std::string_view kTableOrNext =
    "give one of table and next: table for the beginning of its stream, next to read on";
inline constexpr std::string_view kLongIterator = "'next' must be that of an earlier answer";

// Results of tools.
inline constexpr system::Sentence<2> kShortened{
    "The answer has {bytes} bytes. The first {shown} are shown: ask for less."};
inline constexpr system::Sentence<2> kThereIsMore{
    "There is more: call again with {argument} set to the {member} of this answer."};
inline constexpr std::string_view kDroppedBefore =
    "a fault rule ended the connection: nothing was done";
inline constexpr std::string_view kDroppedAfter =
    "a fault rule ended the connection: the request was carried out, and its answer is lost";
inline constexpr std::string_view kCutOff =
    "a fault rule ended the connection within the answer: the request was carried out";
inline constexpr system::Sentence<1> kEndpoint{"Endpoint for AWS SDKs: {url}"};
inline constexpr system::Sentence<1> kNoStream{
    "table '{table}' has no stream: give it one with update_table and StreamSpecification"};

// For the language model, at the start of each session.
inline constexpr system::Sentence<1> kInstructions{
    "Magneto is a DynamoDB-compatible database server for tests. "
    "Its endpoint for AWS SDKs is {endpoint}, with any credentials and region, unless the server verifies signatures. "
    "The tools of DynamoDB's operations take DynamoDB JSON: {{\"pk\": {{\"S\": \"a\"}}}}. "
    "Each tool takes a namespace, main unless given. Work in a fork: create_namespace with from, use its name as namespace here and as access key in the SDK, and delete it at the end. "
    "explain shows the items that a request reads and the units that it costs."};

// The command.
inline constexpr system::Sentence<2> kNoServer{"no answer from {url}: {why}"};
inline constexpr system::Sentence<3> kNotAnAgentServer{
    "{url} answered {status}, which is no answer of MCP: {body}"};

}  // namespace magneto::server::admin::mcp::messages
