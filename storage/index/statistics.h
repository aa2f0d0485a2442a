#pragma once

#include <atomic>
#include <cstdint>

namespace magneto::storage {

// The current number and bytes of entries of a table or index. All versions of a table share it.
struct Statistics {
  // A value of `sized_for` that no ChargedSizes::fingerprint() has.
  static constexpr std::uint64_t kUnsized = ~std::uint64_t{0};

  std::atomic<std::int64_t> item_count{0};
  std::atomic<std::int64_t> size_bytes{0};
  // The charged sizes of a table's items (model/charged_sizes) less size_bytes: the difference that its
  // indexed vectors make, often negative. 0 for an index.
  std::atomic<std::int64_t> vector_bytes{0};
  // The fingerprint of the vectors that vector_bytes is exact for. Differs from the table's after its
  // vector indexes have changed, until background/vector_sizes has counted anew.
  std::atomic<std::uint64_t> sized_for{0};

  void add(std::int64_t items, std::int64_t bytes, std::int64_t vectors = 0) {
    if (items != 0) item_count.fetch_add(items, std::memory_order_relaxed);
    if (bytes != 0) size_bytes.fetch_add(bytes, std::memory_order_relaxed);
    if (vectors != 0) vector_bytes.fetch_add(vectors, std::memory_order_relaxed);
  }
  // TableSizeBytes, IndexSizeBytes.
  std::int64_t charged_bytes() const { return size_bytes + vector_bytes; }
};

}  // namespace magneto::storage
