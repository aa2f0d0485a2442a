#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

// Reading JSON requests. simdjson parses (in json_reader.cc only) into a flat tape; these are
// handles that walk it. Nothing is copied: strings are views into the parser's buffers.
namespace magneto::api::json {

enum class Type : std::uint8_t { kNull, kBoolean, kNumber, kString, kArray, kObject };

class Object;
class Array;

// A parsed text as simdjson leaves it ("The tape format", simdjson documentation): 64-bit words
// whose upper 8 bits tell the kind. 'l', 'u' and 'd' are followed by a word with the number; '['
// and '{' carry the index after their end in the lower 32 bits and their size, up to kCountLimit,
// above it;
// '"' carries an offset into the string buffer, where the length stands in 4 bytes before the text.
struct Tape {
  static constexpr std::size_t kCountLimit = 0xFF'FFFF;

  const std::uint64_t* words = nullptr;
  const char* strings = nullptr;

  char kind(std::size_t at) const { return static_cast<char>(words[at] >> 56); }
  std::uint64_t payload(std::size_t at) const { return words[at] & 0x00FF'FFFF'FFFF'FFFFULL; }
  std::size_t after(std::size_t at) const {
    switch (kind(at)) {
      case '[':
      case '{':
        return static_cast<std::uint32_t>(words[at]);
      case 'l':
      case 'u':
      case 'd':
        return at + 2;
      default:
        return at + 1;
    }
  }
  std::size_t count(std::size_t at) const { return words[at] >> 32 & kCountLimit; }
  std::string_view text(std::size_t at) const {
    const char* start = strings + payload(at);
    std::uint32_t size;
    std::memcpy(&size, start, sizeof(size));
    return {start + sizeof(size), size};
  }
};

// One JSON value of a Document; absent when default-constructed. Valid while the Document is not
// parsed into again. The accessors require the type they name.
class Value {
 public:
  Value() = default;

  explicit operator bool() const { return tape_ != nullptr; }
  Type type() const;
  bool is_null() const { return tape_->kind(position_) == 'n'; }
  bool is_string() const { return tape_->kind(position_) == '"'; }
  bool is_array() const { return tape_->kind(position_) == '['; }
  bool is_object() const { return tape_->kind(position_) == '{'; }

  std::string_view string() const { return tape_->text(position_); }  // kString
  // kBoolean, or one of the strings that DynamoDB takes for one (is_boolean_text).
  bool boolean() const;
  // kNumber: written without fraction and exponent.
  bool is_whole() const { return tape_->kind(position_) != 'd'; }
  // kNumber: the value when it was written as a whole number and fits 64 bits.
  std::optional<std::int64_t> integer() const;
  // kNumber: without its fraction, which DynamoDB drops; the nearest when it does not fit.
  std::int64_t truncated() const;
  double number() const;  // kNumber
  Array array() const;    // kArray
  Object object() const;  // kObject

 private:
  friend class Document;
  friend class Object;
  friend class Array;
  Value(const Tape* tape, std::size_t position) : tape_(tape), position_(position) {}
  const Tape* tape_ = nullptr;
  std::size_t position_ = 0;
};

// True when DynamoDB reads a string as a boolean: true, 1, yes, false, 0, no in any case.
bool is_boolean_text(std::string_view text);

struct Member {
  std::string_view name;
  Value value;
};

// Members in the order sent. A name sent twice appears twice; the last one counts, and find() gives
// that one.
class Object {
 public:
  class Iterator;
  Object() = default;
  bool empty() const;
  std::size_t size() const;
  Value find(std::string_view name) const;  // absent when there is none
  Iterator begin() const;
  Iterator end() const;

 private:
  friend class Value;
  explicit Object(Value value) : value_(value) {}
  Value value_;
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
  Value value_;
};

class Object::Iterator {
 public:
  Member operator*() const { return {tape_->text(position_), Value(tape_, position_ + 1)}; }
  Iterator& operator++() {
    position_ = tape_->after(position_ + 1);
    return *this;
  }
  bool operator!=(const Iterator& other) const { return position_ != other.position_; }

 private:
  friend class Object;
  Iterator(const Tape* tape, std::size_t position) : tape_(tape), position_(position) {}
  const Tape* tape_;
  std::size_t position_;
};

class Array::Iterator {
 public:
  Value operator*() const { return Value(tape_, position_); }
  Iterator& operator++() {
    position_ = tape_->after(position_);
    return *this;
  }
  bool operator!=(const Iterator& other) const { return position_ != other.position_; }

 private:
  friend class Array;
  Iterator(const Tape* tape, std::size_t position) : tape_(tape), position_(position) {}
  const Tape* tape_;
  std::size_t position_;
};

inline Array Value::array() const { return Array(*this); }
inline Object Value::object() const { return Object(*this); }

inline Object::Iterator Object::begin() const { return {value_.tape_, value_.position_ + 1}; }
inline Object::Iterator Object::end() const {
  return {value_.tape_, value_.tape_->after(value_.position_) - 1};
}
inline bool Object::empty() const { return !(begin() != end()); }

inline Array::Iterator Array::begin() const { return {value_.tape_, value_.position_ + 1}; }
inline Array::Iterator Array::end() const {
  return {value_.tape_, value_.tape_->after(value_.position_) - 1};
}
inline bool Array::empty() const { return !(begin() != end()); }

// A parser and the document it parsed last; keep one for each thread and reuse it.
class Document {
 public:
  static constexpr std::size_t kMaxDepth = 1'024;  // levels of JSON nesting
  // Buffers that a longer text made grow are given back by the next parse of a shorter one.
  static constexpr std::size_t kRetainedCapacity = 1 << 20;

  Document();
  ~Document();
  Document(const Document&) = delete;
  Document& operator=(const Document&) = delete;

  // Parses a whole JSON text; nullopt when it is not valid JSON or UTF-8, too deep, or has a whole
  // number past 64 bits. `text` may be given more capacity, never other contents, and may be
  // discarded afterwards.
  std::optional<Value> parse(std::string& text);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// The compact JSON text of a value, members in the order sent (error messages echo it).
void append_compact(Value value, std::string& out);

}  // namespace magneto::api::json
