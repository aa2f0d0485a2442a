#include "api/faults/injected_error.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "api/capacity/throttle_cause.h"
#include "api/json/json_writer.h"
#include "api/messages/control_messages.h"
#include "api/messages/request_messages.h"
#include "api/messages/throughput_messages.h"
#include "api/messages/transaction_messages.h"
#include "api/messages/write_messages.h"
#include "api/transactions/cancellation.h"

namespace magneto::api {
namespace {

// The code of a reason and its message (AWS API reference, TransactWriteItems).
constexpr std::pair<std::string_view, std::string_view> kCodes[] = {
    {"None", {}},
    {"ConditionalCheckFailed", messages::kConditionFailed},
    {"ItemCollectionSizeLimitExceeded", messages::kCollectionFull},
    {"TransactionConflict", messages::kItemIsHeld},
    {"ProvisionedThroughputExceeded", messages::kTableExceeded},
    {"ThrottlingError", messages::kTableIsScaling},
    {"ValidationError", messages::kInvalidValues},
};

const auto* find_code(std::string_view code) {
  return std::ranges::find(kCodes, code, &std::pair<std::string_view, std::string_view>::first);
}

std::string_view limit_of(ErrorType type) {
  if (type == ErrorType::kRequestLimitExceeded) return limit_name(ThroughputLimit::kAccount);
  if (type == ErrorType::kThrottling) return limit_name(ThroughputLimit::kKeyRange);
  return limit_name(ThroughputLimit::kProvisioned);
}

const Subject* first_of(const FaultedCall& call, const MatchedMembers& members) {
  for (std::size_t i = 0; i < call.subjects.size() && i < members.size(); ++i) {
    if (members.test(i)) return &call.subjects[i];
  }
  return nullptr;
}

bool is_limit(std::string_view name) {
  return std::ranges::find(kLimitNames, name) != kLimitNames.end();
}

// `reason` may already be complete.
std::string whole_reason(std::string_view reason, const Subject& subject) {
  if (!is_limit(reason)) return std::string(reason);
  return throttling_reason(!subject.index().empty(),
                           subject.writes() ? UnitUse::kWrite : UnitUse::kRead, reason);
}

std::string resource_of(const Subject& subject) {
  if (subject.schema() == nullptr) return {};
  const storage::TableSchema& schema = subject.schema()->schema;
  const storage::Index* const index = subject.schema()->find_index(subject.index());
  return index == nullptr ? schema.arn() : schema.index_arn(index->schema);
}

// Requests about no item have no reasons.
ErrorMember throttling_reasons(const InjectedError& error, const Subject* subject) {
  if (subject == nullptr) return {};
  ErrorMember member{throttling_reasons_member(error.type), {}};
  std::vector<InjectedReason> reasons = error.reasons;
  if (reasons.empty()) reasons.push_back({std::string(limit_of(error.type)), std::nullopt});
  json::Writer writer(member.value);
  writer.begin_array();
  for (const InjectedReason& reason : reasons) {
    writer.begin_object();
    writer.text("reason", whole_reason(reason.name, *subject));
    const std::string resource = reason.detail ? *reason.detail : resource_of(*subject);
    if (!resource.empty()) writer.text("resource", resource);
    writer.end_object();
  }
  writer.end_array();
  return member;
}

// One reason for each action: those listed in the rule; without a list, a conflict for the actions
// that the rule targets.
std::vector<CancellationReason> cancellation_reasons(const InjectedError& error,
                                                     const FaultedCall& call,
                                                     const MatchedMembers& members) {
  std::vector<CancellationReason> reasons(std::max<std::size_t>(call.subjects.size(), 1));
  for (std::size_t i = 0; i < reasons.size(); ++i) {
    std::string_view code = members.test(i) ? "TransactionConflict" : "None";
    std::optional<std::string> message;
    if (!error.reasons.empty()) {
      code = "None";
      if (i < error.reasons.size()) {
        code = error.reasons[i].name;
        message = error.reasons[i].detail;
      }
    }
    const auto* const known = find_code(code);
    reasons[i].code = known->first;  // a literal: outlives the rule
    reasons[i].message = message ? *message : std::string(known->second);
  }
  return reasons;
}

ApiError cancelled(const InjectedError& error, const FaultedCall& call,
                   const MatchedMembers& members) {
  try {
    fail_cancelled(cancellation_reasons(error, call, members));
  } catch (const ApiError& made) {
    if (!error.message) return made;
    return {made.type(), *error.message, made.member()};
  }
}

std::string_view usual_message(ErrorType type, const Subject* subject) {
  const bool is_of_index = subject != nullptr && !subject->index().empty();
  switch (type) {
    case ErrorType::kProvisionedThroughputExceeded:
      return is_of_index ? messages::kIndexExceeded : messages::kTableExceeded;
    case ErrorType::kThrottling:
      if (subject == nullptr) return messages::kRateExceeded;
      return is_of_index ? messages::kIndexIsScaling : messages::kTableIsScaling;
    case ErrorType::kRequestLimitExceeded:
      return messages::kAccountLimit;
    case ErrorType::kTransactionConflict:
      return messages::kItemIsHeld;
    case ErrorType::kReplicatedWriteConflict:
      return messages::kReplicatedConflict;
    case ErrorType::kTransactionInProgress:
      return messages::kTokenInProgress;
    case ErrorType::kConditionalCheckFailed:
      return messages::kConditionFailed;
    case ErrorType::kItemCollectionSizeLimitExceeded:
      return messages::kCollectionFull;
    case ErrorType::kInternalServerError:
      return messages::kFault;
    case ErrorType::kServiceUnavailable:
      return messages::kUnavailable;
    default:
      return messages::kInjected;
  }
}

}  // namespace

bool is_throttling(ErrorType type) {
  return type == ErrorType::kProvisionedThroughputExceeded || type == ErrorType::kThrottling ||
         type == ErrorType::kRequestLimitExceeded;
}

bool has_reason(ErrorType type, std::string_view reason) {
  if (type == ErrorType::kTransactionCanceled) return find_code(reason) != std::end(kCodes);
  if (!is_throttling(type)) return false;
  for (const std::string_view resource : {"Table", "Index"}) {
    if (!reason.starts_with(resource)) continue;
    reason.remove_prefix(resource.size());
    for (const std::string_view use : {"Read", "Write"}) {
      if (!reason.starts_with(use)) continue;
      reason.remove_prefix(use.size());
      return is_limit(reason);
    }
    return false;
  }
  return is_limit(reason);
}

ApiError make_error(const InjectedError& error, const FaultedCall& call,
                    const MatchedMembers& members) {
  if (error.type == ErrorType::kTransactionCanceled) return cancelled(error, call, members);
  const Subject* const subject = first_of(call, members);
  const std::string_view message =
      error.message ? std::string_view(*error.message) : usual_message(error.type, subject);
  if (!is_throttling(error.type)) return {error.type, message};
  return {error.type, message, throttling_reasons(error, subject)};
}

}  // namespace magneto::api
