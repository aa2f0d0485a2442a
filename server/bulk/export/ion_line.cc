#include "server/bulk/export/ion_line.h"

#include <absl/strings/ascii.h>

#include <algorithm>
#include <utility>

#include "api/json/base64.h"

namespace magneto::server::bulk {
namespace {

using storage::AttributeType;
using storage::AttributeView;

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

// Whether the name is a symbol that needs no quotes and is not a keyword of Ion.
bool is_plain_symbol(std::string_view name) {
  if (name.empty() || (!absl::ascii_isalpha(name.front()) && name.front() != '_')) return false;
  if (name == "null" || name == "true" || name == "false" || name == "nan") return false;
  return std::ranges::all_of(name, [](char c) { return absl::ascii_isalnum(c) || c == '_'; });
}

// An Ion decimal has a point, or an exponent after "d".
void append_number(std::string_view number_bytes, std::string& out) {
  const std::size_t begin = out.size();
  storage::append_decimal(number_bytes, out);
  const std::size_t exponent = out.find_first_of("eE", begin);
  if (exponent != std::string::npos) {
    out[exponent] = 'd';
  } else if (out.find('.', begin) == std::string::npos) {
    out += '.';
  }
}

void append_text(std::string_view text, std::string& out) { append_quoted(text, '"', out); }

void append_blob(std::string_view bytes, std::string& out) {
  out += "{{";
  api::json::encode_base64(bytes, out);
  out += "}}";
}

template <typename List, typename Append>
void append_list(const List& list, std::string_view annotation, std::string& out, Append append) {
  out.append(annotation) += '[';
  bool first = true;
  for (const auto value : list) {
    if (!std::exchange(first, false)) out += ',';
    append(value, out);
  }
  out += ']';
}

void append_value(AttributeView value, std::string& out) {
  switch (value.type()) {
    case AttributeType::kString:
      return append_text(value.scalar_bytes(), out);
    case AttributeType::kNumber:
      return append_number(value.scalar_bytes(), out);
    case AttributeType::kBinary:
      return append_blob(value.scalar_bytes(), out);
    case AttributeType::kBoolean:
      out += value.boolean() ? "true" : "false";
      return;
    case AttributeType::kNull:
      out += "null";
      return;
    case AttributeType::kStringSet:
      return append_list(value.set(), "$dynamodb_SS::", out, append_text);
    case AttributeType::kNumberSet:
      return append_list(value.set(), "$dynamodb_NS::", out, append_number);
    case AttributeType::kBinarySet:
      return append_list(value.set(), "$dynamodb_BS::", out, append_blob);
    case AttributeType::kList:
      return append_list(value.list(), "", out, append_value);
    case AttributeType::kMap:
      return append_ion_struct(value.map(), out);
  }
}

}  // namespace

void append_ion_struct(storage::ItemView item, std::string& out) {
  out += '{';
  bool first = true;
  for (const auto [name, value] : item) {
    if (!std::exchange(first, false)) out += ',';
    append_ion_member(name, value, out);
  }
  out += '}';
}

void append_ion_member(std::string_view name, AttributeView value, std::string& out) {
  if (is_plain_symbol(name)) {
    out.append(name);
  } else {
    append_quoted(name, '\'', out);
  }
  out += ':';
  append_value(value, out);
}

void append_ion_line(storage::ItemView item, std::string& out) {
  out += "$ion_1_0 {Item:";
  append_ion_struct(item, out);
  out += "}\n";
}

}  // namespace magneto::server::bulk
