#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "absl/container/flat_hash_set.h"
#include "storage/engine/engine.h"
#include "storage/engine/memory/memory_tree.h"

namespace magneto::storage {

class PartitionCache;

// The cached contents of one tree: all of it, or nothing that is read. It is loaded in the
// background when its tree is first read, while writes continue, and evicted when the budget is
// used up. Attached to its tree. Thread-safe.
class CachedPartition final : public TreeAttachment {
 public:
  CachedPartition(std::shared_ptr<PartitionCache> cache, const TreePtr& tree);
  ~CachedPartition() override;

  // The partition of a tree; nullptr if the tree is never cached.
  static CachedPartition* of(const Tree& tree) {
    return static_cast<CachedPartition*>(tree.attachment());
  }

  const std::weak_ptr<Tree>& tree() const { return tree_; }
  // Whether all of the tree is in the cache now.
  bool is_loaded() const { return state(word_) == kLoaded; }
  // The result of Engine::get(); nullopt if not loaded.
  std::optional<PinnedValue> get(std::string_view key) const;
  const MemoryTree& records() const { return records_; }

  // True once, and again each time that room was made. The caller must then request a load.
  bool wants_load();

  // Like Engine::clear().
  void clear();
  void evict();

  // ---- for the thread that loads ---------------------------------------------------------------

  bool is_absent() const { return state(word_) == kAbsent; }
  // False if the partition is not absent or commits to the tree are in progress.
  bool begin_loading();
  // Takes over some of the next entries of `below`, a cursor over the whole tree. False if the load
  // has ended: all is loaded, does not fit, or was cleared meanwhile.
  bool load_chunk(Cursor& below);
  // Allows wants_load() to be true again.
  void forget_request() { requested_at_ = 0; }

 private:
  friend class CacheCommit;

  // Absent: not read, holds nothing. Loading: not read, gets all writes. Loaded: read.
  enum State : std::uint32_t { kAbsent, kLoading, kLoaded };
  // The state plus kCommit for each commit to the tree in progress. A load starts only between
  // commits, so that it misses none.
  static constexpr std::uint32_t kCommit = 4;
  static State state(std::uint32_t word) { return static_cast<State>(word % kCommit); }

  // The next functions require the lock of records_. set_state(kAbsent) drops the contents.
  void set_state(State state);
  void put(std::string_view key, Record* record, Record*& replaced);
  void remove(std::string_view key, Record*& removed);
  void count(std::int64_t bytes);

  const std::shared_ptr<PartitionCache> cache_;
  const std::weak_ptr<Tree> tree_;
  std::atomic<std::uint32_t> word_{kAbsent};
  std::atomic<std::uint32_t> requested_at_{0};  // PartitionCache::room_made()
  MemoryTree records_;
  // Guarded by the lock of records_:
  std::int64_t bytes_ = 0;
  absl::flat_hash_set<std::string> removed_while_loading_;
};

}  // namespace magneto::storage
