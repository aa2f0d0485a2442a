#include <absl/cleanup/cleanup.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "api/control_error.h"
#include "api/json/json_writer.h"
#include "api/operation.h"
#include "server/admin/control_members.h"
#include "server/admin/mcp/messages.h"
#include "server/admin/mcp/shape_schema.h"
#include "server/admin/mcp/tool_call.h"
#include "server/admin/messages.h"
#include "server/system/utf8.h"

namespace magneto::server::admin::mcp {
namespace {

using api::json::Document;
using api::json::Object;
using api::json::Value;
using http::Method;

constexpr std::size_t kLongestShownWordOfTool = 100;

// ---- explain -----------------------------------------------------------------------------------

constexpr Argument kExplained[] = {
    {"operation", R"({"type":"string","description":"an operation on items, such as Query"})",
     true},
    {"request", R"({"type":"object","description":"its request, in DynamoDB JSON"})", true},
};
// The fork goes even if the server is killed between two of the calls, or one of them fails.
constexpr std::string_view kLifeOfFork = "5m";

const api::Operation& explained_operation(Object arguments) {
  const std::string_view name = string_member(arguments, "operation").value_or("");
  const api::Operation* const operation = api::find_operation(name);
  if (operation == nullptr || operation->form == api::RequestForm::kResource) {
    throw api::ControlError(
        messages::kUnknownOperation(system::first_characters(name, kLongestShownWordOfTool)));
  }
  return *operation;
}

std::string name_of_fork(const CallResult& made) {
  Document document;
  std::string text = made.body;
  const auto answer = document.parse(text);
  return std::string(answer ? answer->object().find("name").string() : std::string_view());
}

// {"record": <of the journal>, "answer": <of the operation>}
std::string explanation(const CallResult& journal, const CallResult& answered) {
  Document document;
  std::string text = journal.body;
  const auto page = document.parse(text);
  std::string body = R"({"record":)";
  Value record;
  if (page) {
    for (const Value found : page->object().find("records").array()) record = found;
  }
  if (record) {
    append_compact(record, body);
  } else {
    body += "null";
  }
  return body.append(R"(,"answer":)").append(answered.body).append("}");
}

CallResult explain(ToolCall& call) {
  const api::Operation& operation = explained_operation(call.arguments());
  object_member(call.arguments(), "request");  // refuses another kind
  check_known_members(call.arguments().find("request"), operation.input, "request");
  std::string body;
  append_compact(call.arguments().find("request"), body);
  std::string wanted = R"({"from":{"namespace":)";
  api::json::append_string(wanted, call.name_space());
  wanted.append(R"(},"expires_after":")").append(kLifeOfFork).append("\"}");
  CallResult made = call.control(Method::kPost, "namespaces", {}, wanted);
  if (!made.succeeded()) return made;
  const std::string fork = name_of_fork(made);
  const absl::Cleanup remove = [&] { call.control(Method::kDelete, "namespaces/{}", {fork}); };
  // Rules of the defaults for new namespaces must not change the answer.
  CallResult done = call.control(Method::kDelete, "namespaces/{}/faults", {fork});
  if (done.succeeded()) {
    done = call.control(Method::kPut, "namespaces/{}/journal", {fork}, R"({"on":true})");
  }
  if (!done.succeeded()) return done;
  const CallResult answered = call.operate(fork, operation.name, body);
  done = call.control(Method::kGet, "namespaces/{}/journal", {fork});
  if (done.succeeded()) done.body = explanation(done, answered);
  return done;
}

// ---- read_changes ------------------------------------------------------------------------------

constexpr std::int64_t kMostChanges = 1'000;
constexpr std::int64_t kUsualChanges = 100;
constexpr std::size_t kMostShards = 1'000;
constexpr std::size_t kLongestIterator = 4'096;

constexpr Argument kChangesRead[] = {
    {"table",
     R"({"type":"string","description":"the table; its stream is read from the beginning"})"},
    {"next",
     R"({"type":"array","items":{"type":"string"},"description":"instead of table: next of an earlier answer"})"},
    {"limit", R"({"type":"integer","minimum":1,"maximum":1000})"},
};

class ChangeReader {
 public:
  explicit ChangeReader(const ToolCall& call) : call_(call), space_(call.name_space()) {}

