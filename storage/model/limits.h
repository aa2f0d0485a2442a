#pragma once

#include <cstddef>
#include <cstdint>

// DynamoDB's quotas ("Quotas in Amazon DynamoDB", AWS developer guide; captured facts if they
// differ). Sizes in bytes.
namespace magneto::storage {

inline constexpr std::size_t kMaxItemSize = 409'600;
inline constexpr std::size_t kMaxPartitionKeySize = 2'048;
inline constexpr std::size_t kMaxSortKeySize = 1'024;
inline constexpr std::size_t kMaxNestingLevels = 32;
inline constexpr std::size_t kPageSize = 1'048'576;  // data read by one Query or Scan call
inline constexpr std::size_t kMaxBatchGetSize = 16 * 1'048'576;
inline constexpr std::size_t kMaxTransactionSize = 4 * 1'048'576;
// All items under one partition key with their entries in local indexes, in tables that have any.
inline constexpr std::int64_t kMaxItemCollectionSize = 10LL << 30;
// For one vector index. The limit is Magneto's own; AWS's is unknown.
inline constexpr std::size_t kMaxSearchAttributes = 20;
inline constexpr std::size_t kMaxProjectedAttributes = 100;  // INCLUDE attributes over all indexes
inline constexpr std::size_t kMaxKeyAttributesOfAPart = 4;   // of a global index's key, since 2025
inline constexpr std::size_t kReadUnitSize = 4'096;
inline constexpr std::size_t kWriteUnitSize = 1'024;

}  // namespace magneto::storage
