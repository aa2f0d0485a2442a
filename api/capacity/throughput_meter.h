#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>

#include "api/capacity/throttle_cause.h"
#include "storage/clock.h"
#include "storage/model/table_schema.h"
#include "storage/table/table.h"

namespace magneto::api {

// The units per second that an on-demand table or index can use at once (AWS developer guide,
// "Quotas in Amazon DynamoDB", per table). If its warm throughput is higher, that applies.
inline constexpr double kAccountUnits = 40'000;

// The used units that remain when each second subtracts `units_a_second`. A clock that was set back
// subtracts nothing.
inline double left_after(double used, std::int64_t seconds, double units_a_second) {
  if (seconds <= 0) return used;
  return std::max(0.0, used - static_cast<double>(seconds) * units_a_second);
}

inline std::int64_t second_of(storage::Clock::TimePoint time) {
  return std::chrono::floor<std::chrono::seconds>(time).time_since_epoch().count();
}

// The units per second that a table or global index may use, for reads or for writes.
struct ThroughputTerms {
  bool on_demand = false;
  double units = 0;    // provisioned, or the warm throughput
  double maximum = 0;  // OnDemandThroughput; 0: none
};
// `index` is a global one, or nullptr.
ThroughputTerms terms_of(const storage::Table& table, const storage::Index* index, UnitUse use);

// The meter of one table or global index, for reads or for writes. The units of a request are known
// only when it is done, so a request may run while any unit is left, and may leave a debt. Not
// thread-safe.
//
// Provisioned: each second adds the units, and unused ones are kept for up to 300 seconds (AWS
// developer guide, "Burst capacity"). The meter starts with the units of one second.
//
// On demand: each second offers twice the units of the highest second of all earlier half hours, or
// the warm throughput if that is more. It never offers more than the account's units or the
// maximum. Nothing is kept: DynamoDB "instantly accommodates up to double the previous peak", and
// wants growth beyond it spread over 30 minutes (AWS developer guide, "On-demand capacity mode").
class ThroughputMeter {
 public:
  // The limit that is exhausted; nullopt if units are left.
  std::optional<ThroughputLimit> exceeded(const ThroughputTerms& terms,
                                          storage::Clock::TimePoint now);
  void take(const ThroughputTerms& terms, storage::Clock::TimePoint now, double units);

 private:
  struct Ceiling {
    double units;
    ThroughputLimit limit;
  };

  void fill(const ThroughputTerms& terms, storage::Clock::TimePoint now);
  void begin_second(const ThroughputTerms& terms, std::int64_t second);
  Ceiling ceiling(const ThroughputTerms& terms) const;

  // For provisioned throughput.
  double left_ = 0;
  std::optional<storage::Clock::TimePoint> filled_;

  // For on-demand throughput.
  std::int64_t second_ = -1;
  double used_ = 0;   // and not covered by earlier seconds
  double spent_ = 0;  // in this second
  std::int64_t half_hour_ = -1;
  double peak_ = 0;         // highest second of this half hour
  double former_peak_ = 0;  // highest second of earlier half hours
};

}  // namespace magneto::api