  CallResult read() {
    const auto next = strings_member(call_.arguments(), "next", kMostShards);
    const auto table = string_member(call_.arguments(), "table");
    if (next.has_value() == table.has_value()) throw api::ControlError(messages::kTableOrNext);
    left_ = integer_member(call_.arguments(), "limit", 1, kMostChanges).value_or(kUsualChanges);
    if (table) {
      find_shards(*table);
    } else {
      iterators_.assign(next->begin(), next->end());
    }
    for (const std::string& iterator : iterators_) {
      if (failed_.succeeded()) read_shard(iterator);
    }
    if (!failed_.succeeded()) return failed_;
    return {.status = 200, .body = R"({"records":[)" + records_ + R"(],"next":[)" + next_ + "]}"};
  }

 private:
  // Calls an operation. The answer is valid until the next call.
  Object ask(std::string_view operation, std::string body) {
    CallResult result = call_.operate(space_, operation, std::move(body));
    if (!result.succeeded()) {
      failed_ = std::move(result);
      return {};
    }
    const auto answer = document_.parse(result.body);
    return answer ? answer->object() : Object();
  }

  static void add_member(std::string& body, std::string_view name, std::string_view value) {
    body += body.empty() ? '{' : ',';
    api::json::append_string(body, name);
    body += ':';
    api::json::append_string(body, value);
  }

  void find_shards(std::string_view table) {
    std::string body;
    add_member(body, "TableName", table);
    const std::string stream(
        ask("DescribeTable", body + "}").find("Table").object().find("LatestStreamArn").string());
    if (!failed_.succeeded()) return;
    if (stream.empty()) {
      throw api::ControlError(
          messages::kNoStream(system::first_characters(table, kLongestShownWordOfTool)));
    }
    for (const std::string& shard : shards_of(stream)) {
      std::string wanted;
      add_member(wanted, "StreamArn", stream);
      add_member(wanted, "ShardId", shard);
      add_member(wanted, "ShardIteratorType", "TRIM_HORIZON");
      iterators_.emplace_back(ask("GetShardIterator", wanted + "}").find("ShardIterator").string());
      if (!failed_.succeeded()) return;
    }
  }

  std::vector<std::string> shards_of(std::string_view stream) {
    std::vector<std::string> shards;
    std::string last;
    do {
      std::string body;
      add_member(body, "StreamArn", stream);
      if (!last.empty()) add_member(body, "ExclusiveStartShardId", last);
      const Object about = ask("DescribeStream", body + "}").find("StreamDescription").object();
      for (const Value shard : about.find("Shards").array()) {
        shards.emplace_back(shard.object().find("ShardId").string());
      }
      last = about.find("LastEvaluatedShardId").string();
    } while (!last.empty() && shards.size() < kMostShards);
    return shards;
  }

  void add_next(std::string_view iterator) {
    if (iterator.empty()) return;  // the shard is closed and read
    if (!next_.empty()) next_ += ',';
    api::json::append_string(next_, iterator);
  }

  void read_shard(const std::string& iterator) {
    if (iterator.size() > kLongestIterator) throw api::ControlError(messages::kLongIterator);
    if (left_ == 0) return add_next(iterator);
    std::string body;
    add_member(body, "ShardIterator", iterator);
    const Object page = ask("GetRecords", body + ",\"Limit\":" + std::to_string(left_) + "}");
    for (const Value record : page.find("Records").array()) {
      if (!records_.empty()) records_ += ',';
      append_compact(record, records_);
      --left_;
    }
    add_next(page.find("NextShardIterator").string());
  }

  const ToolCall& call_;
  const std::string space_;
  Document document_;
  std::int64_t left_ = 0;
  std::vector<std::string> iterators_;
  std::string records_;
  std::string next_;
  CallResult failed_;
};

CallResult read_changes(ToolCall& call) { return ChangeReader(call).read(); }

constexpr std::array kCombinedTools = {
    Tool{
        "explain",
        Effect::kReads,
        true,
        "Runs an operation on items in a fork that is deleted at once, so nothing changes. Answers with the journal's record (items read and returned, units consumed, index, keys) and the operation's answer.",
        {},
        Method::kOther,
        {},
        {},
        kExplained,
        &explain},
    Tool{
        "read_changes",
        Effect::kReads,
        true,
        "Reads the changes of a table from its stream, oldest first in each shard. next of the answer reads on.",
        {},
        Method::kOther,
        {},
        {},
        kChangesRead,
        &read_changes},
};

}  // namespace

std::span<const Tool> combined_tools() { return kCombinedTools; }

}  // namespace magneto::server::admin::mcp
