#pragma once

#include <cstdint>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>

#include "storage/model/narrow.h"
#include "storage/model/number.h"

namespace magneto::storage {

// A value has the same representation everywhere: in a request being evaluated, when stored, and in
// an answer. It is a contiguous, canonical run of bytes, so equal values have equal bytes. Nothing
// is decoded into a tree unless a nested document is being changed. Views trust their bytes;
// is_valid_item (storage/encoding/item_encoding.h) checks bytes that may be damaged.
//
//   value   := type body
//   type    := one byte, AttributeType
//   body    := S, B: length bytes
//            | N: length number-bytes
//            | BOOL: one byte, 0 or 1
//            | NULL: nothing
//            | SS, NS, BS: size count { length bytes }   ascending bytewise, no duplicates
//            | L: size count { value }
//            | M: size count { length name value }       ascending bytewise by name, no duplicates
//   item    := count { length name value }               ascending bytewise by name, no duplicates
//   length  := of the part after it, in bytes: unsigned LEB128 in its shortest form
//   size    := of all that follows it, count included, in bytes: 32 bits, little-endian
//   count   := 32 bits, little-endian
//
// Number bytes order numerically under memcmp, so a number set is in numeric order too.
enum class AttributeType : std::uint8_t {
  kString = 1,
  kNumber,
  kBinary,
  kBoolean,
  kNull,
  kStringSet,
  kNumberSet,
  kBinarySet,
  kList,
  kMap,
};

// The wire name: "S", "N", "B", "BOOL", "NULL", "SS", "NS", "BS", "L" or "M".
std::string_view type_name(AttributeType type);

inline bool is_set(AttributeType type) {
  return type == AttributeType::kStringSet || type == AttributeType::kNumberSet ||
         type == AttributeType::kBinarySet;
}
inline bool is_document(AttributeType type) {
  return type == AttributeType::kList || type == AttributeType::kMap;
}

class MapView;
class ListView;
class SetView;

// A view of one value; absent if default-constructed. Valid while its bytes are. The accessors
// require the matching type.
class AttributeView {
 public:
  AttributeView() = default;
  // `bytes` must be exactly one canonical value.
  explicit AttributeView(std::string_view bytes) : bytes_(bytes) {}

  explicit operator bool() const { return !bytes_.empty(); }
  AttributeType type() const { return static_cast<AttributeType>(bytes_.front()); }
  std::string_view bytes() const { return bytes_; }

  std::string_view scalar_bytes() const;  // S, B: the content; N: the number bytes
  Number number() const { return Number::from_bytes(scalar_bytes()); }  // N
  bool boolean() const { return bytes_[1] != 0; }                       // BOOL
  SetView set() const;                                                  // SS, NS, BS
  ListView list() const;                                                // L
  MapView map() const;                                                  // M

  friend bool operator==(AttributeView a, AttributeView b) { return a.bytes_ == b.bytes_; }

