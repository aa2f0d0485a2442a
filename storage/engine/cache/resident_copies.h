#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "absl/container/inlined_vector.h"
#include "storage/engine/engine.h"
#include "storage/engine/memory/memory_tree.h"

// Copies in memory of the trees of an engine on disk, so that reads of what fits the budget cost
// what they cost in memory. A copy holds all of its tree or is not read. It is loaded in the
// background when its tree is first read, while writes go on, and given up when the budget is
// spent.
namespace magneto::storage {

class ResidentCopies;

// The copy of one tree. Thread-safe.
class ResidentCopy {
 public:
  ResidentCopy(std::shared_ptr<ResidentCopies> copies, std::string_view prefix);
  ~ResidentCopy();
  ResidentCopy(const ResidentCopy&) = delete;
  ResidentCopy& operator=(const ResidentCopy&) = delete;

  // Whether all of the tree is here now.
  bool is_resident() const { return state(word_) == kResident; }
  // What Engine::get answers, or nothing when not resident.
  std::optional<StoredValue> get(std::string_view key) const;
  const MemoryTree& records() const { return records_; }

  // True once, and again each time that room was made: the caller is to ask for a load.
  bool wants_load();

  // As Engine::clear.
  void clear();

 private:
  friend class ResidentCopies;
  friend class ResidentCommit;

  // Away: not read, holds nothing. Loading: not read, gets all writes. Resident: read.
  enum State : std::uint32_t { kAway, kLoading, kResident };
  // The state and, in steps of kCommit, how many commits to the tree are under way: a load begins
  // only between commits, so that none has missed it.
  static constexpr std::uint32_t kCommit = 4;
  static State state(std::uint32_t word) { return static_cast<State>(word % kCommit); }

  bool begin_loading();
  // Requires the lock of records_. To kAway drops the contents.
  void set_state(State state);
  void put(Record* record, Record*& replaced);
  void remove(std::string_view key, Record*& removed);
  void count(std::int64_t bytes);

  const std::shared_ptr<ResidentCopies> copies_;
  std::atomic<std::uint32_t> word_{kAway};
  std::atomic<std::uint32_t> requested_at_{0};  // ResidentCopies::room_made_
  MemoryTree records_;
  // Guarded by the lock of records_:
  std::int64_t bytes_ = 0;
  absl::flat_hash_set<std::string> removed_while_loading_;
};

// What one commit does to copies: made before the engine commits on disk, applied after that.
class ResidentCommit {
 public:
  // `waits`: the commit on disk waits for it. copy_of(tree): the ResidentCopy of a tree of the
  // batch, or nullptr.
  template <typename CopyOf>
  ResidentCommit(const WriteBatch& batch, bool waits, const CopyOf& copy_of)
      : batch_(batch), waits_(waits) {
    for (const WriteBatch::Operation& operation : batch.operations()) {
      copies_.push_back(copy_of(*operation.tree));
    }
    enter();
  }
  ~ResidentCommit();
  ResidentCommit(const ResidentCommit&) = delete;
  ResidentCommit& operator=(const ResidentCommit&) = delete;

  void apply();

 private:
  void enter();
  void lock_for_commit();
  MemoryTreeLocks::Trees trees() const;

  const WriteBatch& batch_;
  const bool waits_;
  absl::InlinedVector<ResidentCopy*, 4> copies_;   // for each operation
  absl::InlinedVector<Record*, 4> records_;        // new ones until applied, then those replaced
  absl::InlinedVector<ResidentCopy*, 4> entered_;  // each once
  MemoryTreeLocks::Trees kept_off_;                // those with a waiting writer for this commit
  std::optional<MemoryTreeLocks> locks_;
};

// The budget, and the thread that loads. Thread-safe.
class ResidentCopies {
 public:
  struct Source {
    // Walks all of a tree on disk.
    std::function<std::unique_ptr<Cursor>(const Tree& tree)> scan;
    // About how many bytes it has there; may be too few.
    std::function<std::uint64_t(const Tree& tree)> estimate;
    std::function<ResidentCopy*(Tree& tree)> copy_of;
  };

  ResidentCopies(std::uint64_t budget, Source source);
  ResidentCopies(const ResidentCopies&) = delete;
  ResidentCopies& operator=(const ResidentCopies&) = delete;

  const std::shared_ptr<NodePool>& pool() const { return pool_; }

  // Loads the tree in the background if there is room. What is given up is freed there too, since
  // that takes long.
  void request(std::weak_ptr<Tree> tree);
  // Waits until nothing is to be loaded.
  void settle();
  // Ends loading, for ever: after this the source is not used.
  void stop();

  bool is_over_budget() const { return bytes_.load(std::memory_order_relaxed) > budget_; }
  void give_up(ResidentCopy& copy);

 private:
  friend class ResidentCopy;

  void run(const std::stop_token& stop);
  void load(Tree& tree, const std::stop_token& stop);
  void free_later(RecordTree contents);
  bool load_chunk(ResidentCopy& copy, Cursor& cursor);

  const std::int64_t budget_;
  const Source source_;
  const std::shared_ptr<NodePool> pool_ = std::make_shared<NodePool>();
  std::atomic<std::int64_t> bytes_{0};
  std::atomic<std::uint32_t> room_made_{1};  // counts the copies with contents that went

  std::mutex mutex_;  // guards all below
  std::condition_variable_any changed_;
  std::vector<std::weak_ptr<Tree>> requested_;
  std::vector<RecordTree> dropped_;  // contents of copies given up, to be freed
  bool is_loading_ = false;

  std::jthread thread_;
};

}  // namespace magneto::storage
