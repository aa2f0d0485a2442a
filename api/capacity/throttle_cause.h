#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "absl/container/inlined_vector.h"
#include "api/capacity/consumed_capacity.h"
#include "api/error.h"
#include "storage/table/table.h"

// The causes of throttling, in AWS's words. Used for real throttling and for fault rules.
namespace magneto::api {

// The last part of a reason (AWS API reference, "ThrottlingReason").
enum class ThroughputLimit : std::uint8_t {
  kProvisioned,      // the units of a table or index
  kAccount,          // the units that an account may use of one on-demand table or index
  kKeyRange,         // units of one partition key, or the level of on-demand capacity
  kOnDemandMaximum,  // the OnDemandThroughput of a table or index
};

inline constexpr std::array<std::string_view, 4> kLimitNames{
    "ProvisionedThroughputExceeded", "AccountLimitExceeded", "KeyRangeThroughputExceeded",
    "MaxOnDemandThroughputExceeded"};
inline std::string_view limit_name(ThroughputLimit limit) {
  return kLimitNames[static_cast<std::size_t>(limit)];
}

// "TableReadProvisionedThroughputExceeded" for "ProvisionedThroughputExceeded".
std::string throttling_reason(bool of_index, UnitUse use, std::string_view limit_name);

// The name of the member that lists the reasons in a throttling error.
std::string_view throttling_reasons_member(ErrorType type);

// The table (nullptr) or its global index that has no units for a request, and the limit.
struct ThrottleCause {
  const storage::Index* index = nullptr;
  ThroughputLimit limit = ThroughputLimit::kProvisioned;
  friend bool operator==(const ThrottleCause&, const ThrottleCause&) = default;
};

// All causes that throttle a request, the table first; empty: it may run.
using Throttled = absl::InlinedVector<ThrottleCause, 2>;

// The error type and message of a throttled request. `throttled` must not be empty.
ErrorType throttled_type(const storage::Table& table, const Throttled& throttled);
std::string_view throttled_message(const storage::Table& table, const Throttled& throttled);
ApiError throughput_exceeded(const storage::Table& table, const Throttled& throttled, UnitUse use);

}  // namespace magneto::api
