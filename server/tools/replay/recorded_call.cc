#include "server/tools/replay/recorded_call.h"

#include <algorithm>
#include <charconv>
#include <ctime>

#include "absl/strings/ascii.h"

namespace magneto::server::tools {
namespace {

using api::json::Object;
using api::json::Type;
using api::json::Value;

// Reads a time such as "2026-11-23T08:00:00.123Z", the format of journals.
std::optional<std::chrono::milliseconds> read_time(std::string_view text) {
  std::tm parts{};
  const std::string copy(text);
  const char* const rest = ::strptime(copy.c_str(), "%Y-%m-%dT%H:%M:%S", &parts);
  if (rest == nullptr) return std::nullopt;
  int milliseconds = 0;
  if (*rest == '.') std::from_chars(rest + 1, copy.c_str() + copy.size(), milliseconds);
  const std::time_t seconds = ::timegm(&parts);
  return std::chrono::seconds(seconds) + std::chrono::milliseconds(milliseconds);
}

Value object_or_absent(Value value) { return value.is_object() ? value : Value(); }

}  // namespace

std::optional<RecordedCall> read_recorded_call(Value line) {
  const Object members = line.object();
  const Value number = members.find("number");
  const Value operation = members.find("operation");
  if (number.type() != Type::kNumber || !number.integer() || !operation) return std::nullopt;
  RecordedCall call;
  call.number = *number.integer();
  call.at = read_time(members.find("at").string());
  call.operation = operation.string();
  const Value status = members.find("status");
  if (status.type() == Type::kNumber) call.status = status.integer();
  call.error = members.find("error").string();
  // The names are put into the head of a request and onto a terminal.
  const auto is_name = [](std::string_view text) {
    return std::ranges::all_of(
        text, [](char c) { return absl::ascii_isalnum(static_cast<unsigned char>(c)); });
  };
  if (!is_name(call.operation) || !is_name(call.error)) return std::nullopt;
  const Value ran = members.find("ran");
  call.was_kept = ran.type() == Type::kBoolean && !ran.boolean();
  call.request = object_or_absent(members.find("request"));
  call.response = object_or_absent(members.find("response"));
  return call;
}

}  // namespace magneto::server::tools
