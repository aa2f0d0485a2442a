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

// What the cache holds of one tree: all of it, or nothing that is read. It is loaded in the
// background when its tree is first read, while writes go on, and evicted when the budget is spent.
// Hangs on its tree. Thread-safe.
class CachedPartition final : public TreeAttachment {
 public:
  CachedPartition(std::shared_ptr<PartitionCache> cache, const TreePtr& tree);
  ~CachedPartition() override;

  // The one of a tree, or nullptr: the tree is never cached.
  static CachedPartition* of(const Tree& tree) {
    return static_cast<CachedPartition*>(tree.attachment());
  }

  const std::weak_ptr<Tree>& tree() const { return tree_; }
  // Whether all of the tree is here now.
  bool is_loaded() const { return state(word_) == kLoaded; }
  // What Engine::get answers, or nothing when not loaded.
  std::optional<PinnedValue> get(std::string_view key) const;
  const MemoryTree& records() const { return records_; }

  // True once, and again each time that room was made: the caller is to ask for a load.
  bool wants_load();

  // As Engine::clear.
  void clear();
  void evict();

  // ---- for the thread that loads ---------------------------------------------------------------

  bool is_absent() const { return state(word_) == kAbsent; }
  // False while it is not absent or commits to the tree are under way.
  bool begin_loading();
  // Takes over some of what `below`, a cursor over all of the tree, finds next. False when the load
  // has ended: all is loaded, does not fit, or was emptied meanwhile.
  bool load_chunk(Cursor& below);
  // Lets wants_load() be true again.
  void forget_request() { requested_at_ = 0; }

 private:
  friend class CacheCommit;

  // Absent: not read, holds nothing. Loading: not read, gets all writes. Loaded: read.
  enum State : std::uint32_t { kAbsent, kLoading, kLoaded };
  // The state and, in steps of kCommit, how many commits to the tree are under way: a load begins
  // only between commits, so that none has missed it.
  static constexpr std::uint32_t kCommit = 4;
  static State state(std::uint32_t word) { return static_cast<State>(word % kCommit); }

  // These require the lock of records_. To kAbsent drops the contents.
  void set_state(State state);
  void put(Record* record, Record*& replaced);
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
