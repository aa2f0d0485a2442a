#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace magneto::storage {

// The first 8 bytes of a key as a big-endian integer, padded with zeros. If two heads differ, they
// are ordered as memcmp orders the keys.
inline std::uint64_t key_head(std::string_view key) {
  std::uint64_t bytes = 0;
  if (key.size() >= sizeof bytes) {
    std::memcpy(&bytes, key.data(), sizeof bytes);
  } else {
    std::copy(key.begin(), key.end(), reinterpret_cast<char*>(&bytes));
  }
  return __builtin_bswap64(bytes);
}

}  // namespace magneto::storage
