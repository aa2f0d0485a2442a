#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "storage/model/narrow.h"

// Reads JSON requests. simdjson parses a text (only in json_reader.cc) into a flat tape; these
// classes are handles that walk the tape. Nothing is copied: strings are views into the parser's
// buffers.
namespace magneto::api::json {

enum class Type : std::uint8_t { kNull, kBoolean, kNumber, kString, kArray, kObject };

class Object;
class Array;

// A parsed text in simdjson's form ("The tape format", simdjson documentation): 64-bit words. The
// upper 8 bits give the kind, the lower 56 bits are the payload:
//
//   r        the first word and the last
//   n t f    null, true, false; no payload
//   l u d    a number: int64, uint64 or double is the next word
//   "        a string: the offset, in the string buffer, of its length (4 bytes, in the order of
//            the machine) and its text
//   [ {      an array or object: the index after its end in the lower 32 bits, above it its size,
//            kCountLimit for that and more; its elements follow, an object's as name and value
//   ] }      its end; the payload is the index of its beginning
struct Tape {
  static constexpr std::size_t kCountLimit = 0xFF'FFFF;

  std::uint64_t* words;
  char* strings;

  char kind(std::size_t at) const { return static_cast<char>(words[at] >> 56); }
  std::uint64_t payload(std::size_t at) const { return words[at] & 0x00FF'FFFF'FFFF'FFFFULL; }
  std::size_t after(std::size_t at) const {
    constexpr char kCase = '[' ^ '{';  // a bit
    const char what = kind(at);
    if (what == '"') return at + 1;  // most words are
    if ((what | kCase) == '{') return static_cast<std::uint32_t>(words[at]);
    return at + (what == 'l' || what == 'u' || what == 'd' ? 2 : 1);
  }
  std::size_t count(std::size_t at) const { return words[at] >> 32 & kCountLimit; }
  std::string_view text(std::size_t at) const {
    const char* start = strings + payload(at);
    std::uint32_t size;
    std::memcpy(&size, start, sizeof(size));
    return {start + sizeof(size), size};
  }
};

// The targets of absent values, and of objects and arrays requested from values of another kind: no
// value, {} and []. With them, reading needs no branch for these cases.
inline constinit std::uint64_t nothing_words[] = {
    0,
    std::uint64_t{'{'} << 56 | 3,
    std::uint64_t{'}'} << 56 | 1,
    std::uint64_t{'['} << 56 | 5,
    std::uint64_t{']'} << 56 | 3,
};
inline constexpr std::size_t kNoObject = 1;
inline constexpr std::size_t kNoArray = 3;
inline constexpr Tape kNothing{nothing_words, nullptr};

// One JSON value of a Document; absent if default-constructed. Valid until the Document parses
// another text. Every accessor may be called on every value: if the value is absent or of another
// kind, the accessor returns "", false, 0, {} or [].
class Value {
 public:
  Value() = default;

  explicit operator bool() const { return tape_ != &kNothing; }
  Type type() const;  // absent: kNull
  bool is_null() const { return tape_->kind(index_) == 'n'; }
  bool is_string() const { return tape_->kind(index_) == '"'; }
  bool is_array() const { return tape_->kind(index_) == '['; }
  bool is_object() const { return tape_->kind(index_) == '{'; }

  std::string_view string() const { return is_string() ? tape_->text(index_) : std::string_view(); }
  // The value of a kBoolean, or of a string that DynamoDB accepts as a boolean (is_boolean_text).
  bool boolean() const;
  // kNumber: written without fraction and exponent.
  bool is_whole() const { return tape_->kind(index_) == 'l' || tape_->kind(index_) == 'u'; }
  // kNumber: the value, if it was written as a whole number and fits 64 bits.
  std::optional<std::int64_t> integer() const;
  // For a kNumber, or a string that passes is_integer_text(): the value without its fraction, which
  // DynamoDB drops. If it does not fit, the nearest integer that does.
  std::int64_t truncated() const;
  double number() const;
  Array array() const;
  Object object() const;

 private:
  friend class Document;
  friend class Object;
  friend class Array;
  friend std::size_t container_levels(Value value);
  Value(const Tape* tape, std::size_t index) : tape_(tape), index_(index) {}
  const Tape* tape_ = &kNothing;
  std::size_t index_ = 0;
};

// True if DynamoDB reads a string as a boolean: true, t, yes, y, 1, false, f, no, n, 0 in any case.
bool is_boolean_text(std::string_view text);

// True if a string is a whole number of at most 18 digits, such as "10" or "-1".
bool is_integer_text(std::string_view text);

struct Member {
  std::string_view name;
  Value value;
};

// Members in the order sent. A name sent twice appears twice; the last one counts, and find()
// returns it. A dropped member keeps its place but loses its name: searches by name no longer find
// it, and append_compact leaves it out.
class Object {
 public:
  class Iterator;
  Object() = default;
  bool empty() const;
  std::size_t size() const;
  Value find(std::string_view name) const;  // absent if there is none
  Iterator begin() const;
  Iterator end() const;
  // Where a member is, and the member there.
  std::uint32_t place_of(const Iterator& it) const;
  Member at(std::uint32_t place) const;

