#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "storage/engine/memory/key_places.h"
#include "storage/engine/memory/record_memory.h"
#include "storage/engine/pinned_value.h"

namespace magneto::storage {

// A key and a value in one allocation: this header, the key's bytes, the value's bytes. A key whose
// parts are in the value (KeyPlaces) has no bytes of its own; its head is kept beside the record.
// The header has 8 bytes, or 16 if its sizes and places are large. Immutable except for its
// reference count; the last release() frees it. Thread-safe.
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

  std::string_view value() const {
    return form() == Form::kItem ? std::string_view(behind_header(), shape_ >> kItemValueShift)
                                 : value_of_others();
  }
  bool is_tombstone() const { return form() == Form::kTombstone; }
  // Bytes of memory that the record takes.
  std::size_t size() const { return RecordMemory::bytes_of(own_size()); }

 private:
  // The upper two bits of the shape. The others have, from the upper ones on:
  enum class Form : std::uint8_t {
    kItem,       // 10 bits each: the value's size, both parts of KeyPlaces
    kKey,        // 12 bits: the key's size; 18 bits: the value's
    kTombstone,  // the key's size
    kLong,       // 1: the LongShape has KeyPlaces; 0: it has the key's size
  };
  static constexpr unsigned kFormShift = 30;
  static constexpr unsigned kItemPartBits = 10;
  static constexpr unsigned kItemValueShift = 2 * kItemPartBits;
  static constexpr unsigned kKeyShift = 18;

  // For sizes and places that the shape has no room for. It follows the record's members.
  struct LongShape {
    std::uint32_t value_size;
    std::uint32_t key;  // its size, or both parts of KeyPlaces
  };
  static constexpr unsigned kLongPartBits = 16;

  explicit Record(std::uint32_t shape) : shape_(shape) {}
  ~Record() = default;

  static constexpr std::uint32_t shape_of(Form form, std::uint32_t rest) {
    return static_cast<std::uint32_t>(form) << kFormShift | rest;
  }
  static std::uint32_t shape_of(const KeyPlaces& places, std::size_t key_size,
                                std::size_t value_size);
  static Record* make(std::uint32_t shape, const KeyPlaces& places, std::string_view key,
                      std::string_view value);

  Form form() const { return static_cast<Form>(shape_ >> kFormShift); }
  std::uint32_t rest() const { return shape_ % (1U << kFormShift); }
  const LongShape& long_shape() const { return *reinterpret_cast<const LongShape*>(this + 1); }
  bool has_places() const { return form() == Form::kItem || shape_ == shape_of(Form::kLong, 1); }
  KeyPlaces item_places() const {
    constexpr std::uint32_t kEnd = 1U << kItemPartBits;
    return {shape_ % kEnd, (shape_ >> kItemPartBits) % kEnd};
  }
  KeyPlaces places() const;
  std::size_t key_size() const;
  std::size_t value_size() const;
  std::size_t own_size() const { return header_size() + key_size() + value_size(); }
  std::size_t header_size() const {
    return sizeof(Record) + (form() == Form::kLong ? sizeof(LongShape) : 0);
  }
  const char* behind_header() const { return reinterpret_cast<const char*>(this + 1); }
  const char* bytes() const { return reinterpret_cast<const char*>(this) + header_size(); }
  std::string_view value_of_others() const;
  int compare_other_form(std::string_view other) const;

  std::atomic<std::uint32_t> holders_{1};
  const std::uint32_t shape_;
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