 private:
  std::string_view bytes_;
};

// The fixed-width counts and sizes of the format.
inline std::uint32_t read_count(std::string_view bytes) {
  const auto byte = [bytes](std::size_t i) {
    return static_cast<std::uint32_t>(static_cast<std::uint8_t>(bytes[i])) << (8 * i);
  };
  return byte(0) | byte(1) | byte(2) | byte(3);
}
inline void write_count(char* at, std::size_t wide) {
  const auto count = narrow<std::uint32_t>(wide);
  for (int i = 0; i < 4; ++i) at[i] = static_cast<char>(count >> (8 * i));
}

// Reads a length-prefixed run at `at`, and moves `at` behind it.
inline std::string_view read_run(const char*& at) {
  std::size_t length = static_cast<std::uint8_t>(*at++);
  if (length >= 0x80) [[unlikely]] {  // most runs are short
    length &= 0x7F;
    for (unsigned shift = 7;; shift += 7) {
      const auto byte = static_cast<std::uint8_t>(*at++);
      length |= static_cast<std::size_t>(byte & 0x7F) << shift;
      if (byte < 0x80) break;
    }
  }
  const std::string_view run(at, length);
  at += length;
  return run;
}

// Removes a length-prefixed run from the front of `bytes` and returns it.
inline std::string_view take_bytes(std::string_view& bytes) {
  const char* at = bytes.data();
  const std::string_view run = read_run(at);
  bytes.remove_prefix(static_cast<std::size_t>(at - bytes.data()));
  return run;
}

// Reads a value at `at`, and moves `at` behind it.
inline AttributeView read_value(const char*& at) {
  const char* const start = at++;
  switch (static_cast<AttributeType>(*start)) {
    case AttributeType::kString:
    case AttributeType::kNumber:
    case AttributeType::kBinary:
      read_run(at);
      break;
    case AttributeType::kBoolean:
      ++at;
      break;
    case AttributeType::kNull:
      break;
    default:
      at += 4 + read_count({at, 4});
  }
  return AttributeView({start, static_cast<std::size_t>(at - start)});
}

// Removes the first value from `bytes` and returns it.
inline AttributeView take_value(std::string_view& bytes) {
  const char* at = bytes.data();
  const AttributeView value = read_value(at);
  bytes.remove_prefix(value.bytes().size());
  return value;
}

// Members of a set in canonical order: text, binary or number bytes.
class SetView {
 public:
  class Iterator;
  SetView() = default;
  SetView(std::uint32_t count, std::string_view body) : count_(count), body_(body) {}
  std::uint32_t size() const { return count_; }
  bool contains(std::string_view member) const;
  // Overload that also adds the number of members examined to `passed`.
  bool contains(std::string_view member, std::uint64_t& passed) const;
  Iterator begin() const;
  Iterator end() const;

 private:
  std::uint32_t count_ = 0;
  std::string_view body_;
};

class ListView {
 public:
  class Iterator;
  ListView() = default;
  ListView(std::uint32_t count, std::string_view body) : count_(count), body_(body) {}
  std::uint32_t size() const { return count_; }
  std::string_view body() const { return body_; }  // its values, one after the other
  AttributeView at(std::uint32_t index) const;     // absent if out of range
  Iterator begin() const;
  Iterator end() const;

 private:
  std::uint32_t count_ = 0;
  std::string_view body_;
};

struct NamedAttribute {
  std::string_view name;
  AttributeView value;
};

// The order of two names under memcmp; their first bytes nearly always decide.
inline int compare_names(std::string_view a, std::string_view b) {
  if (a.empty() || b.empty() || a.front() == b.front()) return a.compare(b);
  return static_cast<unsigned char>(a.front()) < static_cast<unsigned char>(b.front()) ? -1 : 1;
}

// A map value's members, or a whole item.
class MapView {
 public:
  class Iterator;
  MapView() = default;
  // `bytes` is count { length name value }; empty means no members.
  explicit MapView(std::string_view bytes) : bytes_(bytes) {}

  std::uint32_t size() const;
  bool empty() const { return size() == 0; }
  AttributeView find(std::string_view name) const;  // absent if there is none
  // Overload that also adds the number of members examined to `passed`.
  AttributeView find(std::string_view name, std::uint64_t& passed) const;
  std::string_view bytes() const { return bytes_; }
  // The bytes of the members, each a name and a value (take_bytes(), take_value()).
  std::string_view members() const { return bytes_.empty() ? bytes_ : bytes_.substr(4); }
  Iterator begin() const;
  Iterator end() const;

