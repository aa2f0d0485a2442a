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

}  // namespace

std::uint32_t KeyPlaces::find(std::string_view key, std::string_view value) {
  static_assert(kSearched <= kEndOfTwo && 2 * kPartBits < 31);
  if (key.size() <= kHashSize || value.empty()) return 0;
  std::string_view tail = key.substr(kHashSize);
  std::string_view parts[2];
  const std::uint32_t ends[2] = {take_part(tail, parts[0]), take_part(tail, parts[1])};
  if (!tail.empty() || parts[0].empty()) return 0;
  const std::uint32_t first = find_part(parts[0], value);
  if (first == 0) return 0;
  const std::uint32_t places = kMark | first | ends[0];
  if (parts[1].data() == nullptr) return places;
  const std::uint32_t second = find_part(parts[1], value);
  return second == 0 ? 0 : places | (second | ends[1]) << kPartBits;
}

// Removes a part and its terminator from `tail`, unless that is empty. Returns the bits for the
// terminator. Leaves `tail` as it is if it has no terminator.
std::uint32_t KeyPlaces::take_part(std::string_view& tail, std::string_view& part) {
  const std::size_t size = tail.find(kTerminator[0]);
  if (size == std::string_view::npos) return 0;
  part = tail.substr(0, size);
  const bool has_two = tail.size() > size + 1 && tail[size + 1] == kTerminator[1];
  tail.remove_prefix(size + (has_two ? 2 : 1));
  return has_two ? kEndOfTwo : 0;
}

// 0: not found.
std::uint32_t KeyPlaces::find_part(std::string_view part, std::string_view value) {
  if (part.empty() || part.size() > kLongestPart) return 0;
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

// `tail` is shorter than the part with its terminator.
int KeyPlaces::Part::compare_short(std::string_view tail) const {
  const int order = std::memcmp(bytes, tail.data(), std::min(size, tail.size()));
  if (order != 0 || tail.size() <= size) return order != 0 ? order : 1;
  return tail[size] == 0 ? 1 : -1;
}

void KeyPlaces::append_to(std::string& out, const char* value) const {
  first(value).append_to(out);
  if (has_second()) second(value).append_to(out);
}

void KeyPlaces::Part::append_to(std::string& out) const {
  out.append(bytes, size).append(kTerminator.substr(0, end_size));
}

}  // namespace magneto::storage
