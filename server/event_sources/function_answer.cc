#include "server/event_sources/function_answer.h"

#include <mutex>
#include <string_view>

#include "api/json/json_reader.h"

namespace magneto::server {
namespace {

using api::json::Value;
using Items = std::set<std::string>;

// Shorter bodies are parsed side by side.
constexpr std::size_t kLongBody = std::size_t{64} << 10;
// Of a record's sequence number (DynamoDB Streams API reference, StreamRecord).
constexpr std::size_t kLongestItem = 40;

bool is_error(Value value) {
  const api::json::Object members = value.object();
  return members.find("errorMessage").is_string() && members.find("errorType").is_string();
}

std::optional<Items> failed_items(Value value, std::size_t most_items) {
  if (!value.is_null() && !value.is_object()) return std::nullopt;
  Items items;
  const Value failures = value.object().find("batchItemFailures");
  if (!failures || failures.is_null()) return items;
  if (!failures.is_array()) return std::nullopt;
  for (const Value failure : failures.array()) {
    const std::string_view item = failure.object().find("itemIdentifier").string();
    if (item.empty() || item.size() > kLongestItem) return std::nullopt;
    items.emplace(item);
    if (items.size() > most_items) return std::nullopt;
  }
  return items;
}

}  // namespace

FunctionAnswer read_function_answer(std::string body, std::size_t most_items) {
  FunctionAnswer answer;
  answer.tells_of_error = body.starts_with("Task timed out after ");
  const bool needs_items = most_items > 0 && !body.empty();
  const bool may_be_error = body.find("\"errorMessage\"") != std::string::npos;
  if (answer.tells_of_error || (!needs_items && !may_be_error)) return answer;
  static std::mutex long_bodies;
  std::unique_lock lock(long_bodies, std::defer_lock);
  if (body.size() > kLongBody) lock.lock();
  api::json::Document document;
  const auto value = document.parse(body);
  answer.tells_of_error = value && is_error(*value);
  if (needs_items) {
    answer.failed_items = value ? failed_items(*value, most_items) : std::nullopt;
  }
  return answer;
}

}  // namespace magneto::server
