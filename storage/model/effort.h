#pragma once

#include <atomic>
#include <cstdint>
#include <exception>
#include <limits>
#include <thread>

namespace magneto::storage {

// Thrown by a call that turns out to take too long, or to wait, for the thread it is made on, or to
// have come too late. Nothing has been changed then: the call is made again, from its start, on a
// thread that may take its time, unless the server is to end.
class NeedsWorker : public std::exception {
 public:
  const char* what() const noexcept override { return "the call needs a worker thread"; }
};

// What one call has done so far, and what it still may do on the thread it runs on. Work is counted
// in steps and never measured in time, so the same call comes to the same count everywhere. One
// step is a few nanoseconds of work: a comparison of two short values, 16 bytes looked at.
//
// There are three kinds of threads. An I/O thread works so many steps and never waits. A waiting
// worker works so many steps and may wait. A computing worker may do both without end, until the
// server is to end: then it begins no change any more. Threads of the background have no Effort and
// may do what they want.
//
// A thread has one Effort at a time, the one made last, which what may wait finds by itself (the
// static functions): whatever stands deep below a call, as a lock of the engine, cannot be
// forgotten on the way. Made and ended on the thread that makes the call.
class Effort {
 public:
  static constexpr std::uint64_t kUnlimited = std::numeric_limits<std::uint64_t>::max();

  // `limit`: steps after which the call leaves its thread, an I/O thread; kUnlimited on a computing
  // worker. `stopping`, when given, becomes true as soon as the server is to end.
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

  // Counts steps, done or about to be done. Throws NeedsWorker beyond the limit, and on a computing
  // worker, now and then, when the server is to end.
  void spend(std::uint64_t steps) {
    spent_ += steps;
    if (spent_ > limit_) exceed();
  }
  std::uint64_t spent() const { return spent_; }
  // Whether the call left because it takes long, so that only a computing worker will do.
  bool is_exhausted() const { return spent_ > limit_; }

  // Whether the call may wait for the disk or for others who do.
  bool may_wait() const { return may_wait_; }
  // To be called by what is known to take long, before anything is changed: several commits, one
  // after the other, too. Leaves for a computing worker.
  void leave() {
    if (is_computing_ || is_fixed_) return;
    spent_ = limit_ + 1;
    throw NeedsWorker();
  }
  // To be called after a change, or before the first of several separate ones: from then on the
  // call stays where it is, since it could not be made again.
  void stay() {
    limit_ = kUnlimited;
    is_fixed_ = true;
  }

  // A long call then ends as soon as it rightly can.
  bool is_stopping() const {
    return stopping_ != nullptr && stopping_->load(std::memory_order_relaxed);
  }

  // ---- of the call that this thread is making, if any ------------------------------------------

  static bool thread_may_wait() { return current_ == nullptr || current_->may_wait_; }
  // To be called before waiting for the disk, for others who may wait for it, or for anything else
  // that may take long. Throws NeedsWorker on an I/O thread.
  static void before_waiting() {
    if (waits_elsewhere()) throw NeedsWorker();
  }
  // To be called now and then while waiting for what may take long, before anything is changed. Throws
  // NeedsWorker when the server is to end.
  static void before_going_on() {
    if (current_ != nullptr && current_->is_too_late()) throw NeedsWorker();
  }
  // Takes a lock whose holder may wait or work long. An I/O thread only tries for a moment, in
  // which another one would release it, and throws NeedsWorker then. So does a worker that has
  // waited for the lock when the server is to end: many may wait for one key.
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
  // stay(), of every commit of the storage layer.
  static void note_change() {
    if (current_ != nullptr) current_->stay();
  }

 private:
  static constexpr int kPatience = 64;  // some ten microseconds
  // Steps after which a computing worker looks whether the server is to end.
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
