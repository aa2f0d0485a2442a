#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace magneto::storage {

// MD5 of eight short messages at once. Each step of a digest waits for the one before, so a
// processor that takes the steps of eight digests in turn takes little longer than for one.
class Md5Lanes {
 public:
  static constexpr std::size_t kCount = 8;
  static constexpr std::size_t kMostBytes = 55;  // of a message that is one block with its padding

  // Sets a message of at most kMostBytes, in two parts.
  void set(std::size_t lane, std::string_view first, std::string_view second);
  // The first 64 bits (big-endian) of each message's digest. A lane that was never set has any.
  std::array<std::uint64_t, kCount> heads() const;

 private:
  static constexpr std::size_t kWords = 16;

  std::uint32_t words_[kWords][kCount] = {};
};

}  // namespace magneto::storage
