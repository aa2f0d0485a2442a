#pragma once

#include <atomic>
#include <cstdint>
#include <exception>
#include <limits>

namespace magneto::storage {

// Thrown on an I/O thread by a call that turns out to take long or to wait. Nothing has been
// changed then: the call is made again, from its start, on a thread that may take its time.
class NeedsWorker : public std::exception {
 public:
  const char* what() const noexcept override { return "the call needs a worker thread"; }
};

// What one call has done so far, and what it still may do on the thread it runs on. Work is counted
// in steps and never measured in time, so the same call comes to the same count everywhere. One
// step is a few nanoseconds of work: a comparison of two short values, 16 bytes looked at.
class Effort {
 public:
  static constexpr std::uint64_t kUnlimited = std::numeric_limits<std::uint64_t>::max();

  // `limit`: steps after which the call leaves its thread; kUnlimited on a worker, where the call
  // may also wait. `stopping`, when given, becomes true as soon as the server is to end.
  explicit Effort(std::uint64_t limit = kUnlimited, const std::atomic<bool>* stopping = nullptr)
      : limit_(limit), stopping_(stopping) {}
  Effort(const Effort&) = delete;
  Effort& operator=(const Effort&) = delete;

  // Counts steps, done or about to be done. Throws NeedsWorker beyond the limit.
  void spend(std::uint64_t steps) {
    spent_ += steps;
    if (spent_ > limit_) throw NeedsWorker();
  }
  std::uint64_t spent() const { return spent_; }

  // Whether the call may wait for the disk or for others who do.
  bool may_wait() const { return limit_ == kUnlimited; }
  // To be called before the first of several separate changes: from then on the call stays where it
  // is, since it could not be made again.
  void stay() {
    if (!may_wait()) limit_ = kUnlimited - 1;
  }

  // A long call then ends as soon as it rightly can.
  bool is_stopping() const {
    return stopping_ != nullptr && stopping_->load(std::memory_order_relaxed);
  }

 private:
  std::uint64_t spent_ = 0;
  std::uint64_t limit_;
  const std::atomic<bool>* stopping_;
};

}  // namespace magneto::storage
