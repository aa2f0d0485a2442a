#include "server/http/request_counts.h"

#include <algorithm>

namespace magneto::server::http {
namespace {

CallResult result_of(int status) {
  if (status < 400) return CallResult::kOk;
  return status < 500 ? CallResult::kClientError : CallResult::kServerError;
}

std::size_t bucket_of(std::chrono::nanoseconds duration) {
  const auto nanoseconds = static_cast<std::uint64_t>(std::max<std::int64_t>(duration.count(), 1));
  // Rounded up, so that a bucket includes its upper bound.
  const std::uint64_t microseconds = (nanoseconds + 999) / 1000;
  const int bits = static_cast<int>(std::bit_width(microseconds - 1));
  return std::min(static_cast<std::size_t>(std::max(bits - kFirstBucket, 0)), kDurationBuckets - 1);
}

}  // namespace

RequestCounts::~RequestCounts() {
  for (const std::atomic<Calls*>& calls : calls_) delete calls.load();
  delete units_.load();
}

void RequestCounts::note(const FinishedRequest& finished) {
  bytes_in_.add(finished.bytes_in);
  bytes_out_.add(finished.bytes_out);
  if (finished.route.kind == Route::Kind::kOperation) {
    note_call(finished);
  } else {
    others_[static_cast<std::size_t>(finished.route.kind)].add(1);
  }
}

void RequestCounts::note_call(const FinishedRequest& finished) {
  Calls& calls = calls_of(finished.route.operation);
  OwnDurations& durations =
      calls.by_result[static_cast<std::size_t>(result_of(finished.response.status))];
  durations.buckets[bucket_of(finished.duration)].add(1);
  durations.nanoseconds.add(static_cast<std::uint64_t>(finished.duration.count()));
  const api::CallReport& report = finished.response.report;
  if (report.error()) calls.errors[static_cast<std::size_t>(*report.error())].add(1);
  for (std::size_t i = 0; i < report.size(); ++i) note_use(report.use(i));
}

RequestCounts::Calls& RequestCounts::calls_of(const api::Operation* operation) {
  std::size_t slot = (reinterpret_cast<std::uintptr_t>(operation) / sizeof(void*)) % kSlots;
  for (;; slot = (slot + 1) % kSlots) {
    Calls* const calls = calls_[slot].load(std::memory_order_relaxed);
    if (calls == nullptr) break;
    if (calls->operation == operation) return *calls;
  }
  Calls* const made = new Calls(operation);
  calls_[slot].store(made, std::memory_order_release);
  return *made;
}

void RequestCounts::note_use(const api::CallReport::Use& use) {
  if (last_units_ == nullptr || last_table_ != use.table) {
    if (units_.load(std::memory_order_relaxed) == nullptr) {
      units_.store(new UnitsByTable(), std::memory_order_release);
    }
    last_units_ = &(*units_.load(std::memory_order_relaxed))[labels_.place_of(use.table)];
    last_table_ = use.table;
  }
  last_units_->read.add(use.read_units);
  last_units_->written.add(use.write_units);
}

void RequestCounts::add_to(RequestTotals& totals) const {
  for (const std::atomic<Calls*>& slot : calls_) {
    const Calls* const calls = slot.load(std::memory_order_acquire);
    if (calls == nullptr) continue;
    RequestTotals::Calls& sum =
        totals.calls[calls->operation == nullptr ? "(unknown)" : calls->operation->name];
    for (std::size_t result = 0; result < kCallResults; ++result) {
      const OwnDurations& of = calls->by_result[result];
      Durations& to = sum.by_result[result];
      for (std::size_t i = 0; i < kDurationBuckets; ++i) to.buckets[i] += of.buckets[i].get();
      to.seconds += static_cast<double>(of.nanoseconds.get()) / 1e9;
    }
    for (std::size_t i = 0; i < kErrorTypes; ++i) sum.errors[i] += calls->errors[i].get();
  }
  for (std::size_t i = 0; i < Route::kKinds; ++i) totals.others[i] += others_[i].get();
  if (const UnitsByTable* const units = units_.load(std::memory_order_acquire)) {
    for (std::size_t i = 0; i < units->size(); ++i) {
      totals.units[i].read += (*units)[i].read.get();
      totals.units[i].written += (*units)[i].written.get();
    }
  }
  totals.bytes_in += bytes_in_.get();
  totals.bytes_out += bytes_out_.get();
}

}  // namespace magneto::server::http
