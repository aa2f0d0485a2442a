#include "api/validation/constraint.h"

#include <algorithm>
#include <limits>

namespace magneto::api {
namespace {

using json::Value;

bool is_arn(std::string_view text, const Shape& shape) {
  return shape.accepts_arn && text.starts_with("arn:");
}

std::int64_t text_length(std::string_view text, const Shape& shape) {
  if (!shape.counts_code_points) return utf16_length(text);
  return std::ranges::count_if(
      text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; });
}

bool text_satisfies(std::string_view text, const Shape& shape) {
  if (is_arn(text, shape)) return true;
  if (shape.has_min || shape.has_max) {
    const std::int64_t length = text_length(text, shape);
    if (shape.has_min && length < shape.min) return false;
    if (shape.has_max && length > shape.max) return false;
  }
  return matches_pattern(text, shape) && is_enum_value(text, shape);
}

}  // namespace

// One unit per character, two beyond the basic multilingual plane.
std::int64_t utf16_length(std::string_view text) {
  std::int64_t units = 0;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if ((byte & 0xC0) != 0x80) ++units;
    if (byte >= 0xF0) ++units;
  }
  return units;
}

std::int64_t constrained_size(Value value, const Shape& shape) {
  switch (shape.kind) {
    case Kind::kString:
      return text_length(value.string(), shape);
    case Kind::kList:
      return static_cast<std::int64_t>(value.array().size());
    case Kind::kMap:
      return static_cast<std::int64_t>(value.object().size());
    default:
      return integer_value(value, shape);
  }
}

std::int64_t integer_value(Value value, const Shape& shape) {
  const std::int64_t whole = value.truncated();
  if (shape.kind != Kind::kInteger) return whole;
  return std::clamp<std::int64_t>(whole, std::numeric_limits<std::int32_t>::min(),
                                  std::numeric_limits<std::int32_t>::max());
}

bool is_cut(Value value) {
  if (value.type() != json::Type::kNumber) return false;
  const std::int64_t kept = integer_value(value, kIntegerShape);
  return value.is_whole() ? value.integer() != kept : value.number() != static_cast<double>(kept);
}

bool below_minimum(Value value, const Shape& shape) {
  if (!shape.has_min || (value.is_string() && is_arn(value.string(), shape))) return false;
  return constrained_size(value, shape) < shape.min;
}

bool above_maximum(Value value, const Shape& shape) {
  if (!shape.has_max || (value.is_string() && is_arn(value.string(), shape))) return false;
  return constrained_size(value, shape) > shape.max;
}

bool matches_pattern(std::string_view text, const Shape& shape) {
  if (shape.pattern == nullptr || is_arn(text, shape)) return true;
  // For operations on items, AWS's model has no pattern if an ARN is allowed: an empty name fails
  // only because of its length.
  if (text.empty() && shape.accepts_arn && shape.min == 1) return true;
  return shape.pattern->matches(text);
}

bool is_enum_value(std::string_view text, const Shape& shape) {
  return shape.values.empty() ||
         std::find(shape.values.begin(), shape.values.end(), text) != shape.values.end();
}

bool keys_satisfy(Value value, const Shape& shape) {
  if (shape.key == nullptr) return true;
  for (const json::Member member : value.object()) {
    if (!text_satisfies(member.name, *shape.key)) return false;
  }
  return true;
}

bool satisfies(Value value, const Shape& shape) {
  if (shape.kind == Kind::kString) return text_satisfies(value.string(), shape);
  if (shape.has_min || shape.has_max) {
    const std::int64_t size = constrained_size(value, shape);
    if (shape.has_min && size < shape.min) return false;
    if (shape.has_max && size > shape.max) return false;
  }
  return shape.kind != Kind::kMap || keys_satisfy(value, shape);
}

}  // namespace magneto::api
