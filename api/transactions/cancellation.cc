#include "api/transactions/cancellation.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "api/json/json_writer.h"
#include "api/messages/transaction_messages.h"
#include "api/request/distinct_texts.h"

namespace magneto::api {

namespace {

void append_reason(json::Writer& writer, const CancellationReason& reason) {
  writer.begin_object();
  writer.key("Code");
  writer.string(reason.code);
  if (!reason.item.empty()) {
    writer.key("Item");
    writer.raw() += reason.item;
  }
  if (!reason.message.empty()) {
    writer.key("Message");
    writer.string(reason.message);
  }
  writer.end_object();
}

}  // namespace

void fail_cancelled(std::span<const CancellationReason> reasons, ToldReasons told) {
  std::string codes;
  ErrorMember member{"CancellationReasons", {}};
  json::Writer writer(member.value);
  writer.begin_array();
  const auto invalid = std::ranges::find(reasons, kValidationReason, &CancellationReason::code);
  for (auto it = reasons.begin(); it != reasons.end(); ++it) {
    const bool is_told = told == ToldReasons::kAll || invalid == reasons.end() || it == invalid;
    const CancellationReason& reason = is_told ? *it : CancellationReason();
    if (it != reasons.begin()) codes += ", ";
    codes += reason.code;
    append_reason(writer, reason);
  }
  writer.end_array();
  throw ApiError(ErrorType::kTransactionCanceled, messages::cancelled(codes), std::move(member));
}

CancellationReason reason_of(const ApiError& error) {
  return {short_code(error.type()), error.message(), {}};
}

CancellationReason reason_of(Problem problem) {
  if (!problem) return {};
  return {kValidationReason, *std::move(problem), {}};
}

void check_distinct_items(std::size_t count,
                          absl::FunctionRef<std::string_view(std::size_t action)> key_of) {
  DistinctTexts seen(count);
  for (std::size_t i = 0; i < count; ++i) {
    const std::string_view key = key_of(i);
    if (!key.empty() && !seen.add(key)) fail_validation(messages::kRepeatedItem);
  }
}

void cancel_if_invalid(
    std::size_t count,
    absl::FunctionRef<const CancellationReason&(std::size_t action)> reason_of_action,
    ToldReasons told) {
  bool cancels = false;
  for (std::size_t i = 0; i < count; ++i) cancels |= reason_of_action(i).code != "None";
  if (!cancels) return;
  std::vector<CancellationReason> reasons;
  for (std::size_t i = 0; i < count; ++i) reasons.push_back(reason_of_action(i));
  fail_cancelled(reasons, told);
}

}  // namespace magneto::api
