#pragma once

#include <new>

// Memory for what RocksDB allocates. RocksDB (release 7.8) does not expect `new` to throw: an
// exception that passes through it leaves writers waiting for ever, or a record in the log of a
// write that was refused. So it is called only while 64 MB are in hand (8 MB where there is no more):
// address space, which costs no memory until it is used. Where a `new` then finds none, std::set_new_handler's function gives
// the reserve up, and waits for what others free once that is gone. RocksDB's own threads draw on it
// too, and wait for as long as it takes. Elsewhere `new` throws as ever.
namespace magneto::storage {

// While one lives, `new` does not throw on its thread. To be made before each call of RocksDB, and
// of its batches. After 30 seconds without memory inside such a call the process ends. Thread-safe.
class MemoryInHand {
 public:
  // Throws EngineError, with nothing done, when the reserve was used and there is not enough memory
  // to have one again. Inside another one it only counts.
  MemoryInHand();
  // For what may not fail: draws on what there is.
  explicit MemoryInHand(std::nothrow_t) noexcept;
  ~MemoryInHand();
  MemoryInHand(const MemoryInHand&) = delete;
  MemoryInHand& operator=(const MemoryInHand&) = delete;
};

}  // namespace magneto::storage
