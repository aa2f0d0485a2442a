#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace magneto::storage {

// The part of a copy that is made in one step and committed at once: some milliseconds of work, so
// that other users of the thread, the disk and the locks do not wait long.
struct ItemChunk {
  static constexpr std::size_t kMostItems = 512;
  static constexpr std::size_t kMostBytes = 512 << 10;  // then no further item is added
  // The approximate size of a small item's record besides its key and value.
  static constexpr std::size_t kRecord = 64;

  std::size_t items = 0;
  std::size_t bytes = 0;  // of everything to commit

  bool is_full() const { return items >= kMostItems || bytes >= kMostBytes; }
};

// The item's key under another table or backup, whose tree_prefix() is `prefix`.
inline std::string key_under(std::string_view prefix, std::string_view item_key) {
  return std::string(prefix).append(item_key.substr(prefix.size()));
}

// The smallest key after `key`.
inline std::string key_behind(std::string_view key) { return std::string(key).append(1, '\0'); }

}  // namespace magneto::storage
