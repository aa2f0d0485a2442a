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

// A number that one thread adds to and any reads. Adding is an ordinary addition.
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

// Bucket k has the calls of up to 2^(k + kFirstBucket) microseconds, the last one all longer ones.
inline constexpr int kFirstBucket = 4;  // 16 microseconds
inline constexpr std::size_t kDurationBuckets = 21;

// Durations of calls, as numbers that can be added up.
struct Durations {
  std::array<std::uint64_t, kDurationBuckets> buckets{};
  double seconds = 0;
};

inline constexpr std::size_t kErrorTypes = api::kErrorTypeCount;

// What the requests of many threads came to.
struct RequestTotals {
  struct Calls {
    std::array<Durations, kCallResults> by_result;
    std::array<std::uint64_t, kErrorTypes> errors{};
  };
  struct Units {
    double read = 0;
    double written = 0;
  };
  std::map<std::string_view, Calls> calls;            // by operation; "(unknown)" for what is none
  std::array<std::uint64_t, Route::kKinds> others{};  // requests that are no calls, by Route::Kind
  std::vector<Units> units = std::vector<Units>(TableLabels::kMost + 1);  // by place
  std::uint64_t bytes_in = 0;
  std::uint64_t bytes_out = 0;
};

// What the requests of one I/O thread came to: written by that thread alone, which locks nothing,
// and read by any.
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
  // Of one operation, made with its first call.
  struct Calls {
    explicit Calls(const api::Operation* of) : operation(of) {}
    const api::Operation* operation;  // nullptr: of what is none
    std::array<OwnDurations, kCallResults> by_result;
    std::array<OwnCount<std::uint32_t>, kErrorTypes> errors;
  };
  struct Units {
    OwnCount<double> read;
    OwnCount<double> written;
  };
  using UnitsByTable = std::array<Units, TableLabels::kMost + 1>;
  // Operations are fewer than half of them.
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
  // Where the last table's units are counted: most often those of the next.
  std::string last_table_;
  Units* last_units_ = nullptr;
};

}  // namespace magneto::server::http
