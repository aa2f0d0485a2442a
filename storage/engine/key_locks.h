#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <span>
#include <string_view>

#include "absl/container/inlined_vector.h"

namespace magneto::storage {

// Exclusive locks on keys, striped: a key is guarded by the stripe its hash names, and stripes are
// taken in ascending order, so holders of several keys cannot block each other for ever.
class KeyLocks {
 public:
  static constexpr std::size_t kStripes = 1'024;

  // Holds stripes until destroyed. Movable.
  class Holder {
   public:
    Holder() = default;
    Holder(Holder&& other) noexcept
        : locks_(other.locks_), stripes_(std::move(other.stripes_)) {
      other.locks_ = nullptr;
    }
    Holder& operator=(Holder&& other) noexcept;
    ~Holder() { release(); }
    void release();

   private:
    friend class KeyLocks;
    KeyLocks* locks_ = nullptr;
    absl::InlinedVector<std::uint16_t, 4> stripes_;  // ascending, distinct
  };

  Holder lock(std::span<const std::string_view> keys);
  // Returns after every holder that existed at the call has released.
  void wait_for_holders();

 private:
  struct alignas(64) Stripe {
    std::mutex mutex;
  };
  std::array<Stripe, kStripes> stripes_;
};

}  // namespace magneto::storage
