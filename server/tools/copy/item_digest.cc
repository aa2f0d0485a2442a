#include "server/tools/copy/item_digest.h"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <string_view>
#include <vector>

#include "server/client/signing/sha256.h"
#include "server/formats/item_key.h"

namespace magneto::server::tools {
namespace {

using api::json::Value;

constexpr std::size_t kHexOfHalf = 16;

void append_sized(std::string_view text, std::string& out) {
  out.append(std::to_string(text.size())).append(":").append(text);
}

void append_number(std::string_view number, std::string& out) {
  std::string canonical;
  formats::append_canonical_number(number, canonical);
  append_sized(canonical, out);
}

void append_parts(std::vector<std::string>& parts, std::string& out) {
  std::ranges::sort(parts);
  out.append(std::to_string(parts.size())).append("[");
  for (const std::string& part : parts) out += part;
}

// Appends a set. Accepts elements that a set must not have, since the endpoint returned them.
void append_set(std::string_view type, Value set, std::string& out) {
  std::vector<std::string> elements;
  for (const Value element : set.array()) {
    std::string& text = elements.emplace_back();
    type == "NS" ? append_number(element.string(), text) : append_sized(element.string(), text);
  }
  append_parts(elements, out);
}

void append_attributes(Value attributes, std::string& out);

void append_value(Value value, std::string& out) {
  for (const auto [type, content] : value.object()) {
    out.append(type).append("=");
    if (type == "N") {
      append_number(content.string(), out);
    } else if (type == "L") {
      out.append(std::to_string(content.array().size())).append("[");
      for (const Value element : content.array()) append_value(element, out);
    } else if (type == "M") {
      append_attributes(content, out);
    } else if (content.is_array()) {
      append_set(type, content, out);
    } else if (content.is_string()) {
      append_sized(content.string(), out);
    } else {
      out += content.boolean() ? '1' : '0';
    }
  }
}

void append_attributes(Value attributes, std::string& out) {
  std::vector<std::string> parts;
  for (const auto [name, value] : attributes.object()) {
    std::string& part = parts.emplace_back();
    append_sized(name, part);
    append_value(value, part);
  }
  append_parts(parts, out);
}

std::uint64_t read_hex(std::string_view text) {
  std::uint64_t number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number, 16);
  return number;
}

}  // namespace

void append_canonical_item(Value item, std::string& out) { append_attributes(item, out); }

ItemHash hash_of(std::string_view canonical_item) {
  const client::Sha256 digest = client::sha256(canonical_item);
  ItemHash hash;
  for (std::size_t i = 0; i < sizeof hash.high; ++i) hash.high = hash.high << 8 | digest[i];
  for (std::size_t i = 0; i < sizeof hash.low; ++i) hash.low = hash.low << 8 | digest[8 + i];
  return hash;
}

void ItemDigest::add(const ItemHash& hash) {
  ++count_;
  sum_.low += hash.low;
  sum_.high += hash.high + (sum_.low < hash.low ? 1 : 0);
}

void ItemDigest::add(const ItemDigest& other) {
  const std::uint64_t count = count_ + other.count_;
  add(other.sum_);
  count_ = count;
}

std::string ItemDigest::text() const {
  char text[2 * kHexOfHalf + 1];
  std::snprintf(text, sizeof text, "%016llx%016llx", static_cast<unsigned long long>(sum_.high),
                static_cast<unsigned long long>(sum_.low));
  return text;
}

ItemHash ItemDigest::read_sum(std::string_view text) {
  if (text.size() != 2 * kHexOfHalf) return {};
  return {read_hex(text.substr(0, kHexOfHalf)), read_hex(text.substr(kHexOfHalf))};
}

}  // namespace magneto::server::tools
