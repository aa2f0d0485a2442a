#pragma once

#include <atomic>
#include <cstdint>
#include <exception>
#include <limits>
#include <thread>

namespace magneto::storage {

// Thrown by a call that would take too long, or wait, on its thread, or that has come too late.
// Nothing has been changed. The call is repeated from its start on a thread that may take its time,
// unless the server is ending.
class NeedsWorker : public std::exception {
 public:
  const char* what() const noexcept override { return "the call needs a worker thread"; }
};

// The work that one call has done so far, and the limits of its thread. Work is counted in steps
// and never measured in time, so the same call has the same count everywhere. One step is a few
// nanoseconds of work: a comparison of two short values, 16 bytes examined.
//
// There are three kinds of threads. An I/O thread works up to a number of steps and never waits. A
// waiting worker works up to a number of steps and may wait. A computing worker may do both without
// limit; once the server is ending, it starts no further change. Background threads have no Effort
// and no limits.
//
// A thread has one current Effort, the last one made. Code that may wait finds it by the static
// functions, so it need not be passed down to code deep below a call, such as a lock of the engine.
// Created and destroyed on the thread that makes the call.
class Effort {
 public:
  static constexpr std::uint64_t kUnlimited = std::numeric_limits<std::uint64_t>::max();

  // `limit`: the steps after which the call leaves its thread, an I/O thread; kUnlimited on a
  // computing worker. `stopping`, if given, becomes true as soon as the server is ending.
  explicit Effort(std::uint64_t limit = kUnlimited, const std::atomic<bool>* stopping = nullptr)
      : Effort(limit, stopping, limit == kUnlimited) {}
  static Effort of_waiting_worker(std::uint64_t limit, const std::atomic<bool>* stopping) {
    return Effort(limit, stopping, true);
  }
  ~Effort() {
    if (current_ == this) current_ = previous_;
  }
  Effort(const Effort&) = delete;
  Effort& operator=(const Effort&) = delete;

  // Counts steps, done or about to be done. Throws NeedsWorker beyond the limit and, on a computing
  // worker, from time to time if the server is ending.
  void spend(std::uint64_t steps) {
    spent_ += steps;
    if (spent_ > limit_) exceed();
  }
  std::uint64_t spent() const { return spent_; }
  // Whether the call left because it takes long and needs a computing worker.
  bool is_exhausted() const { return spent_ > limit_; }

  // Whether the call may wait for the disk or for other threads that do.
  bool may_wait() const { return may_wait_; }
  // Called by code that is known to take long, before anything is changed; also before several
  // separate commits. Moves the call to a computing worker.
  void leave() {
    if (is_computing_ || is_fixed_) return;
    spent_ = limit_ + 1;
    throw NeedsWorker();
  }
  // Called after a change, or before the first of several separate ones. From then on the call
  // stays on its thread, since it cannot be repeated.
  void stay() {
    limit_ = kUnlimited;
    is_fixed_ = true;
  }

  // If true, a long call should end as soon as it correctly can.
  bool is_stopping() const {
    return stopping_ != nullptr && stopping_->load(std::memory_order_relaxed);
  }

  // ---- for the call that this thread is making, if any ------------------------------------------

  static bool thread_may_wait() { return current_ == nullptr || current_->may_wait_; }
  // Called before waiting for the disk, for other threads that may wait for it, or for anything
  // else that may take long. Throws NeedsWorker on an I/O thread.
  static void before_waiting() {
    if (waits_elsewhere()) throw NeedsWorker();
  }
  // Called from time to time during a long wait, before anything is changed. Throws NeedsWorker if
  // the server is ending.
  static void before_going_on() {
    if (current_ != nullptr && current_->is_too_late()) throw NeedsWorker();
  }
  // Takes a lock whose holder may wait or work long. An I/O thread tries only for a moment, the
  // time in which another I/O thread would release it, and then throws NeedsWorker. A worker that
  // has waited for the lock also throws it if the server is ending, since many may wait for one
  // key.
  template <typename Lock>
  static void take(Lock& lock) {
    if (waits_elsewhere()) {
      for (int i = 0; i < kPatience; ++i) {
        if (lock.try_lock()) return;
        std::this_thread::yield();
      }
      before_waiting();
    }
    lock.lock();
    if (current_ == nullptr || !current_->is_too_late()) return;
    lock.unlock();
    throw NeedsWorker();
  }
  // Called by every commit of the storage layer: stay().
  static void record_change() {
    if (current_ != nullptr) current_->stay();
  }

 private:
  static constexpr int kPatience = 64;  // some ten microseconds
  // The steps after which a computing worker checks whether the server is ending.
  static constexpr std::uint64_t kStepsBetweenLooks = 1'000'000;

  Effort(std::uint64_t limit, const std::atomic<bool>* stopping, bool may_wait)
      : limit_(limit),
        stopping_(stopping),
        previous_(current_),
        may_wait_(may_wait),
        is_computing_(limit == kUnlimited) {
    if (is_computing_ && stopping != nullptr) limit_ = kStepsBetweenLooks;
    current_ = this;
  }

  bool is_too_late() const { return !is_fixed_ && is_stopping(); }
  void exceed() {
    if (!is_computing_ || is_too_late()) throw NeedsWorker();
    limit_ = spent_ + kStepsBetweenLooks;
  }

  static bool waits_elsewhere() {
    return current_ != nullptr && !current_->may_wait_ && !current_->is_fixed_;
  }

  static inline constinit thread_local Effort* current_ = nullptr;

  std::uint64_t spent_ = 0;
  std::uint64_t limit_;
  const std::atomic<bool>* stopping_;
  Effort* const previous_;
  const bool may_wait_;
  const bool is_computing_;
  bool is_fixed_ = false;  // see stay()
};

}  // namespace magneto::storage
