#pragma once

#include <cstdint>

#include "storage/model/table_schema.h"

namespace magneto::api {

// The throughput that a new on-demand table or index can serve at once (AWS developer guide,
// "Understanding DynamoDB warm throughput").
inline constexpr std::int64_t kInitialWarmReadUnits = 12'000;
inline constexpr std::int64_t kInitialWarmWriteUnits = 4'000;

// WarmThroughput as DynamoDB reports it.
struct WarmLevel {
  std::int64_t read_units = 0;
  std::int64_t write_units = 0;
};

// The level that was requested or reached; if there is none, the level of the billing mode.
WarmLevel warm_level(const storage::WarmThroughput& warm, storage::BillingMode billing,
                     const storage::ProvisionedThroughput& provisioned);

// Keeps a level that was reached: WarmThroughput never decreases.
void keep_warm_level(storage::WarmThroughput& warm, const WarmLevel& reached);

}  // namespace magneto::api
