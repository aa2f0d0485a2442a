#pragma once

#include <new>

// A memory reserve for RocksDB. RocksDB (release 7.8) does not expect `new` to throw: an exception
// that passes through it leaves writers waiting for ever, or leaves a refused write in the log. So
// Magneto calls RocksDB only while it holds a reserve of 64 MB (8 MB if there is no more): address
// space, which costs no memory until it is used.
//
// If a `new` inside RocksDB then fails, the function set by std::set_new_handler releases the
// reserve. Once the reserve is used up, it waits for memory that other threads free. RocksDB's own
// threads use the reserve too, and wait without limit. Elsewhere `new` throws as usual.
namespace magneto::storage {

// While one exists, `new` does not throw on its thread. Create one before each call of RocksDB, and
// before changing its batches. After 30 seconds without memory inside such a call the process ends.
// Thread-safe.
class MemoryInHand {
 public:
  // Throws EngineError, with nothing done, if the reserve was used and there is too little memory
  // to restore it. A nested one only counts.
  MemoryInHand();
  // For code that must not fail: uses the memory that there is.
  explicit MemoryInHand(std::nothrow_t) noexcept;
  ~MemoryInHand();
  MemoryInHand(const MemoryInHand&) = delete;
  MemoryInHand& operator=(const MemoryInHand&) = delete;
};

}  // namespace magneto::storage
