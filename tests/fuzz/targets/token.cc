// A letter for the kind of an opaque text, then what is to be decoded, as a client sends it or
// forged so that only its contents are wrong:
//   n NextToken    i ShardIterator    s sequence number
//   N two digits, statement and read, then the JSON of an item: in a NextToken with its checksum
//   I shard number, comma, position: in an iterator with its checksum
//   k a digit, the index, then the JSON of an ExclusiveStartKey
#include <charconv>
#include <cstdint>
#include <optional>
#include <string>

#include "api/error.h"
#include "api/json/attribute_value_json.h"
#include "api/json/base64.h"
#include "api/json/json_writer.h"
#include "api/statements/statement_token.h"
#include "api/streams/shard_iterator.h"
#include "storage/encoding/keyspace.h"
#include "storage/encoding/partition_hash.h"
#include "tests/fuzz/property.h"
#include "tests/fuzz/sample_database.h"
#include "tests/fuzz/targets.h"

namespace magneto::fuzz {
namespace {

using api::json::Document;
using api::json::Value;

SampleDatabase& sample() {
  static SampleDatabase database;
  return database;
}

std::string quoted(std::string_view text) {
  std::string out;
  api::json::append_string(out, text);
  return out;
}

std::string object_member(std::string_view json, std::string_view name) {
  std::string copy(json);
  Document document;
  const std::optional<Value> value = document.parse(copy);
  if (!value || !value->is_object()) return {};
  const Value member = value->object().find(name);
  std::string text;
  if (member) append_compact(member, text);
  return text;
}

bool is_utf8(std::string_view text) {
  std::string copy = quoted(text);
  Document document;
  return document.parse(copy).has_value();
}

// Returns the bytes of a JSON item; nullopt if the text is not an item.
std::optional<storage::Item> read_item(std::string_view text) {
  std::string copy(text);
  Document document;
  const std::optional<Value> value = document.parse(copy);
  if (!value || !value->is_object()) return std::nullopt;
  for (const auto member : value->object()) {
    if (!member.value.is_object()) return std::nullopt;
    for (const auto type : member.value.object()) {
      const bool scalar = type.name == "S" || type.name == "N";
      if (!scalar || !type.value.is_string()) return std::nullopt;
    }
  }
  try {
    return api::json::read_item(*value, api::json::kBareDialect);
  } catch (const api::ApiError&) {
    return std::nullopt;
  }
}

void check_next_token(std::string_view token) {
  std::string decoded;
  if (api::json::is_base64(token)) api::json::decode_base64(token, decoded);
  const std::uint64_t fingerprint =
      decoded.size() >= 9 ? storage::read_uint64(std::string_view(decoded).substr(1)) : 0;
  try {
    const auto start = api::decode_statement_token(token, fingerprint);
    require_equal(api::encode_statement_token(fingerprint, start), token,
                  "a token that decodes encodes the same");
  } catch (const api::ApiError&) {
    return;
  }
}

constexpr std::string_view kStatements[] = {
    "SELECT * FROM tab",
    "SELECT * FROM tab WHERE pk IN ['a', 'b']",
    "SELECT * FROM tab WHERE pk = 'a' AND sk > 0",
    "SELECT pk FROM tab WHERE pk = 'a' ORDER BY sk DESC",
    "SELECT * FROM \\\"tab\\\".\\\"global\\\" WHERE g = 'g'",
    "SELECT * FROM \\\"tab\\\".\\\"local\\\" WHERE pk = 'a'",
    "SELECT * FROM plain",
};

std::string statement_request(std::size_t statement, std::string_view token) {
  std::string body = R"({"Limit":1,"Statement":")";
  body.append(kStatements[statement]).append("\"");
  if (!token.empty()) body.append(R"(,"NextToken":)").append(quoted(token));
  return body + '}';
}

// Runs a statement from a token whose start is this one and whose checksum is right.
void check_forged_token(std::string_view input) {
  if (input.size() < 2) return;
  const std::size_t statement = static_cast<std::uint8_t>(input[0]) % std::size(kStatements);
  const auto first = sample().call("ExecuteStatement", statement_request(statement, {}));
  const std::string token = text_member(first.body, "NextToken");
  require(!token.empty(), "a page of one item has a token", first.body);
  check_next_token(token);
  std::string bytes;
  api::json::decode_base64(token, bytes);
  const std::uint64_t fingerprint = storage::read_uint64(std::string_view(bytes).substr(1));
  api::StatementStart start;
  start.read = static_cast<std::uint8_t>(input[1]) - std::uint32_t{'0'};
  if (auto item = read_item(input.substr(2))) start.last = std::move(*item);
  const std::string forged = api::encode_statement_token(fingerprint, start);
  check_next_token(forged);
  sample().call("ExecuteStatement", statement_request(statement, forged));
}

void check_iterator(std::string_view iterator) {
  if (!is_utf8(iterator)) return;
  sample().call("GetRecords", R"({"ShardIterator":)" + quoted(iterator) + '}');
}

void check_forged_iterator(std::string_view input) {
  api::ShardPosition at;
  const char* const end = input.data() + input.size();
  const auto [comma, error] = std::from_chars(input.data(), end, at.shard_number);
  if (error != std::errc() || comma == end || *comma != ',') return;
  std::from_chars(comma + 1, end, at.position);
  at.stream = sample().database().list_streams("tab", {}, 1).at(0);
  const std::string iterator = api::encode_shard_iterator(at, sample().clock().now());
  const auto decoded = api::decode_shard_iterator(sample().database(), iterator);
  require(decoded.stream == at.stream && decoded.shard_number == at.shard_number &&
              decoded.position == at.position,
          "an iterator reads back", iterator);
  const auto answer = sample().call("GetRecords", R"({"ShardIterator":)" + quoted(iterator) + '}');
  const std::string next = text_member(answer.body, "NextShardIterator");
  if (next.empty()) return;
  require(sample().call("GetRecords", R"({"ShardIterator":)" + quoted(next) + '}').status == 200,
          "the next iterator can be used", next);
}

void check_sequence(std::string_view text) {
  try {
    const std::uint64_t at = api::sequence_position(text, false);
    const std::uint64_t after = api::sequence_position(text, true);
    require(after >= at && after - at <= 1, "behind a number is one further", text);
    if (at < UINT64_MAX) {
      require(api::sequence_position(api::sequence_text(at), false) == at,
              "the text of a position reads as the position", text);
    }
  } catch (const api::ApiError&) {
    return;
  }
}

constexpr std::string_view kTargets[] = {
    R"("TableName":"tab")",
    R"("TableName":"tab","IndexName":"local")",
    R"("TableName":"tab","IndexName":"global")",
    R"("TableName":"tab","IndexName":"narrow")",
    R"("TableName":"places","IndexName":"multi")",
    R"("TableName":"bytes")",
};

// Reads from a start key, and then from the end of that read.
void check_start_key(std::string_view input) {
  if (input.empty() || !is_utf8(input)) return;
  const std::size_t target = static_cast<std::uint8_t>(input.front()) % std::size(kTargets);
  std::string key(input.substr(1));
  {
    Document document;
    if (!document.parse(key)) return;
  }
  std::string scan = "{\"Limit\":1,";
  scan.append(kTargets[target]).append(R"(,"ExclusiveStartKey":)");
  const auto answer = sample().call("Scan", scan + key + '}');
  const std::string last = object_member(answer.body, "LastEvaluatedKey");
  if (!last.empty()) {
    require(sample().call("Scan", scan + last + '}').status == 200,
            "a last key can be started from", last);
  }
  std::string query(kTargets[target]);
  query +=
      target == 2 || target == 3
          ? R"(,"KeyConditionExpression":"g = :v","ExpressionAttributeValues":{":v":{"S":"g"}})"
          : R"(,"KeyConditionExpression":"pk = :v","ExpressionAttributeValues":{":v":{"S":"a"}})";
  for (const char* direction : {"true", "false"}) {
    sample().call("Query", "{" + query + R"(,"Limit":1,"ScanIndexForward":)" + direction +
                               R"(,"ExclusiveStartKey":)" + key + '}');
  }
}

}  // namespace

void fuzz_token(std::string_view input) {
  if (input.empty()) return;
  const std::string_view text = input.substr(1);
  switch (input.front()) {
    case 'n':
      return check_next_token(text);
    case 'N':
      return check_forged_token(text);
    case 'i':
      return check_iterator(text);
    case 'I':
      return check_forged_iterator(text);
    case 's':
      return check_sequence(text);
    case 'k':
      return check_start_key(text);
    default:
      return;
  }
}

}  // namespace magneto::fuzz
