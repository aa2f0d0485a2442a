#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <stop_token>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "absl/functional/function_ref.h"
#include "storage/clock.h"
#include "storage/engine/engine.h"
#include "storage/index/index_entry.h"

namespace magneto::storage {

struct Index;

// A change of an entry in a global index, still to be made.
struct GlobalIndexChange {
  std::shared_ptr<const Index> index;
  EntryChange change;
};

// What one commit changes in global indexes.
struct QueuedWrite {
  std::uint64_t sequence = 0;  // of its record in the engine; 0: it has none
  Clock::TimePoint made;       // only set when indexes have a delay
  std::size_t bytes = 0;       // of memory; set by push()
  absl::InlinedVector<GlobalIndexChange, 1> changes;
};

// Changes of global indexes, in the order of the writes that caused them. A write pushes its
// changes while it holds the item's key, so that changes of one entry stand in the order of its
// commits. In a durable engine a record in Family::kQueue, committed with the write, keeps them
// until they are applied:
//
//   record := version:1 { change }         under queue_key(sequence)
//   change := old-size:4 length:4 delete-key length:4 put-key length:4 value
//
// Integers are big-endian; table and index number are the first bytes of either key; the new size
// is in the value. Thread-safe.
class GlobalIndexQueue {
 public:
  // Waiting changes beyond which writers are to help applying.
  static constexpr std::size_t kMaxWrites = 50'000;
  static constexpr std::size_t kMaxBytes = std::size_t{64} << 20;

  explicit GlobalIndexQueue(Engine& engine);

  // Puts the record of `write` into the batch that makes it and sets its sequence; nothing when the
  // engine is not durable.
  void append_record(WriteBatch& batch, QueuedWrite& write);
  // Takes the record of an applied write away.
  void remove_record(WriteBatch& batch, const QueuedWrite& write) const;

  // After the commit, with the keys still held.
  void push(QueuedWrite write);

  // Pushes what an earlier process left in the engine. `find` names an index by its numbers and
  // gives nullptr for one that is gone, whose changes are dropped. Throws EngineError.
  void load(absl::FunctionRef<std::shared_ptr<const Index>(std::uint32_t table_number,
                                                           std::uint16_t index_number)>
                find);

  // All waiting writes, oldest first, into `taken`, which must be empty.
  void take(std::vector<QueuedWrite>& taken);

  // Writes ever pushed, and their memory.
  std::uint64_t pushed() const { return pushed_.load(std::memory_order_acquire); }
  std::uint64_t pushed_bytes() const { return pushed_bytes_.load(std::memory_order_relaxed); }
  bool over_limit() const { return over_limit_.load(std::memory_order_relaxed); }

  // Waits for a push when nothing waits, else not at all.
  void wait_for_push(const std::stop_token& stop);

 private:
  Engine& engine_;
  const TreePtr tree_;  // nullptr when the engine is not durable
  std::atomic<std::uint64_t> last_sequence_{0};
  std::atomic<std::uint64_t> pushed_{0};
  std::atomic<std::uint64_t> pushed_bytes_{0};
  std::atomic<bool> over_limit_{false};
  std::mutex mutex_;  // guards what follows
  std::condition_variable_any arrived_;
  std::vector<QueuedWrite> waiting_;
  std::size_t waiting_bytes_ = 0;
  bool consumer_sleeps_ = false;
};

}  // namespace magneto::storage
