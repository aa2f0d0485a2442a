#include "api/capacity/throughput_meter.h"

#include <chrono>

#include "api/capacity/warm_level.h"

namespace magneto::api {

namespace {

constexpr double kBurstSeconds = 300;
constexpr std::int64_t kSecondsOfPeak = 1'800;

}  // namespace

ThroughputTerms terms_of(const storage::Table& table, const storage::Index* index, UnitUse use) {
  const bool reads = use == UnitUse::kRead;
  const storage::ProvisionedThroughput& provisioned =
      index == nullptr ? table.schema.provisioned : index->schema.provisioned;
  if (table.schema.billing == storage::BillingMode::kProvisioned) {
    return {.units = static_cast<double>(reads ? provisioned.read_units : provisioned.write_units)};
  }
  const WarmLevel warm = warm_level(index == nullptr ? table.schema.warm : index->schema.warm,
                                    table.schema.billing, provisioned);
  const storage::OnDemandThroughput& most =
      index == nullptr ? table.schema.on_demand : index->schema.on_demand;
  const std::int64_t maximum = (reads ? most.max_read_units : most.max_write_units).value_or(0);
  return {.on_demand = true,
          .units = static_cast<double>(reads ? warm.read_units : warm.write_units),
          .maximum = static_cast<double>(std::max<std::int64_t>(maximum, 0))};
}

std::optional<ThroughputLimit> ThroughputMeter::exceeded(const ThroughputTerms& terms,
                                                         storage::Clock::TimePoint now) {
  if (!terms.on_demand) {
    fill(terms, now);
    if (left_ > 0) return std::nullopt;
    return ThroughputLimit::kProvisioned;
  }
  begin_second(terms, second_of(now));
  const auto [units, limit] = ceiling(terms);
  if (used_ < units) return std::nullopt;
  return limit;
}

void ThroughputMeter::take(const ThroughputTerms& terms, storage::Clock::TimePoint now,
                           double units) {
  if (!terms.on_demand) {
    fill(terms, now);
    left_ -= units;
    return;
  }
  begin_second(terms, second_of(now));
  used_ += units;
  spent_ += units;
  peak_ = std::max(peak_, spent_);
}

void ThroughputMeter::fill(const ThroughputTerms& terms, storage::Clock::TimePoint now) {
  if (!filled_) {
    left_ = terms.units;
  } else {
    // A clock that was set back adds nothing.
    const double seconds = std::max(std::chrono::duration<double>(now - *filled_).count(), 0.0);
    left_ = std::min(left_ + seconds * terms.units, kBurstSeconds * terms.units);
  }
  filled_ = now;
}

void ThroughputMeter::begin_second(const ThroughputTerms& terms, std::int64_t second) {
  if (second == second_) return;
  used_ = left_after(used_, second - second_, ceiling(terms).units);
  spent_ = 0;
  second_ = second;
  const std::int64_t half_hour = second / kSecondsOfPeak;
  if (half_hour == half_hour_) return;
  former_peak_ = std::max(former_peak_, peak_);
  peak_ = 0;
  half_hour_ = half_hour;
}

ThroughputMeter::Ceiling ThroughputMeter::ceiling(const ThroughputTerms& terms) const {
  const double account = std::max(kAccountUnits, terms.units);
  Ceiling found{std::max(terms.units, 2 * former_peak_), ThroughputLimit::kKeyRange};
  if (found.units >= account) found = {account, ThroughputLimit::kAccount};
  if (terms.maximum > 0 && terms.maximum <= found.units) {
    found = {terms.maximum, ThroughputLimit::kOnDemandMaximum};
  }
  return found;
}

}  // namespace magneto::api
