#include "expressions/comparison.h"

#include <algorithm>
#include <cstring>
#include <string_view>

#include "storage/model/narrow.h"

namespace magneto::expressions {

using storage::AttributeType;
using storage::AttributeView;
using storage::Effort;

namespace {

// Bytes per step: of a comparison, and of a search in a plain loop.
constexpr std::size_t kComparedInAStep = 64;
constexpr std::size_t kMeasuredInAStep = 4;

// Longer texts are searched for by an algorithm whose time does not depend on their length.
constexpr std::size_t kShortText = 64;

// Searches for a text of at most kShortText bytes: compares the rest at each occurrence of its
// first byte.
bool contains_short(std::string_view text, std::string_view part, Effort& effort) {
  constexpr std::uint64_t kCandidatesAtATime = 1 << 16;
  std::uint64_t candidates = 1 + text.size() / kComparedInAStep;
  std::size_t places = text.size() - part.size() + 1;
  const char* at = text.data();
  while (places > 0) {
    const void* const next = std::memchr(at, part.front(), places);
    if (next == nullptr) break;
    if (std::memcmp(next, part.data(), part.size()) == 0) {
      effort.spend(candidates);
      return true;
    }
    const char* const behind = static_cast<const char*>(next) + 1;
    places -= static_cast<std::size_t>(behind - at);
    at = behind;
    if (++candidates < kCandidatesAtATime) continue;
    effort.spend(candidates);
    candidates = 0;
  }
  effort.spend(candidates);
  return false;
}

// Takes linear time in both texts, even if `part` almost occurs many times.
bool contains_text(std::string_view text, std::string_view part, Effort& effort) {
  if (part.size() > text.size()) return false;
  if (part.empty()) return true;
  if (part.size() <= kShortText) return contains_short(text, part, effort);
  // memmem of glibc uses the two-way algorithm; std::search and string_view::find are quadratic.
  effort.spend(text.size() + part.size());
  return memmem(text.data(), text.size(), part.data(), part.size()) != nullptr;
}

bool contains_member(AttributeView set, std::string_view member, Effort& effort) {
  std::uint64_t passed = 1 + set.bytes().size() / kComparedInAStep;
  const bool found = set.set().contains(member, passed);
  effort.spend(passed);
  return found;
}

bool contains_element(AttributeView list, AttributeView part, Effort& effort) {
  std::uint64_t passed = 1 + list.bytes().size() / kComparedInAStep;
  bool found = false;
  for (const AttributeView element : list.list()) {
    ++passed;
    found = element == part;
    if (found) break;
  }
  effort.spend(passed);
  return found;
}

void spend_on_both(AttributeView a, AttributeView b, Effort& effort) {
  effort.spend(1 + std::min(a.bytes().size(), b.bytes().size()) / kComparedInAStep);
}

// Counts one unit for each byte that is not a continuation byte, and one more for each character of
// four bytes, which has two UTF-16 units.
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

bool equals(AttributeView a, AttributeView b, Effort& effort) {
  if (a.bytes().size() != b.bytes().size()) {
    effort.spend(1);
    return false;
  }
  spend_on_both(a, b, effort);
  return a == b;
}

std::optional<std::strong_ordering> compare(AttributeView a, AttributeView b, Effort& effort) {
  if (!a || !b || a.type() != b.type() || !is_ordered(a.type())) return std::nullopt;
  spend_on_both(a, b, effort);
  return a.scalar_bytes().compare(b.scalar_bytes()) <=> 0;
}

bool begins_with(AttributeView value, AttributeView prefix, Effort& effort) {
  if (!value || !prefix || value.type() != prefix.type()) return false;
  if (value.type() != AttributeType::kString && value.type() != AttributeType::kBinary) {
    return false;
  }
  spend_on_both(value, prefix, effort);
  return value.scalar_bytes().starts_with(prefix.scalar_bytes());
}

bool contains(AttributeView value, AttributeView part, Effort& effort) {
  if (!value || !part) return false;
  switch (value.type()) {
    case AttributeType::kString:
    case AttributeType::kBinary:
      return part.type() == value.type() &&
             contains_text(value.scalar_bytes(), part.scalar_bytes(), effort);
    case AttributeType::kStringSet:
      return part.type() == AttributeType::kString &&
             contains_member(value, part.scalar_bytes(), effort);
    case AttributeType::kNumberSet:
      return part.type() == AttributeType::kNumber &&
             contains_member(value, part.scalar_bytes(), effort);
    case AttributeType::kBinarySet:
      return part.type() == AttributeType::kBinary &&
             contains_member(value, part.scalar_bytes(), effort);
    case AttributeType::kList:
      return contains_element(value, part, effort);
    default:
      return false;
  }
}

std::optional<std::uint32_t> size_of(AttributeView value, Effort& effort) {
  effort.spend(1);
  if (!value) return std::nullopt;
  switch (value.type()) {
    case AttributeType::kString:
      effort.spend(value.bytes().size() / kMeasuredInAStep);
      return utf16_units(value.scalar_bytes());
    case AttributeType::kBinary:
      return storage::narrow<std::uint32_t>(value.scalar_bytes().size());
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
