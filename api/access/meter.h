#pragma once

#include <cstdint>

#include "storage/model/effort.h"

namespace magneto::api::access {

// Counts the work of authorizing one request: one step for each byte or value examined. Policies
// and requests come from many authors, so the work has a limit. Beyond it, nothing more is examined
// and the request is refused.
class Meter {
 public:
  static constexpr std::uint64_t kMaxSteps = 20'000'000;  // about 50 ms

  // `effort`: the effort of the call, which counts the same steps; nullptr: none.
  explicit Meter(storage::Effort* effort = nullptr) : effort_(effort) {}

  // Throws NeedsWorker.
  void spend(std::uint64_t steps) {
    spent_ += steps;
    if (effort_ != nullptr) effort_->spend(steps);
  }
  bool is_over() const { return spent_ > kMaxSteps; }
  std::uint64_t spent() const { return spent_; }

 private:
  storage::Effort* effort_;
  std::uint64_t spent_ = 0;
};

}  // namespace magneto::api::access
