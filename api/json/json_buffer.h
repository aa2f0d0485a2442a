#pragma once

#include <array>
#include <cstddef>
#include <cstring>
#include <string>
#include <string_view>

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
    text_[size_++] = c;
  }
  // A literal, without its terminating zero.
  template <std::size_t Size>
  void put(const char (&literal)[Size]) {
    make_room(Size - 1);
    std::memcpy(text_.data() + size_, literal, Size - 1);
    size_ += Size - 1;
  }
  // A JSON string literal with quotes; `text` must be UTF-8.
  void put_string(std::string_view text);
  // Appends characters that need no escaping.
  void put_plain(std::string_view text);

  void flush() {
    out_.append(text_.data(), size_);
    size_ = 0;
  }
  // The string itself, with everything that has been put so far.
  std::string& out() {
    flush();
    return out_;
  }

 private:
  static constexpr std::size_t kSize = 1'024;

  // A string of any size that may contain characters to escape.
  void put_escaped(std::string_view text);
  void put_escape(char c);
  void make_room(std::size_t size) {
    if (kSize - size_ < size) flush();
  }

  std::string& out_;
  std::size_t size_ = 0;
  std::array<char, kSize> text_;
};

}  // namespace magneto::api::json
