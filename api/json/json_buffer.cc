#include "api/json/json_buffer.h"

namespace magneto::api::json {
namespace {

bool must_escape(char c) { return static_cast<unsigned char>(c) < 0x20 || c == '"' || c == '\\'; }

}  // namespace

StepBytes copy_last_bytes(std::string_view text, char* to) {
  StepBytes last{};
  std::memcpy(&last, text.data(), text.size());
  std::memcpy(to, &last, sizeof last);
  return bytes_to_escape(last) & first_bytes(text.size());
}

std::size_t plain_length(std::string_view text) {
  std::size_t at = 0;
  while (at + kBytesOfAStep <= text.size() &&
         !has_any(bytes_to_escape(load_step(text.data() + at)))) {
    at += kBytesOfAStep;
  }
  while (at < text.size() && !must_escape(text[at])) ++at;
  return at;
}

void JsonBuffer::flush() {
  out_.append(text_.data(), static_cast<std::size_t>(at_ - text_.data()));
  at_ = text_.data();
}

void JsonBuffer::put_string(std::string_view text, std::size_t after) {
  constexpr std::size_t kQuotes = 2;
  if (text.size() > kDirect - kQuotes - kBytesOfAStep) return put_escaped(text);
  make_room(text.size() + kQuotes + kBytesOfAStep);
  StepBytes found{};
  at_[0] = '"';
  char* const end = copy_plain(text, after, at_ + 1, found);
  if (has_any(found)) return put_escaped(text);
  *end = '"';
  at_ = end + 1;
}

void JsonBuffer::put_escaped(std::string_view text) {
  put('"');
  for (;;) {
    const std::size_t plain = plain_length(text);
    put_plain(text.substr(0, plain));
    if (plain == text.size()) break;
    put_escape(text[plain]);
    text.remove_prefix(plain + 1);
  }
  put('"');
}

void JsonBuffer::put_escape(char c) {
  constexpr std::string_view kNamed = "\"\\\b\f\n\r\t";
  constexpr std::string_view kNames = "\"\\bfnrt";
  put('\\');
  if (const std::size_t at = kNamed.find(c); at != std::string_view::npos) {
    put(kNames[at]);
    return;
  }
  constexpr std::string_view kDigits = "0123456789abcdef";
  put("u00");
  put(kDigits[static_cast<unsigned char>(c) >> 4]);
  put(kDigits[static_cast<unsigned char>(c) & 15]);
}

void JsonBuffer::put_plain(std::string_view text) {
  if (text.size() > kDirect) {
    out().append(text);
    return;
  }
  make_room(text.size());
  std::memcpy(at_, text.data(), text.size());
  at_ += text.size();
}

}  // namespace magneto::api::json
