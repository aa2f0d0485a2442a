#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace magneto::storage {

// Where a value has the parts of its key, so that the key need not be kept beside it. An item has
// its key attributes, and its key (keyspace.h) has 8 bytes of hash and then the same one or two
// parts, each with its terminator. A part is found if the value has it after a byte with its length.
// Any other key has no places.
class KeyPlaces {
 public:
  // The places as a number, for which are_places() holds; 0: none.
  static std::uint32_t find(std::string_view key, std::string_view value);
  // Not for sizes of keys.
  static bool are_places(std::uint32_t number) { return (number & kMark) != 0; }

  // `places`: a result of find(), not 0.
  explicit KeyPlaces(std::uint32_t places) : places_(places) {}

  // The order of the key behind its first 8 bytes, and of `tail`, under memcmp. `value` is the value
  // in which the places were found.
  int compare(const char* value, std::string_view tail) const {
    const Part one = first(value);
    int order = one.takes_front_of(tail) ? 0 : one.compare(tail);
    if (order == 0 && has_second()) order = second(value).compare(tail);
    return order != 0 || tail.empty() ? order : -1;
  }
  // The number of bytes that append_to() adds.
  std::size_t size(const char* value) const {
    return first(value).whole_size() + (has_second() ? second(value).whole_size() : 0);
  }
  // Appends the key behind its first 8 bytes.
  void append_to(std::string& out, const char* value) const;

 private:
  // A number has for each part its place, 0 if there is none, and whether its terminator has two
  // bytes.
  static constexpr unsigned kPlaceBits = 14;
  static constexpr unsigned kPartBits = kPlaceBits + 1;
  static constexpr std::uint32_t kEndOfTwo = 1U << kPlaceBits;
  static constexpr std::uint32_t kMark = 1U << 31;

  // One part of a key in the value, and the number of bytes in its terminator: 00, or 00 01.
  struct Part {
    Part(std::uint32_t bits, const char* value)
        : bytes(value + bits % kEndOfTwo),
          size(static_cast<std::uint8_t>(bytes[-1])),
          end_size((bits & kEndOfTwo) != 0 ? 2 : 1) {}
    std::size_t whole_size() const { return size + end_size; }
    // Both remove the part and its terminator from the front of `tail` if they are there. Then
    // the first returns true, and the second 0.
    bool takes_front_of(std::string_view& tail) const {
      if (tail.size() < whole_size() || !are_equal(tail.data())) return false;
      const char* const end = tail.data() + size;
      if (end[0] != 0 || (end_size == 2 && end[1] != 1)) return false;
      tail.remove_prefix(whole_size());
      return true;
    }
    int compare(std::string_view& tail) const {
      if (tail.size() < whole_size()) return compare_short(tail);
      const int order = std::memcmp(bytes, tail.data(), size);
      if (order != 0) return order;
      const char* const end = tail.data() + size;
      if (end[0] != 0) return -1;
      if (end_size == 2 && end[1] != 1) return end[1] == 0 ? 1 : -1;
      tail.remove_prefix(whole_size());
      return 0;
    }
    int compare_short(std::string_view tail) const;
    bool are_equal(const char* other) const;
    void append_to(std::string& out) const;

    const char* bytes;
    std::size_t size;
    std::size_t end_size;
  };

  static std::uint32_t take_part(std::string_view& tail, std::string_view& part);
  static std::uint32_t find_part(std::string_view part, std::string_view value);

  Part first(const char* value) const { return Part(places_ % (1U << kPartBits), value); }
  bool has_second() const { return (places_ >> kPartBits) % kEndOfTwo != 0; }
  Part second(const char* value) const {
    return Part((places_ >> kPartBits) % (1U << kPartBits), value);
  }

  std::uint32_t places_;
};

// Most records that are compared have the same partition key, so this costs less than a call.
inline bool KeyPlaces::Part::are_equal(const char* other) const {
  const auto word = [](const char* at) {
    std::uint64_t read = 0;
    std::memcpy(&read, at, sizeof read);
    return read;
  };
  constexpr std::size_t kWord = sizeof(std::uint64_t);
  if (size < kWord) return std::memcmp(bytes, other, size) == 0;
  for (std::size_t i = 0; i + kWord < size; i += kWord) {
    if (word(bytes + i) != word(other + i)) return false;
  }
  return word(bytes + size - kWord) == word(other + size - kWord);
}

}  // namespace magneto::storage
