#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

// Reading JSON requests. simdjson is known in json_reader.cc only; these are handles into its
// parsed form. Nothing is copied: strings are views into the parser's buffers.
namespace magneto::api::json {

enum class Type : std::uint8_t { kNull, kBoolean, kNumber, kString, kArray, kObject };

class Object;
class Array;

// One JSON value of a Document; absent when default-constructed. Valid while the Document is not
// parsed into again.
class Value {
 public:
  Value() = default;

  explicit operator bool() const { return document_ != nullptr; }
  Type type() const;
  bool is_null() const { return type() == Type::kNull; }

  std::string_view string() const;              // kString
  bool boolean() const;                         // kBoolean
  std::optional<std::int64_t> integer() const;  // kNumber: when it is a whole number of 64 bits
  double number() const;                        // kNumber
  Array array() const;                          // kArray
  Object object() const;                        // kObject

 private:
  friend class Document;
  friend class Object;
  friend class Array;
  Value(const void* document, std::size_t position) : document_(document), position_(position) {}
  const void* document_ = nullptr;
  std::size_t position_ = 0;
};

struct Member {
  std::string_view name;
  Value value;
};

// Members in the order sent. A name sent twice appears twice; find() gives the last one.
class Object {
 public:
  class Iterator;
  Object() = default;
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
  Member operator*() const;
  Iterator& operator++();
  bool operator!=(const Iterator& other) const { return position_ != other.position_; }

 private:
  friend class Object;
  Iterator(const void* document, std::size_t position) : document_(document), position_(position) {}
  const void* document_;
  std::size_t position_;
};

class Array::Iterator {
 public:
  Value operator*() const;
  Iterator& operator++();
  bool operator!=(const Iterator& other) const { return position_ != other.position_; }

 private:
  friend class Array;
  Iterator(const void* document, std::size_t position) : document_(document), position_(position) {}
  const void* document_;
  std::size_t position_;
};

// A parser and the document it parsed last; keep one for each thread and reuse it.
class Document {
 public:
  static constexpr std::size_t kMaxDepth = 1'024;  // levels of JSON nesting

  Document();
  ~Document();
  Document(const Document&) = delete;
  Document& operator=(const Document&) = delete;

  // Parses a whole JSON text; nullopt when it is not valid JSON or UTF-8, or too deep. `text` may be
  // given more capacity, never other contents, and may be discarded afterwards.
  std::optional<Value> parse(std::string& text);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// The compact JSON text of a value, members in the order sent (error messages echo it).
void append_compact(Value value, std::string& out);

}  // namespace magneto::api::json
