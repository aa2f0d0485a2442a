#pragma once

#include <array>
#include <atomic>
#include <bit>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "api/error.h"
#include "server/http/finished_request.h"
#include "server/http/table_labels.h"

namespace magneto::server::http {

// A number that one thread adds to and any thread reads. Adding needs no atomic read-modify-write.
template <typename T>
class OwnCount {
 public:
  void add(T more) {
    value_.store(value_.load(std::memory_order_relaxed) + more, std::memory_order_relaxed);
  }
  T get() const { return value_.load(std::memory_order_relaxed); }

 private:
  std::atomic<T> value_{0};
};

enum class CallResult : std::uint8_t { kOk, kClientError, kServerError };
inline constexpr std::size_t kCallResults = 3;

// Bucket k counts the calls of at most 2^(k + kFirstBucket) microseconds, the last bucket all
// longer calls.
inline constexpr int kFirstBucket = 4;  // 16 microseconds
inline constexpr std::size_t kDurationBuckets = 21;

// Durations of calls, as numbers that can be summed.
struct Durations {
  std::array<std::uint64_t, kDurationBuckets> buckets{};
  double seconds = 0;
};

inline constexpr std::size_t kErrorTypes = api::kErrorTypeCount;

// The totals over the requests of many threads.
struct RequestTotals {
  struct Calls {
    std::array<Durations, kCallResults> by_result;
    std::array<std::uint64_t, kErrorTypes> errors{};
  };
  struct Units {
    double read = 0;
    double written = 0;
  };
  std::map<std::string_view, Calls> calls;  // by operation; "(unknown)" for all unknown ones
  std::array<std::uint64_t, Route::kKinds> others{};  // requests that are not calls, by Route::Kind
  std::vector<Units> units = std::vector<Units>(TableLabels::kMost + 1);  // by place in TableLabels
  std::uint64_t bytes_in = 0;
  std::uint64_t bytes_out = 0;
};

// The totals over the requests of one I/O thread. Only that thread writes them, without a lock; any
// thread reads them.
class RequestCounts {
 public:
  explicit RequestCounts(TableLabels& labels) : labels_(labels) {}
  ~RequestCounts();
  RequestCounts(const RequestCounts&) = delete;
  RequestCounts& operator=(const RequestCounts&) = delete;

  void note(const FinishedRequest& finished);
  void add_to(RequestTotals& totals) const;

 private:
  struct OwnDurations {
    std::array<OwnCount<std::uint64_t>, kDurationBuckets> buckets;
    OwnCount<std::uint64_t> nanoseconds;
  };
  // The calls of one operation, created at its first call.
  struct Calls {
    explicit Calls(const api::Operation* of) : operation(of) {}
    const api::Operation* operation;  // nullptr for unknown operations
    std::array<OwnDurations, kCallResults> by_result;
    std::array<OwnCount<std::uint32_t>, kErrorTypes> errors;
  };
  struct Units {
    OwnCount<double> read;
    OwnCount<double> written;
  };
  using UnitsByTable = std::array<Units, TableLabels::kMost + 1>;
  // More than twice the number of operations.
  static constexpr std::size_t kSlots = 128;

  Calls& calls_of(const api::Operation* operation);
  void note_call(const FinishedRequest& finished);
  void note_use(const api::CallReport::Use& use);

  TableLabels& labels_;
  std::array<std::atomic<Calls*>, kSlots> calls_{};
  std::array<OwnCount<std::uint64_t>, Route::kKinds> others_;
  std::atomic<UnitsByTable*> units_{nullptr};
  OwnCount<std::uint64_t> bytes_in_;
  OwnCount<std::uint64_t> bytes_out_;
  // The counters of the last table. The next request most often uses the same table.
  std::string last_table_;
  Units* last_units_ = nullptr;
};

}  // namespace magneto::server::http
