#include "api/faults/fault_json.h"

#include <algorithm>
#include <utility>

#include "api/control_error.h"
#include "api/faults/faults.h"
#include "api/faults/injected_error.h"
#include "api/json/strict_object.h"
#include "api/messages/control_messages.h"

namespace magneto::api {
namespace {

constexpr std::string_view kWhere = "'fault'";
constexpr std::string_view kMembers[] = {"error",  "message",     "reasons",
                                         "status", "retry_after", "latency",
                                         "drop",   "unprocessed", "truncate"};
constexpr std::string_view kKinds[] = {"error", "latency", "drop", "unprocessed", "truncate"};
constexpr std::string_view kOfErrors[] = {"message", "reasons", "status", "retry_after"};
constexpr std::size_t kMaxName = 255;
constexpr std::size_t kMaxMessage = 2'048;
constexpr double kLeastFraction = 1e-6;

InjectedReason read_reason(json::Value given, ErrorType type) {
  const bool is_code = type == ErrorType::kTransactionCanceled;
  const std::string_view name_member = is_code ? "code" : "reason";
  const std::string_view detail_member = is_code ? "message" : "resource";
  InjectedReason reason;
  if (given.is_string()) {
    reason.name = given.string();
  } else {
    const std::string_view known[] = {name_member, detail_member};
    const json::StrictObject members(given, "'reasons'", known);
    reason.name = members.string(name_member, kMaxName).value_or("");
    if (const auto detail = members.string(detail_member, kMaxMessage)) reason.detail = *detail;
  }
  if (!has_reason(type, reason.name)) throw ControlError(messages::unknown_reason(reason.name));
  return reason;
}

std::vector<InjectedReason> read_reasons(json::Value list, std::string_view error, ErrorType type) {
  std::vector<InjectedReason> reasons;
  if (!list) return reasons;
  if (type != ErrorType::kTransactionCanceled && !is_throttling(type)) {
    throw ControlError(messages::not_with_error("reasons", error));
  }
  const json::Array given = list.array();
  if (given.empty() || given.size() > FaultVerdict::kMaxMembers) {
    throw ControlError(messages::not_a_list("reasons", FaultVerdict::kMaxMembers));
  }
  for (const json::Value reason : given) reasons.push_back(read_reason(reason, type));
  return reasons;
}

InjectedError read_error(const json::StrictObject& members) {
  const std::string_view name = members.string("error", kMaxName).value_or("");
  const std::optional<ErrorType> type = find_error_type(name);
  if (!type) throw ControlError(messages::unknown_error(name));
  InjectedError error{.type = *type};
  if (const auto message = members.string("message", kMaxMessage)) error.message = *message;
  error.reasons = read_reasons(members.value("reasons"), name, *type);
  error.status = static_cast<int>(members.whole("status", 400, 599).value_or(0));
  if (const auto wait = members.duration("retry_after", Faults::kMaxDelay)) {
    error.retry_after = std::chrono::floor<std::chrono::milliseconds>(*wait);
  }
  return error;
}

InjectedLatency read_latency(const json::StrictObject& fault) {
  constexpr std::chrono::nanoseconds kMost = Faults::kMaxDelay;
  const json::Value given = fault.value("latency");
  if (const auto latency = given.is_object() ? std::nullopt : fault.duration("latency", kMost)) {
    return {*latency, *latency};
  }
  constexpr std::string_view kBounds[] = {"min", "max", "p50", "p99"};
  const json::StrictObject members(given, "'latency'", kBounds);
  const auto low = members.duration("min", kMost);
  const auto high = members.duration("max", kMost);
  const auto median = members.duration("p50", kMost);
  const auto tail = members.duration("p99", kMost);
  const bool is_range = low && high && !median && !tail;
  const bool is_lognormal = median && tail && !low && !high;
  if (!is_range && !is_lognormal) throw ControlError(messages::kLatencyBounds);
  if (is_range && *low > *high) throw ControlError(messages::kMinAboveMax);
  if (is_range) return {*low, *high};
  if (median->count() == 0 || *median > *tail) {
    throw ControlError(messages::kMedianAboveTail);
  }
  return {*median, *tail, true};
}

DroppedConnection read_drop(json::Value given) {
  const std::string_view when = given.string();
  if (when != "before" && when != "after") throw ControlError(messages::kWrongDrop);
  return {when == "before"};
}

}  // namespace

Fault read_fault(json::Value fault) {
  const json::StrictObject members(fault, kWhere, kMembers);
  const auto has = [&members](std::string_view name) { return members.has(name); };
  if (std::ranges::count_if(kKinds, has) != 1) {
    throw ControlError(messages::kOneFault);
  }
  if (has("error")) return read_error(members);
  for (const std::string_view name : kOfErrors) {
    if (has(name)) throw ControlError(messages::only_with_error(name));
  }
  if (has("latency")) return read_latency(members);
  if (has("drop")) return read_drop(members.value("drop"));
  if (const auto fraction = members.number("unprocessed", kLeastFraction, 1)) {
    return LeftOutMembers{*fraction};
  }
  return TruncatedAnswer{members.number("truncate", kLeastFraction, 1).value_or(1)};
}

}  // namespace magneto::api