 private:
  std::string_view bytes_;
};

// An item is a map without its leading type and size.
using ItemView = MapView;

inline std::string_view AttributeView::scalar_bytes() const {
  std::string_view rest = bytes_.substr(1);
  return take_bytes(rest);
}
inline SetView AttributeView::set() const {
  return SetView(read_count(bytes_.substr(5)), bytes_.substr(9));
}
inline ListView AttributeView::list() const {
  return ListView(read_count(bytes_.substr(5)), bytes_.substr(9));
}
inline MapView AttributeView::map() const { return MapView(bytes_.substr(5)); }
inline std::uint32_t MapView::size() const { return bytes_.empty() ? 0 : read_count(bytes_); }

class SetView::Iterator {
 public:
  using value_type = std::string_view;
  using difference_type = std::ptrdiff_t;
  Iterator() = default;
  explicit Iterator(std::string_view rest) : rest_(rest) { advance(); }
  std::string_view operator*() const { return current_; }
  Iterator& operator++() {
    advance();
    return *this;
  }
  bool operator!=(const Iterator& other) const { return done_ != other.done_; }

 private:
  void advance() {
    done_ = rest_.empty();
    if (!done_) current_ = take_bytes(rest_);
  }
  std::string_view rest_;
  std::string_view current_;
  bool done_ = true;
};

class ListView::Iterator {
 public:
  using value_type = AttributeView;
  using difference_type = std::ptrdiff_t;
  Iterator() = default;
  explicit Iterator(std::string_view rest) : rest_(rest) { advance(); }
  AttributeView operator*() const { return current_; }
  Iterator& operator++() {
    advance();
    return *this;
  }
  bool operator!=(const Iterator& other) const { return done_ != other.done_; }

 private:
  void advance() {
    done_ = rest_.empty();
    if (!done_) current_ = take_value(rest_);
  }
  std::string_view rest_;
  AttributeView current_;
  bool done_ = true;
};

class MapView::Iterator {
 public:
  using value_type = NamedAttribute;
  using difference_type = std::ptrdiff_t;
  Iterator() = default;
  explicit Iterator(std::string_view rest) : rest_(rest) { advance(); }
  const NamedAttribute& operator*() const { return current_; }
  const NamedAttribute* operator->() const { return &current_; }
  Iterator& operator++() {
    advance();
    return *this;
  }
  bool operator!=(const Iterator& other) const { return done_ != other.done_; }

 private:
  void advance() {
    done_ = rest_.empty();
    if (done_) return;
    current_.name = take_bytes(rest_);
    current_.value = take_value(rest_);
  }
  std::string_view rest_;
  NamedAttribute current_;
  bool done_ = true;
};

inline SetView::Iterator SetView::begin() const { return Iterator(body_); }
inline SetView::Iterator SetView::end() const { return Iterator(); }
inline ListView::Iterator ListView::begin() const { return Iterator(body_); }
inline ListView::Iterator ListView::end() const { return Iterator(); }
inline MapView::Iterator MapView::begin() const { return Iterator(members()); }
inline MapView::Iterator MapView::end() const { return Iterator(); }

// Owns the bytes of one value.
class AttributeValue {
 public:
  AttributeValue() = default;  // absent
  explicit AttributeValue(std::string bytes) : bytes_(std::move(bytes)) {}
  explicit AttributeValue(AttributeView view) : bytes_(view.bytes()) {}
  static AttributeValue string(std::string_view text);
  static AttributeValue number(const Number& number);
  static AttributeValue binary(std::string_view bytes);
  static AttributeValue boolean(bool value);

  AttributeView view() const { return AttributeView(bytes_); }
  operator AttributeView() const { return view(); }  // NOLINT: an owner reads like its view
  explicit operator bool() const { return !bytes_.empty(); }

 private:
  std::string bytes_;
};

// Owns the bytes of one item.
class Item {
 public:
  Item() = default;  // no attributes
  explicit Item(std::string bytes) : bytes_(std::move(bytes)) {}
  explicit Item(ItemView view) : bytes_(view.bytes()) {}

  ItemView view() const { return ItemView(bytes_); }
  operator ItemView() const { return view(); }  // NOLINT: an owner reads like its view
  const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
};

}  // namespace magneto::storage
