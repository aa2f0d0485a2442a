#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>

#include "api/capacity/throttle_cause.h"
#include "storage/clock.h"
#include "storage/model/table_schema.h"
#include "storage/table/table.h"

namespace magneto::api {

// What an on-demand table or index can use in a second whatever it has served before (AWS developer
// guide, "Quotas in Amazon DynamoDB", per table); its warm throughput where that is more.
inline constexpr double kAccountUnits = 40'000;

// What is left of units used, when a second takes so many of them away. A clock that was set back
// takes none.
inline double left_after(double used, std::int64_t seconds, double units_a_second) {
  if (seconds <= 0) return used;
  return std::max(0.0, used - static_cast<double>(seconds) * units_a_second);
}

inline std::int64_t second_of(storage::Clock::TimePoint time) {
  return std::chrono::floor<std::chrono::seconds>(time).time_since_epoch().count();
}

// What a table or global index may use in a second, of reads or of writes.
struct ThroughputTerms {
  bool on_demand = false;
  double units = 0;    // provisioned, or the warm throughput
  double maximum = 0;  // OnDemandThroughput; 0: none
};
// `index` is a global one, or nullptr.
ThroughputTerms terms_of(const storage::Table& table, const storage::Index* index, UnitUse use);

// The units of one table or global index, of reads or of writes. What a request uses is known only
// when it is done, so one may run while there is anything, and may leave a debt. One thread at a
// time.
//
// Provisioned, each second brings the units, and what is not used is kept for up to 300 seconds
// (AWS developer guide, "Burst capacity"). It begins with the units of one second.
//
// On demand, each second of the clock has what twice the highest second of all former half hours
// had, or the warm throughput where that is more; never more than the account's units, nor than the
// maximum. Nothing is kept: DynamoDB "instantly accommodates up to double the previous peak", and
// wants growth beyond it spread over 30 minutes (AWS developer guide, "On-demand capacity mode").
class ThroughputMeter {
 public:
  // The limit that leaves nothing; nullopt: there is something.
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

  // Provisioned.
  double left_ = 0;
  std::optional<storage::Clock::TimePoint> filled_;

  // On demand.
  std::int64_t second_ = -1;
  double used_ = 0;   // and not paid for by seconds before this one
  double spent_ = 0;  // in this second
  std::int64_t half_hour_ = -1;
  double peak_ = 0;         // of a second of this half hour
  double former_peak_ = 0;  // of those before it
};

}  // namespace magneto::api
