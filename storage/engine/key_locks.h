#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <span>
#include <string_view>
#include <utility>

#include "absl/container/inlined_vector.h"
#include "storage/model/effort.h"

namespace magneto::storage {

// Exclusive locks on keys, striped: a key's hash selects the stripe that guards it. Threads take
// stripes in ascending order, so holders of several keys cannot deadlock. A thread that already
// holds keys must not lock more, because two keys may share a stripe. Thread-safe; the thread that
// locked a Holder must release it.
class KeyLocks {
 public:
  // With this many, two batches of 25 writes rarely share a stripe by chance (1 in 50). 4 bytes
  // each.
  static constexpr std::size_t kStripes = 32'768;
  // For stores with few concurrent writers, of which there may be thousands: two batches of 25
  // writes share a stripe about every second time.
  static constexpr std::size_t kFewStripes = 1'024;

  // `stripes`: a power of two, at most kStripes.
  explicit KeyLocks(std::size_t stripes = kStripes);

  // Holds stripes until destroyed. Movable.
  class Holder {
   public:
    Holder() = default;
    Holder(Holder&& other) noexcept
        : locks_(std::exchange(other.locks_, nullptr)), stripes_(std::move(other.stripes_)) {}
    Holder& operator=(Holder&& other) noexcept;
    ~Holder() { release(); }
    void release();

   private:
    friend class KeyLocks;
    KeyLocks* locks_ = nullptr;
    absl::InlinedVector<std::uint16_t, 4> stripes_;  // ascending, distinct
  };

  // Waits for the keys' stripes; on an I/O thread only for a moment (Effort::take). Without keys
  // the result holds nothing.
  Holder lock(std::span<const std::string_view> keys);
  // Returns after every holder that existed at the call has released. The caller must hold none.
  void wait_for_holders();

  // While a Pause exists, no thread holds a key, and lock() waits. Must be short-lived.
  class Pause {
   public:
    explicit Pause(KeyLocks& locks) : locks_(locks) { locks_.pause(); }
    ~Pause() { locks_.resume(); }
    Pause(const Pause&) = delete;
    Pause& operator=(const Pause&) = delete;

   private:
    KeyLocks& locks_;
  };

 private:
  // Guards the keys whose hash selects it. A mutex of 4 bytes instead of 40.
  class Stripe {
   public:
    bool try_lock() {
      State expected = State::kFree;
      return state_.compare_exchange_strong(expected, State::kHeld);
    }
    bool is_held() const { return state_.load() != State::kFree; }
    void lock() {
      if (try_lock()) return;
      while (state_.exchange(State::kAwaited) != State::kFree) {
        state_.wait(State::kAwaited, std::memory_order_relaxed);
      }
    }
    void unlock() {
      if (state_.exchange(State::kFree, std::memory_order_release) == State::kAwaited) {
        state_.notify_one();
      }
    }

   private:
    enum class State : int { kFree = 0, kHeld, kAwaited };  // a futex has the size of an int
    std::atomic<State> state_ = State::kFree;
  };
  std::uint16_t stripe_of(std::string_view key) const;
  Holder lock_stripes(std::span<const std::uint16_t> wanted);
  void pause();
  void resume();
  void wait_for_pause() const;

  const std::size_t last_;  // the last stripe
  struct Free {
    void operator()(Stripe* stripes) const { std::free(stripes); }
  };
  const std::unique_ptr<Stripe[], Free> stripes_;
  // A thread takes a stripe and then reads this flag; pause() sets it and then reads the stripes.
  // So at least one of them sees the other.
  std::atomic<bool> is_paused_{false};
  std::mutex pausing_;  // held during a pause
};

}  // namespace magneto::storage
