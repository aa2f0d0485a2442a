#include "api/capacity/throttle_cause.h"

#include <utility>

#include "api/json/json_writer.h"
#include "api/messages/throughput_messages.h"

namespace magneto::api {

std::string throttling_reason(bool of_index, UnitUse use, std::string_view limit_name) {
  std::string reason = of_index ? "Index" : "Table";
  reason += use == UnitUse::kRead ? "Read" : "Write";
  return reason.append(limit_name);
}

std::string_view throttling_reasons_member(ErrorType type) {
  return type == ErrorType::kThrottling ? "throttlingReasons" : "ThrottlingReasons";
}

ErrorType throttled_type(const storage::Table& table, const Throttled& throttled) {
  if (table.schema.billing == storage::BillingMode::kProvisioned) {
    return ErrorType::kProvisionedThroughputExceeded;
  }
  return throttled.front().limit == ThroughputLimit::kAccount ? ErrorType::kRequestLimitExceeded
                                                              : ErrorType::kThrottling;
}

std::string_view throttled_message(const storage::Table& table, const Throttled& throttled) {
  const auto [index, limit] = throttled.front();
  if (table.schema.billing == storage::BillingMode::kProvisioned) {
    return index == nullptr ? messages::kTableExceeded : messages::kIndexExceeded;
  }
  if (limit == ThroughputLimit::kAccount) return messages::kAccountLimit;
  if (limit == ThroughputLimit::kOnDemandMaximum) return messages::kOnDemandMaximum;
  return index == nullptr ? messages::kTableIsScaling : messages::kIndexIsScaling;
}

ApiError throughput_exceeded(const storage::Table& table, const Throttled& throttled, UnitUse use) {
  const ErrorType type = throttled_type(table, throttled);
  ErrorMember reasons{throttling_reasons_member(type), {}};
  json::Writer writer(reasons.value);
  writer.begin_array();
  for (const auto [index, limit] : throttled) {
    writer.begin_object();
    writer.text("reason", throttling_reason(index != nullptr, use, limit_name(limit)));
    writer.text("resource",
                index == nullptr ? table.schema.arn() : table.schema.index_arn(index->schema));
    writer.end_object();
  }
  writer.end_array();
  return {type, throttled_message(table, throttled), std::move(reasons)};
}

}  // namespace magneto::api
