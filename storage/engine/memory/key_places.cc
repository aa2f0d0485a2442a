#include "storage/engine/memory/key_places.h"

#include <algorithm>
#include <cstring>

#include "storage/encoding/keyspace.h"
#include "storage/model/narrow.h"

namespace magneto::storage {
namespace {

constexpr std::string_view kTerminator("\0\1", 2);  // or only its first byte
constexpr std::size_t kLongestPart = 127;           // whose length is one byte in an item
// A key that is not found soon is kept beside its value: the search must not cost more than a copy
// is worth.
constexpr std::size_t kSearched = 4096;
constexpr int kTries = 32;
static_assert(2 * kSearched <= 1U << KeyPlaces::kPartBits);

struct KeyPart {
  std::string_view bytes;
  std::uint32_t ends_with_two = 0;  // 1: the terminator has two bytes
};

// Removes a part and its terminator from `tail`. Leaves `tail` as it is if it has no terminator.
KeyPart take_part(std::string_view& tail) {
  const std::size_t size = tail.find(kTerminator[0]);
  if (size == std::string_view::npos) return {};
  const bool has_two = tail.size() > size + 1 && tail[size + 1] == kTerminator[1];
  const KeyPart part{tail.substr(0, size), has_two ? 1U : 0U};
  tail.remove_prefix(size + (has_two ? 2 : 1));
  return part;
}

// The place of the part in the value; 0: not found.
std::uint32_t search(std::string_view part, std::string_view value) {
  const std::string_view searched = value.substr(0, kSearched);
  const auto length = narrow<std::uint8_t>(part.size());
  std::size_t at = 0;
  for (int tries = 0; tries < kTries && searched.size() - at > part.size(); ++tries) {
    const void* const found =
        std::memchr(searched.data() + at, length, searched.size() - at - part.size());
    if (found == nullptr) return 0;
    at = static_cast<std::size_t>(static_cast<const char*>(found) - searched.data()) + 1;
    if (std::memcmp(searched.data() + at, part.data(), part.size()) == 0) {
      return static_cast<std::uint32_t>(at);
    }
  }
  return 0;
}

// Like search(), but looks first at `last`, the place of such a part in another value.
std::uint32_t find_part(std::string_view part, std::string_view value, std::uint32_t& last) {
  if (part.empty() || part.size() > kLongestPart) return 0;
  if (last != 0 && last + part.size() <= value.size() &&
      static_cast<std::uint8_t>(value[last - 1]) == part.size() &&
      std::memcmp(value.data() + last, part.data(), part.size()) == 0) {
    return last;
  }
  const std::uint32_t place = search(part, value);
  if (place != 0) last = place;
  return place;
}

}  // namespace

KeyPlaces KeyPlaces::find(std::string_view key, std::string_view value) {
  // Items that are written one after the other often have their keys at the same places.
  thread_local constinit std::uint32_t last_places[2] = {0, 0};
  if (key.size() <= kHashSize || value.empty()) return {};
  std::string_view tail = key.substr(kHashSize);
  const KeyPart parts[2] = {take_part(tail), take_part(tail)};
  if (!tail.empty()) return {};
  const std::uint32_t first = find_part(parts[0].bytes, value, last_places[0]);
  if (first == 0) return {};
  const std::uint32_t first_part = 2 * first + parts[0].ends_with_two;
  if (parts[1].bytes.data() == nullptr) return {first_part, 0};
  const std::uint32_t second = find_part(parts[1].bytes, value, last_places[1]);
  if (second == 0) return {};
  return {first_part, 2 * second + parts[1].ends_with_two};
}

// `tail` is shorter than the part with its terminator.
int KeyPlaces::Part::compare_short(std::string_view tail) const {
  const int order = std::memcmp(bytes, tail.data(), std::min(size, tail.size()));
  if (order != 0 || tail.size() <= size) return order != 0 ? order : 1;
  return tail[size] == 0 ? 1 : -1;
}

void KeyPlaces::append_to(std::string& out, const char* value) const {
  Part(first_, value).append_to(out);
  if (second_ != 0) Part(second_, value).append_to(out);
}

void KeyPlaces::Part::append_to(std::string& out) const {
  out.append(bytes, size).append(kTerminator.substr(0, end_size));
}

}  // namespace magneto::storage
