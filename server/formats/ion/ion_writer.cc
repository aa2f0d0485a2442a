#include <absl/strings/ascii.h>

#include <algorithm>
#include <utility>

#include "server/formats/ion/ion_text.h"

namespace magneto::server::formats {
namespace {

using api::json::Value;

void append_quoted(std::string_view text, char quote, std::string& out) {
  out += quote;
  for (const char c : text) {
    if (c == quote || c == '\\') {
      out += '\\';
      out += c;
    } else if (c == '\n') {
      out += "\\n";
    } else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) {
      constexpr std::string_view kDigits = "0123456789abcdef";
      out += "\\x";
      out += kDigits[static_cast<unsigned char>(c) >> 4];
      out += kDigits[static_cast<unsigned char>(c) & 0x0F];
    } else {
      out += c;
    }
  }
  out += quote;
}

// A symbol that needs no quotes, and is no word of Ion's own.
bool is_plain_symbol(std::string_view name) {
  if (name.empty() || (!absl::ascii_isalpha(name.front()) && name.front() != '_')) return false;
  if (name == "null" || name == "true" || name == "false" || name == "nan") return false;
  return std::ranges::all_of(name, [](char c) { return absl::ascii_isalnum(c) || c == '_'; });
}

// A decimal has a point or an exponent after "d".
void append_decimal(std::string_view digits, std::string& out) {
  const std::size_t exponent = digits.find_first_of("eE");
  out.append(digits.substr(0, exponent));
  if (exponent != std::string_view::npos) {
    out += 'd';
    out.append(digits.substr(exponent + 1));
  } else if (digits.find('.') == std::string_view::npos) {
    out += '.';
  }
}

void append_value(Value typed, std::string& out);

void append_struct(Value object, std::string& out) {
  out += '{';
  bool first = true;
  for (const auto [name, value] : object.object()) {
    if (!std::exchange(first, false)) out += ',';
    if (is_plain_symbol(name)) {
      out.append(name);
    } else {
      append_quoted(name, '\'', out);
    }
    out += ':';
    append_value(value, out);
  }
  out += '}';
}

template <typename Append>
void append_list(Value list, std::string_view annotation, std::string& out, Append append) {
  out.append(annotation);
  out += '[';
  bool first = true;
  for (const Value value : list.array()) {
    if (!std::exchange(first, false)) out += ',';
    append(value, out);
  }
  out += ']';
}

void append_text(Value text, std::string& out) { append_quoted(text.string(), '"', out); }
void append_number(Value number, std::string& out) { append_decimal(number.string(), out); }
void append_blob(Value base64, std::string& out) {
  out.append("{{").append(base64.string()).append("}}");
}

void append_value(Value typed, std::string& out) {
  for (const auto [type, value] : typed.object()) {
    if (type == "S") return append_text(value, out);
    if (type == "N") return append_number(value, out);
    if (type == "B") return append_blob(value, out);
    if (type == "BOOL") {
      out.append(value.boolean() ? "true" : "false");
      return;
    }
    if (type == "M") return append_struct(value, out);
    if (type == "L") return append_list(value, "", out, append_value);
    if (type == "SS") return append_list(value, "$dynamodb_SS::", out, append_text);
    if (type == "NS") return append_list(value, "$dynamodb_NS::", out, append_number);
    if (type == "BS") return append_list(value, "$dynamodb_BS::", out, append_blob);
    break;
  }
  out.append("null");
}

}  // namespace

void append_ion_line(Value item, std::string& out) {
  out.append("$ion_1_0 {Item:");
  append_struct(item, out);
  out.append("}\n");
}

void append_ion_record(Value record, std::string& out) {
  out.append("$ion_1_0 {Record:{");
  bool first = true;
  for (const auto [name, members] : record.object()) {
    if (!std::exchange(first, false)) out += ',';
    out.append(name) += ':';
    append_struct(members, out);
  }
  out.append("}}\n");
}

}  // namespace magneto::server::formats
