#include "expressions/comparison.h"

#include <string_view>

namespace magneto::expressions {

using storage::AttributeType;
using storage::AttributeView;

namespace {

// Every character has one byte that is not a continuation; those of four bytes are two UTF-16
// units.
std::uint32_t utf16_units(std::string_view text) {
  std::uint32_t units = 0;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    units += static_cast<std::uint32_t>((byte & 0xC0) != 0x80) +
             static_cast<std::uint32_t>(byte >= 0xF0);
  }
  return units;
}

}  // namespace

bool is_ordered(AttributeType type) {
  return type == AttributeType::kString || type == AttributeType::kNumber ||
         type == AttributeType::kBinary;
}

std::optional<std::strong_ordering> compare(AttributeView a, AttributeView b) {
  if (!a || !b || a.type() != b.type() || !is_ordered(a.type())) return std::nullopt;
  return a.scalar_bytes().compare(b.scalar_bytes()) <=> 0;
}

bool begins_with(AttributeView value, AttributeView prefix) {
  if (!value || !prefix || value.type() != prefix.type()) return false;
  if (value.type() != AttributeType::kString && value.type() != AttributeType::kBinary) {
    return false;
  }
  return value.scalar_bytes().starts_with(prefix.scalar_bytes());
}

bool contains(AttributeView value, AttributeView part) {
  if (!value || !part) return false;
  switch (value.type()) {
    case AttributeType::kString:
    case AttributeType::kBinary:
      return part.type() == value.type() &&
             value.scalar_bytes().find(part.scalar_bytes()) != std::string_view::npos;
    case AttributeType::kStringSet:
      return part.type() == AttributeType::kString && value.set().contains(part.scalar_bytes());
    case AttributeType::kNumberSet:
      return part.type() == AttributeType::kNumber && value.set().contains(part.scalar_bytes());
    case AttributeType::kBinarySet:
      return part.type() == AttributeType::kBinary && value.set().contains(part.scalar_bytes());
    case AttributeType::kList:
      for (const AttributeView element : value.list()) {
        if (element == part) return true;
      }
      return false;
    default:
      return false;
  }
}

std::optional<std::uint32_t> size_of(AttributeView value) {
  if (!value) return std::nullopt;
  switch (value.type()) {
    case AttributeType::kString:
      return utf16_units(value.scalar_bytes());
    case AttributeType::kBinary:
      return static_cast<std::uint32_t>(value.scalar_bytes().size());
    case AttributeType::kStringSet:
    case AttributeType::kNumberSet:
    case AttributeType::kBinarySet:
      return value.set().size();
    case AttributeType::kList:
      return value.list().size();
    case AttributeType::kMap:
      return value.map().size();
    default:
      return std::nullopt;
  }
}

}  // namespace magneto::expressions
