#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace magneto::storage {

// How much of a copy is made in one step and committed at once: some milliseconds of work, so that
// whoever shares the thread, the disk and the locks with it does not wait for long.
struct ItemChunk {
  static constexpr std::size_t kMostItems = 512;
  static constexpr std::size_t kMostBytes = 512 << 10;  // then no further item is added
  // What a record of a small item takes beside its key and value, about.
  static constexpr std::size_t kRecord = 64;

  std::size_t items = 0;
  std::size_t bytes = 0;  // of all that is to be committed

  bool is_full() const { return items >= kMostItems || bytes >= kMostBytes; }
};

// The same item's key under the number of another table or backup, whose tree_prefix() it is.
inline std::string key_under(std::string_view prefix, std::string_view item_key) {
  return std::string(prefix).append(item_key.substr(prefix.size()));
}

// The smallest key behind that one.
inline std::string key_behind(std::string_view key) { return std::string(key).append(1, '\0'); }

}  // namespace magneto::storage
