#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

// The order in which Java's HashMap and HashSet give back what they hold. DynamoDB shows it where a
// message lists names, and in number sets (captured facts 3, "Order of set members").
namespace magneto::api {

// The buckets of Java's table before the first entry.
enum class FirstTable : std::uint8_t {
  kForCount,  // made for the known number of entries: the smallest power of two that is not less
  kSixteen,   // Java's default, for a table that grows
};

// Java's hashCode of a string (UTF-8 here) and of a BigDecimal without trailing zeros.
std::uint32_t java_hash(std::string_view text);
std::uint32_t java_number_hash(std::string_view number_bytes);

// The positions of entries with these hash codes, in the table's order. The entries differ and
// arrive in the given order. It is unknown how Java orders nine entries of one bucket in a table of
// 64 buckets or more; they stay as they arrived.
std::vector<std::size_t> java_hash_order(std::span<const std::uint32_t> hashes, FirstTable first);

// The names in the table's order. A repeated name stands once.
std::vector<std::string_view> names_in_hash_order(std::span<const std::string_view> names,
                                                  FirstTable first);

// The bytes of numbers, given in ascending order, in the order of Java's HashSet.
std::vector<std::string_view> numbers_in_hash_order(std::span<const std::string_view> numbers);

}  // namespace magneto::api
