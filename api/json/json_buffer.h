#pragma once

#include <array>
#include <cstddef>
#include <cstring>
#include <string>
#include <string_view>

#include "api/json/plain_text.h"

namespace magneto::api::json {

// Collects short pieces of JSON text and appends them to a string in batches. The only writer of
// JSON string literals. Call flush() at the end: until then, the string is incomplete. flush() may
// throw for lack of memory, which a destructor must not do.
class JsonBuffer {
 public:
  explicit JsonBuffer(std::string& out) : out_(out) {}
  JsonBuffer(const JsonBuffer&) = delete;
  JsonBuffer& operator=(const JsonBuffer&) = delete;

  void put(char c) {
    make_room(1);
    *at_++ = c;
  }
  // A literal, without its terminating zero.
  template <std::size_t Size>
  void put(const char (&literal)[Size]) {
    make_room(Size - 1);
    std::memcpy(at_, literal, Size - 1);
    at_ += Size - 1;
  }
  // A JSON string literal with quotes; `text` must be UTF-8. `after` bytes behind the text can be
  // read, which saves a step.
  void put_string(std::string_view text, std::size_t after = 0);
  // Appends characters that need no escaping.
  void put_plain(std::string_view text);

  // Where the next piece begins if it is written directly, and the end of the room for it. A piece
  // of at most kDirect bytes has room after make_room(). skip_to() appends what was written.
  static constexpr std::size_t kDirect = 4'096;
  void make_room(std::size_t size) {
    if (room() < size) [[unlikely]]
      flush();
  }
  std::size_t room() const { return static_cast<std::size_t>(text_.data() + kDirect - at_); }
  char* place() const { return at_; }
  void skip_to(char* end) { at_ = end; }

  void flush();
  // The number of bytes that have been put so far, and those that the string had before.
  std::size_t size() const { return out_.size() + static_cast<std::size_t>(at_ - text_.data()); }
  // The string itself, with everything that has been put so far.
  std::string& out() {
    flush();
    return out_;
  }

 private:
  // A string of any size that may contain characters to escape. Each such character costs a step.
  void put_escaped(std::string_view text);
  void put_escape(char c);

  std::string& out_;
  std::array<char, kDirect> text_;
  char* at_ = text_.data();
};

}  // namespace magneto::api::json
