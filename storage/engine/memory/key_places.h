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
  // first() and second() are, for each part, twice its place, plus 1 if its terminator has two bytes.
  // 0: there is no such part. They have no more bits than this.
  static constexpr unsigned kPartBits = 13;

  KeyPlaces() = default;
  KeyPlaces(std::uint32_t first, std::uint32_t second) : first_(first), second_(second) {}
  // Without parts if the value does not have all of the key.
  static KeyPlaces find(std::string_view key, std::string_view value);

  bool are_found() const { return first_ != 0; }
  std::uint32_t first() const { return first_; }
  std::uint32_t second() const { return second_; }

  // The order of the key behind its first 8 bytes, and of `tail`, under memcmp. `value` is the value
  // in which the places were found.
  int compare(const char* value, std::string_view tail) const {
    const Part one(first_, value);
    int order = one.takes_front_of(tail) ? 0 : one.compare(tail);
    if (order == 0 && second_ != 0) order = Part(second_, value).compare(tail);
    return order != 0 || tail.empty() ? order : -1;
  }
  // The number of bytes that append_to() adds.
  std::size_t size(const char* value) const {
    return Part(first_, value).whole_size() +
           (second_ != 0 ? Part(second_, value).whole_size() : 0);
  }
  // Appends the key behind its first 8 bytes.
  void append_to(std::string& out, const char* value) const;

 private:
  // One part of a key in the value, and the number of bytes in its terminator: 00, or 00 01.
  struct Part {
    Part(std::uint32_t bits, const char* value)
        : bytes(value + bits / 2),
          size(static_cast<std::uint8_t>(bytes[-1])),
          end_size(bits % 2 + 1) {}
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

  std::uint32_t first_ = 0;
  std::uint32_t second_ = 0;
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
