#include "server/admin/mcp/tool_result.h"

#include "api/json/json_reader.h"
#include "api/json/json_writer.h"
#include "server/admin/mcp/messages.h"
#include "server/client/endpoint/endpoint.h"
#include "server/system/utf8.h"

namespace magneto::server::admin::mcp {
namespace {

using api::json::Writer;

constexpr std::size_t kLongestAnswer = 1 << 20;  // bytes of JSON
constexpr std::size_t kShownOfLonger = 64 << 10;

// A member of an answer that says that there is more, and the argument that takes it.
struct Continuation {
  std::string_view member;
  std::string_view argument;
};
constexpr Continuation kContinuations[] = {{"LastEvaluatedKey", "ExclusiveStartKey"},
                                           {"LastEvaluatedTableName", "ExclusiveStartTableName"},
                                           {"NextToken", "NextToken"}};

void write_text(std::string_view text, Writer& writer) {
  writer.begin_object();
  writer.text("type", "text");
  writer.text("text", text);
  writer.end_object();
}

// The sentence of a failed call.
std::string failure_of(const Tool& tool, const CallResult& answered, api::json::Object body) {
  const api::json::Value error = body.find("error");
  if (tool.operation.empty() && error.is_string()) return std::string(error.string());
  const client::Outcome outcome = client::read_outcome(answered.status, answered.body);
  if (outcome.message.empty()) return outcome.error_type;
  return outcome.error_type + ": " + outcome.message;
}

void write_continuation(api::json::Object body, Writer& writer) {
  for (const Continuation& way : kContinuations) {
    if (!body.find(way.member)) continue;
    write_text(messages::kThereIsMore(way.argument, way.member), writer);
  }
}

}  // namespace

std::string tool_result(const Tool& tool, const CallResult& answered, std::string_view endpoint) {
  std::string result;
  Writer writer(result);
  writer.begin_object();
  writer.key("content");
  writer.begin_array();
  const bool is_long = answered.body.size() > kLongestAnswer;
  api::json::Document document;
  std::string text = answered.body;
  const auto body = document.parse(text);
  const api::json::Object object = body ? body->object() : api::json::Object();
  if (!answered.succeeded()) {
    write_text(failure_of(tool, answered, object), writer);
  } else if (is_long) {
    write_text(system::first_characters(answered.body, kShownOfLonger), writer);
    write_text(messages::kShortened(answered.body.size(), kShownOfLonger), writer);
  } else {
    write_text(answered.body, writer);
  }
  if (answered.succeeded()) write_continuation(object, writer);
  if (tool.pattern == "status") write_text(messages::kEndpoint(endpoint), writer);
  writer.end_array();
  if (!is_long) {
    writer.key("structuredContent");
    writer.raw() += answered.body;
  }
  writer.key("isError");
  writer.boolean(!answered.succeeded());
  writer.end_object();
  return result;
}

std::string tool_refusal(std::string_view sentence) {
  std::string result;
  Writer writer(result);
  writer.begin_object();
  writer.key("content");
  writer.begin_array();
  write_text(sentence, writer);
  writer.end_array();
  writer.key("isError");
  writer.boolean(true);
  writer.end_object();
  return result;
}

}  // namespace magneto::server::admin::mcp
