#pragma once

#include <atomic>
#include <cstdint>

namespace magneto::storage {

// The current number and bytes of entries of a table or index. All versions of a table share it.
struct Statistics {
  std::atomic<std::int64_t> item_count{0};
  std::atomic<std::int64_t> size_bytes{0};

  void add(std::int64_t items, std::int64_t bytes) {
    if (items != 0) item_count.fetch_add(items, std::memory_order_relaxed);
    if (bytes != 0) size_bytes.fetch_add(bytes, std::memory_order_relaxed);
  }
};

}  // namespace magneto::storage
