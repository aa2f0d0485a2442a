#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

#include "storage/engine/memory/key_places.h"
#include "storage/engine/memory/record_memory.h"
#include "storage/engine/pinned_value.h"

namespace magneto::storage {

// A key and a value in one allocation: this header, the key's bytes, the value's bytes. A key whose
// parts are in the value (KeyPlaces) has no bytes of its own; its head is kept beside the record.
// Immutable except for its reference count; the last release() frees it. Thread-safe.
class Record {
 public:
  // The caller holds the only reference.
  static Record* create(std::string_view key, std::string_view value);
  // Makes a tombstone: there is no value under the key, even if the tree below has one. Only trees
  // above others hold tombstones; value() must not be called. The caller holds the only reference.
  static Record* create_tombstone(std::string_view key);
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

  // The order of the record's key and another one under memcmp. Their heads (key_head.h) are equal.
  int compare_key(std::string_view other) const;
  // `head`: that of the record's key.
  void append_key(std::uint64_t head, std::string& out) const;

  std::string_view value() const { return {bytes() + key_size(), value_size_}; }
  bool is_tombstone() const { return value_size_ == kTombstone; }
  // Bytes of memory that the record takes.
  std::size_t size() const { return RecordMemory::bytes_of(own_size()); }

 private:
  // No value is that long.
  static constexpr std::uint32_t kTombstone = std::numeric_limits<std::uint32_t>::max();

  Record(std::uint32_t key, std::uint32_t value_size) : value_size_(value_size), key_(key) {}
  ~Record() = default;

  bool has_key() const { return !KeyPlaces::are_places(key_); }
  std::size_t key_size() const { return has_key() ? key_ : 0; }
  std::size_t own_size() const {
    return sizeof(Record) + key_size() + (is_tombstone() ? 0 : value_size_);
  }
  const char* bytes() const { return reinterpret_cast<const char*>(this) + sizeof(Record); }
  KeyPlaces places() const { return KeyPlaces(key_); }

  std::atomic<std::uint32_t> holders_{1};
  std::uint32_t value_size_;
  // The size of the key, or KeyPlaces. An index entry's key has 8 parts of any length, and a table
  // key.
  std::uint32_t key_;
};

// A record, and the head of its key.
struct KeyedRecord {
  void append_key(std::string& out) const { record->append_key(head, out); }

  Record* record;
  std::uint64_t head;
};

// The value of a pinned record; the result holds the pin. Empty for nullptr.
inline PinnedValue value_of(Record* pinned) {
  if (pinned == nullptr) return {};
  return {pinned->value(), pinned, [](void* record) { static_cast<Record*>(record)->release(); }};
}

}  // namespace magneto::storage
