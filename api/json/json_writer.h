#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace magneto::api::json {

// Appends a JSON string literal with quotes; `text` must be UTF-8.
void append_string(std::string& out, std::string_view text);
void append_integer(std::string& out, std::int64_t value);
// Appends a finite number: whole numbers without a point, others in the shortest form (1.5, 0.5).
void append_double(std::string& out, double value);
// Seconds since the epoch with milliseconds: 1790000000.123.
void append_time(std::string& out, double epoch_seconds);

// Writes one JSON text directly into a string, with commas in the right places. The caller is
// responsible for correct nesting:
//
//   Writer w(out);
//   w.begin_object(); w.key("Count"); w.integer(2); w.end_object();
class Writer {
 public:
  explicit Writer(std::string& out) : out_(out) {}

  void begin_object() { open('{'); }
  void end_object() { close('}'); }
  void begin_array() { open('['); }
  void end_array() { close(']'); }
  // `name` must need no escaping, such as the protocol's own member names.
  void key(std::string_view name);
  void escaped_key(std::string_view name);  // any name
  void string(std::string_view text);
  // A member with a text: key() and string().
  void text(std::string_view name, std::string_view text);
  void integer(std::int64_t value);
  // A member with a whole number: key() and integer().
  void integer(std::string_view name, std::int64_t value);
  void number(double value);
  void time(double epoch_seconds);
  void boolean(bool value);
  void null();
  // The string, into which the caller then writes one value directly.
  std::string& raw();

 private:
  void open(char bracket);
  void close(char bracket);
  void separate();

  std::string& out_;
  bool needs_comma_ = false;
};

}  // namespace magneto::api::json