 private:
  friend class Value;
  explicit Object(Value value) : value_(value) {}
  Value value_{&kNothing, kNoObject};
};

class Array {
 public:
  class Iterator;
  Array() = default;
  bool empty() const;
  std::size_t size() const;
  Iterator begin() const;
  Iterator end() const;

 private:
  friend class Value;
  explicit Array(Value value) : value_(value) {}
  Value value_{&kNothing, kNoArray};
};

class Object::Iterator {
 public:
  Member operator*() const { return {tape_->text(index_), Value(tape_, index_ + 1)}; }
  Iterator& operator++() {
    index_ = tape_->after(index_ + 1);
    return *this;
  }
  bool operator!=(const Iterator& other) const { return index_ != other.index_; }

  // Removes the name of this member for all later readers of the document.
  void drop() const {
    constexpr std::uint32_t kNoSize = 0;
    std::memcpy(tape_->strings + tape_->payload(index_), &kNoSize, sizeof(kNoSize));
    tape_->words[index_] = tape_->payload(index_) | std::uint64_t{kDropped} << 56;
  }
  bool is_dropped() const { return tape_->kind(index_) == kDropped; }

 private:
  static constexpr char kDropped = 'x';  // a kind that simdjson does not have
  friend class Object;
  Iterator(const Tape* tape, std::size_t index) : tape_(tape), index_(index) {}
  const Tape* tape_;
  std::size_t index_;
};

class Array::Iterator {
 public:
  Value operator*() const { return Value(tape_, index_); }
  Iterator& operator++() {
    index_ = tape_->after(index_);
    return *this;
  }
  bool operator!=(const Iterator& other) const { return index_ != other.index_; }

 private:
  friend class Array;
  Iterator(const Tape* tape, std::size_t index) : tape_(tape), index_(index) {}
  const Tape* tape_;
  std::size_t index_;
};

inline Array Value::array() const { return is_array() ? Array(*this) : Array(); }
inline Object Value::object() const { return is_object() ? Object(*this) : Object(); }

inline Object::Iterator Object::begin() const { return {value_.tape_, value_.index_ + 1}; }
inline Object::Iterator Object::end() const {
  return {value_.tape_, value_.tape_->after(value_.index_) - 1};
}
inline std::uint32_t Object::place_of(const Iterator& it) const {
  return storage::narrow<std::uint32_t>(it.index_);
}
inline Member Object::at(std::uint32_t place) const { return *Iterator(value_.tape_, place); }
inline bool Object::empty() const { return !(begin() != end()); }

inline Array::Iterator Array::begin() const { return {value_.tape_, value_.index_ + 1}; }
inline Array::Iterator Array::end() const {
  return {value_.tape_, value_.tape_->after(value_.index_) - 1};
}
inline bool Array::empty() const { return !(begin() != end()); }

// A parser and the last document that it parsed. Keep one per thread and reuse it.
class Document {
 public:
  // Levels of JSON nesting. DynamoDB reads values of 2,000 levels, each of two, in every request
  // (captured facts 3, R12).
  static constexpr std::size_t kMaxDepth = 4'032;
  // Buffers for texts up to this size are kept for the next text.
  static constexpr std::size_t kRetainedCapacity = 1 << 20;

  Document();
  ~Document();
  Document(const Document&) = delete;
  Document& operator=(const Document&) = delete;

  // Parses a whole JSON text. nullopt if it is not valid JSON or UTF-8, or is too deep. May increase
  // the capacity of `text`. In a text with whole numbers beyond 64 bits it replaces those by the
  // nearest ones within. `text` may be discarded afterwards.
  std::optional<Value> parse(std::string& text);

  // Releases buffers that grew for a longer text, about 8 bytes for each of its bytes. Invalidates
  // the values of the document.
  void release_large_buffers();
  // The longest text that can be parsed without more memory.
  std::size_t capacity() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// The objects and arrays that are open at once in a value; 0 for a scalar.
std::size_t container_levels(Value value);

// The compact JSON text of a value, with members in the order sent (error messages echo it).
void append_compact(Value value, std::string& out);

}  // namespace magneto::api::json
