#pragma once

#include <cstdint>

namespace magneto::api {

// Pseudorandom numbers that depend only on a seed and on their positions. The same request at the
// same place in the order gets the same numbers.
class Draws {
 public:
  Draws(std::int64_t seed, std::uint64_t request)
      : state_(mix(static_cast<std::uint64_t>(seed) + mix(request + 1))) {}

  std::uint64_t next() { return mix(state_ += kStep); }
  // In [0, 1).
  double next_part() { return static_cast<double>(next() >> 11) * 0x1.0p-53; }

 private:
  static constexpr std::uint64_t kStep = 0x9E37'79B9'7F4A'7C15;

  // SplitMix64.
  static std::uint64_t mix(std::uint64_t bits) {
    bits = (bits ^ bits >> 30) * 0xBF58'476D'1CE4'E5B9;
    bits = (bits ^ bits >> 27) * 0x94D0'49BB'1331'11EB;
    return bits ^ bits >> 31;
  }

  std::uint64_t state_;
};

}  // namespace magneto::api
