#pragma once

#include <atomic>
#include <memory>

namespace rocksdb {
class EventListener;
}

namespace magneto::storage {

// The state that RocksDB's background threads report. Any thread may read it.
struct BackgroundState {
  // Writes to some family are delayed or stopped until flushes or compactions have caught up.
  std::atomic<bool> is_stalled = false;
  // The last compaction failed.
  std::atomic<bool> compactions_fail = false;
  // A record was written only in part; only reopening the database is safe then.
  std::atomic<bool> is_log_broken = false;
};

// Makes a listener that leaves resuming after background errors to the engine, marks the background
// threads and updates `state`. `state` must outlive the database.
std::shared_ptr<rocksdb::EventListener> make_background_listener(BackgroundState& state);

}  // namespace magneto::storage
