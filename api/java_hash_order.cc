#include "api/java_hash_order.h"

#include <algorithm>
#include <array>
#include <bit>
#include <numeric>
#include <string>
#include <unordered_set>

#include "storage/model/number.h"

namespace magneto::api {
namespace {

constexpr std::size_t kDefaultBuckets = 16;
// A bucket with more entries doubles a table of fewer buckets than these.
constexpr std::size_t kFullBucket = 8;
constexpr std::size_t kBucketsOfTrees = 64;

std::uint32_t spread_bits(std::uint32_t hash) { return hash ^ (hash >> 16); }

bool is_crowded(std::size_t entries, std::size_t buckets) { return entries > buckets * 3 / 4; }

// Buckets after the entries arrived one by one. A split keeps the order within a bucket, so their
// final number alone determines the order.
std::size_t final_buckets(std::span<const std::uint32_t> hashes, std::size_t buckets) {
  for (std::size_t i = 0; i < hashes.size(); ++i) {
    if (buckets < kBucketsOfTrees) {
      const auto same_bucket = [&](std::uint32_t hash) {
        return ((spread_bits(hash) ^ spread_bits(hashes[i])) & (buckets - 1)) == 0;
      };
      const auto neighbours = std::count_if(
          hashes.begin(), hashes.begin() + static_cast<std::ptrdiff_t>(i), same_bucket);
      if (static_cast<std::size_t>(neighbours) >= kFullBucket) buckets *= 2;
    }
    if (is_crowded(i + 1, buckets)) buckets *= 2;
  }
  return buckets;
}

// The absolute value of an integer as 32-bit words, the most significant first. DynamoDB's 38
// digits fit into four.
using Words = std::array<std::uint32_t, 4>;

void append_digit(Words& words, unsigned digit) {
  std::uint64_t carry = digit;
  for (auto word = words.rbegin(); word != words.rend(); ++word) {
    carry += std::uint64_t{*word} * 10;
    *word = static_cast<std::uint32_t>(carry);
    carry >>= 32;
  }
}

// The next character of valid UTF-8, which leaves `text`.
char32_t take_character(std::string_view& text) {
  const auto byte = [&text](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  std::size_t length = 1;
  char32_t character = byte(0);
  if (character >= 0xC0) {
    length = character >= 0xF0 ? 4 : character >= 0xE0 ? 3 : 2;
    character &= 0x7FU >> length;
    for (std::size_t i = 1; i < length; ++i) character = (character << 6) | (byte(i) & 0x3FU);
  }
  text.remove_prefix(length);
  return character;
}

}  // namespace

std::uint32_t java_hash(std::string_view text) {
  std::uint32_t hash = 0;
  while (!text.empty()) {
    const char32_t character = take_character(text);
    if (character < 0x10000) {
      hash = hash * 31 + character;
    } else {
      hash = hash * 31 + (0xD800 + ((character - 0x10000) >> 10));
      hash = hash * 31 + (0xDC00 + ((character - 0x10000) & 0x3FF));
    }
  }
  return hash;
}

std::uint32_t java_number_hash(std::string_view number_bytes) {
  std::string text;
  storage::append_decimal(number_bytes, text);
  const bool negative = text.front() == '-';
  // Digits less those that only say where the point is.
  const std::size_t point = text.find('.');
  const std::size_t last = text.find_last_of("123456789");
  if (last == std::string::npos) return 0;  // zero
  Words words{};
  for (const char c : std::string_view(text).substr(0, last + 1)) {
    if (c >= '0' && c <= '9') append_digit(words, static_cast<unsigned>(c - '0'));
  }
  std::uint32_t unscaled = 0;
  for (const std::uint32_t word : words) unscaled = unscaled * 31 + word;
  if (negative) unscaled = 0 - unscaled;
  // The digits after the point; negative for zeros at the end of an integer.
  const std::size_t scale = last - (point == std::string::npos ? text.size() - 1 : point);
  return unscaled * 31 + static_cast<std::uint32_t>(scale);
}

std::vector<std::size_t> java_hash_order(std::span<const std::uint32_t> hashes, FirstTable first) {
  const std::size_t buckets = final_buckets(
      hashes, first == FirstTable::kSixteen ? kDefaultBuckets : std::bit_ceil(hashes.size()));
  std::vector<std::size_t> order(hashes.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return (spread_bits(hashes[a]) & (buckets - 1)) < (spread_bits(hashes[b]) & (buckets - 1));
  });
  return order;
}

std::vector<std::string_view> names_in_hash_order(std::span<const std::string_view> names,
                                                  FirstTable first) {
  std::unordered_set<std::string_view> seen;
  std::vector<std::string_view> once;
  std::vector<std::uint32_t> hashes;
  for (const std::string_view name : names) {
    if (!seen.insert(name).second) continue;
    once.push_back(name);
    hashes.push_back(java_hash(name));
  }
  std::vector<std::string_view> ordered;
  for (const std::size_t i : java_hash_order(hashes, first)) ordered.push_back(once[i]);
  return ordered;
}

std::vector<std::string_view> numbers_in_hash_order(std::span<const std::string_view> numbers) {
  std::vector<std::uint32_t> hashes;
  hashes.reserve(numbers.size());
  for (const std::string_view number : numbers) hashes.push_back(java_number_hash(number));
  std::vector<std::string_view> ordered;
  ordered.reserve(numbers.size());
  for (const std::size_t i : java_hash_order(hashes, FirstTable::kSixteen)) {
    ordered.push_back(numbers[i]);
  }
  return ordered;
}

}  // namespace magneto::api
