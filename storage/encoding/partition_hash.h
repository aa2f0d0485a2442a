#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace magneto::storage {

// The first 64 bits (big-endian) of DynamoDB's partition hash: MD5 over the ASCII bytes "Outliers"
// followed by the key's bytes (S: UTF-8, B: the bytes, N: number bytes), several parts one after
// another (captured facts, "Partition hash, scan order and number key bytes").
std::uint64_t partition_hash(std::string_view key_bytes);
std::uint64_t partition_hash(std::span<const std::string_view> parts);
// The hash of each key. Takes a fraction of the time that single calls take.
std::vector<std::uint64_t> partition_hashes(std::span<const std::string_view> keys);

// The same function, used as a short digest to distinguish texts in tokens that clients return.
inline std::uint64_t fingerprint(std::string_view text) { return partition_hash(text); }
inline std::uint64_t fingerprint(std::span<const std::string_view> parts) {
  return partition_hash(parts);
}

}  // namespace magneto::storage
