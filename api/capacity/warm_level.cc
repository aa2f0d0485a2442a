#include "api/capacity/warm_level.h"

#include <algorithm>

namespace magneto::api {

WarmLevel warm_level(const storage::WarmThroughput& warm, storage::BillingMode billing,
                     const storage::ProvisionedThroughput& provisioned) {
  const bool on_demand = billing == storage::BillingMode::kPayPerRequest;
  const std::int64_t reads = on_demand ? kInitialWarmReadUnits : provisioned.read_units;
  const std::int64_t writes = on_demand ? kInitialWarmWriteUnits : provisioned.write_units;
  return {std::max(reads, warm.read_units_per_second.value_or(0)),
          std::max(writes, warm.write_units_per_second.value_or(0))};
}

void keep_warm_level(storage::WarmThroughput& warm, const WarmLevel& reached) {
  warm.read_units_per_second = std::max(reached.read_units, warm.read_units_per_second.value_or(0));
  warm.write_units_per_second =
      std::max(reached.write_units, warm.write_units_per_second.value_or(0));
}

}  // namespace magneto::api
