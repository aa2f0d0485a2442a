#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <span>
#include <string_view>
#include <utility>

#include "absl/container/inlined_vector.h"

namespace magneto::storage {

// Exclusive locks on keys, striped: a key is guarded by the stripe its hash names, and stripes are
// taken in ascending order, so holders of several keys cannot block each other for ever. A thread
// that already holds keys must not lock more: two keys may share a stripe. Thread-safe; a Holder is
// released by the thread that locked it.
class KeyLocks {
 public:
  static constexpr std::size_t kStripes = 1'024;

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

  // Waits for the keys' stripes. No keys: a holder of nothing.
  Holder lock(std::span<const std::string_view> keys);
  // Returns after every holder that existed at the call has released. The caller holds none.
  void wait_for_holders();

 private:
  struct alignas(64) Stripe {  // a cache line each
    std::mutex mutex;          // guards the keys whose hash names this stripe
  };
  std::array<Stripe, kStripes> stripes_;
};

}  // namespace magneto::storage
