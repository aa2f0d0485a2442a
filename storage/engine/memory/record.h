#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string_view>

#include "storage/engine/memory/record_memory.h"
#include "storage/engine/pinned_value.h"
#include "storage/model/narrow.h"

namespace magneto::storage {

// A key and a value in one allocation: this header, the key's bytes, the value's bytes. Immutable
// except for its reference count; the last release() frees it. Thread-safe.
class Record {
 public:
  // The caller holds the only reference.
  static Record* create(std::string_view key, std::string_view value) {
    const auto key_size = narrow<std::uint32_t>(key.size());
    const auto value_size = narrow<std::uint32_t>(value.size());
    void* memory = RecordMemory::allocate(sizeof(Record) + key.size() + value.size());
    Record* record = new (memory) Record(key_size, value_size);
    char* to = static_cast<char*>(memory) + sizeof(Record);
    std::copy(key.begin(), key.end(), to);
    std::copy(value.begin(), value.end(), to + key.size());
    return record;
  }
  // Makes a tombstone: there is no value under the key, even if the tree below has one. Only trees
  // above others hold tombstones; value() must not be called. The caller holds the only reference.
  static Record* create_tombstone(std::string_view key) {
    const auto key_size = narrow<std::uint32_t>(key.size());
    void* memory = RecordMemory::allocate(sizeof(Record) + key.size());
    Record* record = new (memory) Record(key_size, kTombstone);
    std::copy(key.begin(), key.end(), static_cast<char*>(memory) + sizeof(Record));
    return record;
  }
  Record(const Record&) = delete;
  Record& operator=(const Record&) = delete;

  void pin() { holders_.fetch_add(1, std::memory_order_relaxed); }
  void release() {
    if (holders_.fetch_sub(1, std::memory_order_acq_rel) == 1) {
      const std::size_t size = own_size();
      this->~Record();
      RecordMemory::free(this, size);
    }
  }

  std::string_view key() const { return {bytes(), key_size_}; }
  std::string_view value() const { return {bytes() + key_size_, value_size_}; }
  bool is_tombstone() const { return value_size_ == kTombstone; }
  // Bytes of memory that the record takes.
  std::size_t size() const { return RecordMemory::bytes_of(own_size()); }

 private:
  // No value is that long.
  static constexpr std::uint32_t kTombstone = std::numeric_limits<std::uint32_t>::max();

  Record(std::uint32_t key_size, std::uint32_t value_size)
      : value_size_(value_size), key_size_(key_size) {}
  ~Record() = default;

  std::size_t own_size() const {
    return sizeof(Record) + key_size_ + (is_tombstone() ? 0 : value_size_);
  }
  const char* bytes() const { return reinterpret_cast<const char*>(this) + sizeof(Record); }

  std::atomic<std::uint32_t> holders_{1};
  std::uint32_t value_size_;
  std::uint32_t key_size_;  // an index entry's key has 8 parts of any length, and a table key
};

// The value of a pinned record; the result holds the pin. Empty for nullptr.
inline PinnedValue value_of(Record* pinned) {
  if (pinned == nullptr) return {};
  return {pinned->value(), pinned, [](void* record) { static_cast<Record*>(record)->release(); }};
}

}  // namespace magneto::storage
