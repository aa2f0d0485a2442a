#include "server/formats/item_key.h"

#include <absl/strings/ascii.h>

#include <charconv>
#include <cstdint>

namespace magneto::server::formats {
namespace {

using api::json::Value;

struct Decimal {
  bool negative = false;
  std::string digits;
  std::int64_t exponent = 0;
};

bool read_decimal(std::string_view text, Decimal& decimal) {
  if (text.starts_with('-') || text.starts_with('+')) {
    decimal.negative = text.front() == '-';
    text.remove_prefix(1);
  }
  bool fraction = false;
  while (!text.empty() &&
         (absl::ascii_isdigit(text.front()) || (text.front() == '.' && !fraction))) {
    if (text.front() == '.') {
      fraction = true;
    } else {
      decimal.digits += text.front();
      decimal.exponent -= fraction ? 1 : 0;
    }
    text.remove_prefix(1);
  }
  if (decimal.digits.empty()) return false;
  if (text.empty()) return true;
  if (text.front() != 'e' && text.front() != 'E') return false;
  text.remove_prefix(1);
  if (text.starts_with('+')) text.remove_prefix(1);
  std::int32_t exponent = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), exponent);
  decimal.exponent += exponent;
  return error == std::errc() && end == text.data() + text.size();
}

}  // namespace

KeyNames key_names_of(Value table) {
  KeyNames names;
  for (const std::string_view type : {"HASH", "RANGE"}) {
    for (const Value element : table.object().find("KeySchema").array()) {
      if (element.object().find("KeyType").string() != type) continue;
      names.emplace_back(element.object().find("AttributeName").string());
    }
  }
  return names;
}

void append_canonical_number(std::string_view number, std::string& out) {
  Decimal decimal;
  if (!read_decimal(number, decimal)) {
    out.append(number);
    return;
  }
  const std::size_t last = decimal.digits.find_last_not_of('0');
  if (last == std::string::npos) {
    out += '0';
    return;
  }
  decimal.exponent += static_cast<std::int64_t>(decimal.digits.size() - last - 1);
  decimal.digits.resize(last + 1);
  if (decimal.negative) out += '-';
  out.append(decimal.digits, decimal.digits.find_first_not_of('0')).append("E");
  out.append(std::to_string(decimal.exponent));
}

bool append_key(Value item, const KeyNames& names, std::string& out) {
  for (const std::string& name : names) {
    const Value value = item.object().find(name);
    const std::size_t start = out.size();
    for (const auto [type, content] : value.object()) {
      if (!content.is_string() || (type != "S" && type != "N" && type != "B")) return false;
      out += type.front();
      if (type == "N") {
        append_canonical_number(content.string(), out);
      } else {
        out.append(content.string());
      }
    }
    if (out.size() == start) return false;
    // Append the length too, so that no two different keys give the same text.
    out.append("/").append(std::to_string(out.size() - start)).append("/");
  }
  return !names.empty();
}

}  // namespace magneto::server::formats
