#pragma once

#include <bitset>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace magneto::server::feeds {

// Reads one JSON text (RFC 8259) in pieces, with constant memory. Accepts any non-ASCII bytes in
// strings.
class JsonScanner {
 public:
  static constexpr std::size_t kMaxDepth = 1024;
  // A longer name or string is cut.
  static constexpr std::size_t kMaxText = 64;

  enum class Kind : std::uint8_t { kObject, kArray, kString, kNull, kOther };

  // Receives the parts of the text, in order.
  class Listener {
   public:
    virtual ~Listener() = default;
    // A name in the innermost object; its value follows.
    virtual void name(std::string_view text) = 0;
    // `text` is that of a string; empty for other values. An object or array begins here.
    virtual void value(Kind kind, std::string_view text) = 0;
    // The innermost object or array ends.
    virtual void end() = 0;
  };

  // The listener must outlive the scanner.
  explicit JsonScanner(Listener& listener) : listener_(listener) {}

  void take(std::string_view bytes);
  // Call this after the last byte. Returns whether all bytes form one JSON value.
  bool finish();

 private:
  enum class State : std::uint8_t {
    kValue,         // a value must follow
    kFirstElement,  // an element or the end of the array
    kFirstName,     // a name or the end of the object
    kName,
    kColon,
    kBehindValue,
    kString,
    kEscape,
    kHexDigits,
    kNumber,
    kLiteral,  // true, false, null
    kWrong,
  };
  // The part of a number that was read last.
  enum class Number : std::uint8_t {
    kMinus,
    kZero,
    kDigits,
    kPoint,
    kFraction,
    kE,
    kSign,
    kExponent
  };

  void step(char c);
  void begin_value(char c);
  void open(bool is_object);
  void close();
  void end_value();
  void read_string(char c);
  void read_escape(char c);
  void read_hex(char c);
  void end_string();
  void read_number(char c);
  bool is_whole_number() const;
  void read_literal(char c);
  void keep(char c);
  bool is_in_object() const { return depth_ > 0 && is_object_[depth_ - 1]; }

  Listener& listener_;
  State state_ = State::kValue;
  std::bitset<kMaxDepth> is_object_;  // for each open level
  std::size_t depth_ = 0;
  bool is_name_ = false;  // the current string is a name
  std::string text_;
  int hex_digits_ = 0;
  unsigned code_ = 0;
  Number number_ = Number::kMinus;
  std::string_view literal_;  // the remaining characters of a literal
  bool is_null_ = false;
};

}  // namespace magneto::server::feeds
