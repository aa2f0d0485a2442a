#include "api/json/json_writer.h"

#include <array>
#include <charconv>
#include <cmath>
#include <type_traits>

#include "api/json/json_buffer.h"

namespace magneto::api::json {

static_assert(std::is_trivially_destructible_v<JsonBuffer>);

void append_string(std::string& out, std::string_view text) {
  JsonBuffer buffer(out);
  buffer.put_string(text);
  buffer.flush();
}

void append_integer(std::string& out, std::int64_t value) {
  std::array<char, 24> digits;
  const auto result = std::to_chars(digits.data(), digits.data() + digits.size(), value);
  out.append(digits.data(), result.ptr);
}

void append_double(std::string& out, double value) {
  std::array<char, 32> digits;
  const auto result = std::to_chars(digits.data(), digits.data() + digits.size(), value);
  out.append(digits.data(), result.ptr);
}

void append_time(std::string& out, double epoch_seconds) {
  const auto milliseconds = static_cast<std::int64_t>(std::llround(epoch_seconds * 1000));
  append_integer(out, milliseconds / 1000);
  const int rest = static_cast<int>(milliseconds % 1000);
  if (rest == 0) return;
  out += '.';
  out += static_cast<char>('0' + rest / 100);
  out += static_cast<char>('0' + rest / 10 % 10);
  out += static_cast<char>('0' + rest % 10);
}

void Writer::open(char bracket) {
  separate();
  out_ += bracket;
  needs_comma_ = false;
}

void Writer::close(char bracket) {
  out_ += bracket;
  needs_comma_ = true;
}

void Writer::separate() {
  if (needs_comma_) out_ += ',';
  needs_comma_ = true;
}

void Writer::key(std::string_view name) {
  out_ += needs_comma_ ? std::string_view(",\"") : std::string_view("\"");
  out_ += name;
  out_ += "\":";
  needs_comma_ = false;
}

void Writer::escaped_key(std::string_view name) {
  if (needs_comma_) out_ += ',';
  append_string(out_, name);
  out_ += ':';
  needs_comma_ = false;
}

void Writer::string(std::string_view text) {
  separate();
  append_string(out_, text);
}

void Writer::text(std::string_view name, std::string_view text) {
  key(name);
  string(text);
}

void Writer::integer(std::int64_t value) {
  separate();
  append_integer(out_, value);
}

void Writer::integer(std::string_view name, std::int64_t value) {
  key(name);
  integer(value);
}

void Writer::number(double value) {
  separate();
  append_double(out_, value);
}

void Writer::time(double epoch_seconds) {
  separate();
  append_time(out_, epoch_seconds);
}

void Writer::boolean(bool value) {
  separate();
  out_ += value ? "true" : "false";
}

void Writer::null() {
  separate();
  out_ += "null";
}

std::string& Writer::raw() {
  separate();
  return out_;
}

}  // namespace magneto::api::json
