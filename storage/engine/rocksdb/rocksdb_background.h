#pragma once

#include <atomic>
#include <memory>

namespace rocksdb {
class EventListener;
}

namespace magneto::storage {

// What RocksDB's background says of itself. Read by any thread.
struct BackgroundState {
  // Writes to some family are delayed or stopped until flushes or compactions have caught up.
  std::atomic<bool> is_stalled = false;
  // The last compaction failed.
  std::atomic<bool> compactions_fail = false;
  // A record was not written whole: only opening anew is safe then.
  std::atomic<bool> is_log_broken = false;
};

// Leaves it to the engine when to resume after a background error, marks the threads that work in
// the background, and keeps `state`, which must outlive the database.
std::shared_ptr<rocksdb::EventListener> make_background_listener(BackgroundState& state);

}  // namespace magneto::storage
