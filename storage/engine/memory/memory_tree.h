#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <shared_mutex>
#include <string>
#include <string_view>

#include "absl/container/inlined_vector.h"
#include "storage/engine/engine.h"
#include "storage/engine/memory/key_span.h"
#include "storage/engine/memory/node_pool.h"
#include "storage/engine/memory/record.h"
#include "storage/engine/memory/record_tree.h"
#include "storage/engine/memory/tree_history.h"
#include "storage/model/effort.h"

namespace magneto::storage {

// The records of one Tree, without its prefix, under a shared lock. They can be read unless the
// tree is closed.
class MemoryTree {
 public:
  MemoryTree(std::string_view prefix, std::shared_ptr<NodePool> pool);

  // ---- for readers; each takes the lock, and returns nullopt while the tree is closed -----------

  // The record of a whole key, pinned, or nullptr.
  std::optional<Record*> find(std::string_view key) const;

  // Pins at most `limit` records of `span` in `direction`, strictly after the key `after`, which is
  // without the prefix, unless that is nullopt. A result below `limit` means that no more are left.
  std::optional<std::size_t> pin_run(const KeySpan& span, OptionalKey after, Direction direction,
                                     KeyedRecord* records, std::size_t limit) const;

  bool is_empty() const {
    const auto lock = lock_to_read();
    return !records_.first();
  }

  // The same functions for a snapshot. They ignore closing.
  Record* find_at(std::uint64_t snapshot, std::string_view key) const;
  std::size_t pin_run_at(std::uint64_t snapshot, const KeySpan& span, OptionalKey after,
                         Direction direction, KeyedRecord* records, std::size_t limit) const;

  // While there is any, readers on I/O threads throw NeedsWorker: a writer holds or will soon hold
  // the lock during a commit that waits for the disk.
  void add_waiting_writer() { waiting_writers_.fetch_add(1, std::memory_order_relaxed); }
  void remove_waiting_writer() { waiting_writers_.fetch_sub(1, std::memory_order_relaxed); }

  // ---- for writers, which hold mutex() exclusively ----------------------------------------------

  std::shared_mutex& mutex() { return mutex_; }

  // A record for put(), with a whole key. Needs no lock.
  Record* make_record(std::string_view key, std::string_view value) const;
  Record* make_tombstone(std::string_view key) const;
  // Both return the replaced or removed record, which the caller must release, or nullptr. `key` is
  // that of the record.
  Record* put(std::string_view key, Record* record) {
    return records_.put(Probe(without_prefix(key)), record);
  }
  Record* remove(std::string_view key) { return records_.remove(Probe(without_prefix(key))); }
  bool contains(std::string_view key) const {
    return records_.find(Probe(without_prefix(key))) != nullptr;
  }
  // Takes all contents. Freeing them takes long and needs no lock.
  RecordTree take_all() { return std::move(records_); }
  void set_closed(bool closed) { is_closed_ = closed; }

  // The old contents that snapshots see; nullptr: nothing has changed since there was a snapshot.
  TreeHistory* history() { return history_.get(); }
  // TreeHistory::add() for a whole key, and TreeHistory::add_all().
  bool preserve(std::uint64_t snapshot, std::string_view key, Record* old);
  bool preserve_all(std::uint64_t snapshot, RecordTree contents);
  void drop_history() { history_.reset(); }

 private:
  std::shared_lock<std::shared_mutex> lock_to_read() const {
    if (waiting_writers_.load(std::memory_order_relaxed) > 0) Effort::before_waiting();
    return std::shared_lock(mutex_);
  }
  std::string_view without_prefix(std::string_view key) const { return key.substr(prefix_size_); }
  std::size_t collect_forward(const KeySpan& span, OptionalKey after, KeyedRecord* records,
                              std::size_t limit) const;
  std::size_t collect_backward(const KeySpan& span, OptionalKey after, KeyedRecord* records,
                               std::size_t limit) const;

  const std::shared_ptr<NodePool> pool_;
  const std::size_t prefix_size_;
  std::atomic<int> waiting_writers_{0};
  mutable std::shared_mutex mutex_;  // guards all below
  RecordTree records_;
  bool is_closed_ = false;
  std::unique_ptr<TreeHistory> history_;
};

// Exclusive locks on several trees, each locked once, in the order of their addresses.
class MemoryTreeLocks {
 public:
  using Trees = absl::InlinedVector<MemoryTree*, 8>;

  explicit MemoryTreeLocks(Trees trees);
  ~MemoryTreeLocks();
  MemoryTreeLocks(const MemoryTreeLocks&) = delete;
  MemoryTreeLocks& operator=(const MemoryTreeLocks&) = delete;

 private:
  Trees trees_;
};

// A cursor over the records of a tree.
class RecordCursor : public Cursor {
 public:
  // Whether the current entry is a tombstone; if so, value() must not be called.
  virtual bool is_tombstone() const = 0;
};

// Reads ahead in chunks of pinned records, so that the tree is locked only while a chunk is filled.
// `prefix` and `tree` must outlive it.
class MemoryCursor final : public RecordCursor {
 public:
  // How many records are pinned at once: in the first chunk and in later ones.
  static constexpr std::size_t kLargestChunk = 64;
  static std::size_t first_chunk(const ScanHint& hint) {
    constexpr std::size_t kFirstChunk = 8;
    constexpr std::size_t kLargeValue = 4 << 10;
    const std::size_t wanted = hint.entries != 0 ? hint.entries
                               : hint.bytes != 0 ? hint.bytes / kLargeValue + 1
                                                 : kFirstChunk;
    return std::min(wanted, kLargestChunk);
  }

  MemoryCursor(const MemoryTree& tree, std::string_view prefix, KeySpan span, Direction direction,
               ScanHint hint)
      : tree_(tree),
        prefix_(prefix),
        span_(std::move(span)),
        direction_(direction),
        at_end_(span_.empty),
        chunk_(first_chunk(hint)) {}
  ~MemoryCursor() override { release_chunk(); }

  bool next() override { return ++current_ < count_ || fill(); }

  std::string_view key() const override;
  std::string_view value() const override { return records_[current_].record->value(); }
  bool is_tombstone() const override { return records_[current_].record->is_tombstone(); }

  // After next() returned false: whether the tree was closed before its end was reached. last_key()
  // is then the last key that was reached, empty if there was none.
  bool is_cut_off() const { return is_cut_off_; }
  const std::string& last_key() const { return key_; }

 private:
  bool fill();
  void release_chunk();

  const MemoryTree& tree_;
  const std::string_view prefix_;
  const KeySpan span_;
  const Direction direction_;
  bool at_end_;
  bool is_cut_off_ = false;
  std::size_t chunk_;
  std::size_t current_ = 0;
  std::size_t count_ = 0;
  std::array<KeyedRecord, kLargestChunk> records_;
  mutable std::string key_;  // result of key(), built on demand
};

}  // namespace magneto::storage
