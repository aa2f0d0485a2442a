#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "storage/engine/engine_statistics.h"
#include "storage/engine/pinned_value.h"
#include "storage/engine/write_batch.h"
#include "storage/engine/write_scope.h"

// The contract between Magneto and the engine that stores its bytes, without the part that only
// some engines have. The memory_engine (B-trees) keeps nothing after the process ends; the
// rocksdb_engine (a directory) keeps everything that was acknowledged. The overlay_engine starts
// from a snapshot of another engine, and the cached_engine is a layer above another engine. The
// header local_disk.h has the additional part for engines in a directory of this machine.
namespace magneto::storage {

class LocalDisk;
class ServerGroup;

// A failure of the underlying store: I/O, a full disk, corruption. what() names the operation and
// path.
class EngineError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Kinds of data with different access patterns, which RocksDB stores separately.
enum class ColumnFamily : std::uint8_t { kItems, kIndexes, kQueue, kSystem, kExpiry, kStreams };
inline constexpr std::size_t kFamilyCount = 6;

// The data that an engine above another one, such as a cache, keeps for a tree of the lower engine.
class TreeAttachment {
 public:
  TreeAttachment() = default;
  virtual ~TreeAttachment() = default;
  TreeAttachment(const TreeAttachment&) = delete;
  TreeAttachment& operator=(const TreeAttachment&) = delete;
};

// One contiguous, memcmp-ordered range of keys, all of which start with prefix(). In memory it is
// one B-tree under its own shared lock; in RocksDB it is a key range of a column family. Keys
// passed to the engine are always whole keys, with the prefix. Engine::open_tree returns it; it can
// be used while any handle to it exists.
class Tree {
 public:
  Tree(ColumnFamily family, std::string prefix) : prefix_(std::move(prefix)), family_(family) {}
  virtual ~Tree() = default;
  Tree(const Tree&) = delete;
  Tree& operator=(const Tree&) = delete;

  ColumnFamily family() const { return family_; }
  const std::string& prefix() const { return prefix_; }

  // The attachment of the single engine above the tree's own engine, or nullptr. Batches name trees
  // and are passed down unchanged, so the upper engine hands out the trees of the lower one. It
  // attaches its own data in open_tree, before it returns a handle. The attachment is destroyed
  // with the tree.
  TreeAttachment* attachment() const { return attachment_.get(); }
  void attach(std::unique_ptr<TreeAttachment> attachment) { attachment_ = std::move(attachment); }

 private:
  const std::string prefix_;
  const ColumnFamily family_;
  std::unique_ptr<TreeAttachment> attachment_;
};
using TreePtr = std::shared_ptr<Tree>;

enum class Direction : std::uint8_t { kForward, kBackward };

// Walks keys in one direction. key() and value() are valid until the next call of next() or
// destruction. It may or may not see concurrent writes; it sees a key that is present throughout
// exactly once, and keys are strictly ordered. Holds no lock between calls.
class Cursor {
 public:
  virtual ~Cursor() = default;
  // Moves to the first entry, later to the next one; false at the end. Throws EngineError.
  virtual bool next() = 0;
  virtual std::string_view key() const = 0;
  virtual std::string_view value() const = 0;
};

// How much of a scan the caller will read, so that the engine fetches little more, and in few
// steps. It does not limit the results.
struct ScanHint {
  std::size_t entries = 0;  // at most this many; 0: any number
  std::size_t bytes = 0;    // of values, at most about this many; 0: any number
  // The caller reads the entries once. No cache keeps them for this scan, and without a limit the
  // engine reads far ahead.
  bool is_single_pass = false;
};

// Reads trees: their current state (Engine) or an earlier one (Snapshot).
class Reader {
 public:
  Reader() = default;
  virtual ~Reader() = default;
  Reader(const Reader&) = delete;
  Reader& operator=(const Reader&) = delete;

  // The value of a key; false if there is none. Throws EngineError.
  virtual PinnedValue get(const Tree& tree, std::string_view key) const = 0;
  // Reads many keys, in one step if the engine is remote. `values` has as many elements as `reads`.
  // Only a snapshot reads all of them at one moment.
  virtual void get(std::span<const KeyRead> reads, std::span<PinnedValue> values) const {
    for (std::size_t i = 0; i < reads.size(); ++i) values[i] = get(*reads[i].tree, reads[i].key);
  }

  // Entries with lower <= key < upper (whole keys; empty: the tree's own bounds).
  virtual std::unique_ptr<Cursor> scan(const Tree& tree, std::string_view lower,
                                       std::string_view upper, Direction direction,
                                       ScanHint hint) const = 0;
  std::unique_ptr<Cursor> scan(const Tree& tree, std::string_view lower, std::string_view upper,
                               Direction direction) const {
    return scan(tree, lower, upper, direction, {});
  }
};

// All trees as they were at one moment, with each batch in full or not at all. It does not see
// later commits, which cost memory or disk space while it exists. It still sees the old contents of
// a tree that is cleared later. A tree disappears from it when the last handle to the tree is
// released. Thread-safe; its engine outlives it, and it outlives its cursors.
class Snapshot : public Reader {};
using SnapshotPtr = std::shared_ptr<const Snapshot>;

class Engine : public Reader {
 public:
  // True if committed batches outlive the process.
  virtual bool is_durable() const = 0;
  // Whether a commit now may wait for the store: always with synced writes, otherwise while the
  // disk is behind. Cheap enough for every request.
  virtual bool commit_waits() const = 0;

  // False when another server may have changed the store. Answers that were computed from reads
  // must not be sent then. True for engines that only this process uses. Cheap.
  virtual bool is_current() const { return true; }
  // The longest key that a commit accepts, in bytes. commit() throws EngineError for a longer one.
  virtual std::size_t max_key_bytes() const { return std::numeric_limits<std::size_t>::max(); }

  // The tree of keys that start with `prefix` and lie in [lower, upper) (whole keys; empty: no
  // bound). Trees of one family that are in use must not overlap; as an exception, a durable engine
  // may open a tree over a whole family to read it. Opening the same range again while a handle
  // exists returns the same contents.
  virtual TreePtr open_tree(ColumnFamily family, std::string prefix, std::string lower = {},
                            std::string upper = {}) = 0;

  // The current state, with every commit that has returned. Its cost does not depend on the amount
  // of data, and it stops no writer.
  virtual SnapshotPtr snapshot() = 0;
  // Whether a commit that has returned may have changed something since `snapshot`, a snapshot of
  // this engine, was taken. Cheap.
  virtual bool changed_since(const Snapshot& snapshot) const = 0;
  // True for an engine in memory when replacing or removing data now frees nothing, because a
  // snapshot may see the data or an engine below holds it. On disk false. Cheap.
  virtual bool keeps_replaced() const = 0;

  // Opens a scope of the keys, which must be distinct; engines that lock wait for the keys. If
  // several writers may write a key, each of them must do it in a scope of that key.
  //
  // The holder of a key may work long or wait for the store. On an I/O thread the call therefore
  // throws NeedsWorker instead of waiting (storage/model/effort.h). get() and cursors do the same
  // if a commit blocks readers, and commit() if it has to wait; nothing is applied then.
  virtual WriteScopePtr begin(std::span<const std::string_view> keys) = 0;
  WriteScopePtr begin(std::string_view key) { return begin({&key, 1}); }

  // Returns after every scope that was open at the call has ended.
  virtual void wait_for_open_scopes() = 0;

  // Waits for the open scopes. The caller must have none.
  virtual ScopePausePtr pause_scopes() = 0;

  // Commits without a scope. Applies all of the batch or none of it, atomically across trees and
  // families, in memory and in the store. When it returns, the batch survives a killed process
  // (durable engine) and, with synced writes or a synced batch, loss of power. Throws EngineError
  // and applies nothing then.
  virtual void commit(const WriteBatch& batch) = 0;

  // Removes every key of the tree. A durable engine takes long if there are many. No write to the
  // tree may be in progress; until this returns, readers may find anything that the tree ever held.
  // Must be called again after a crash.
  virtual void clear(Tree& tree) = 0;

  // Must be called before committing anything that versions of Magneto older than this format
  // (store_format.h) cannot read: they refuse the store from then on. Throws EngineError.
  virtual void require_format(int format) = 0;

  // Approximate bytes of the tree's keys and values. May be too low, even 0, if an exact value
  // would take long. Cheap.
  virtual std::uint64_t estimate_size(const Tree& tree) const = 0;

  // Why the engine refuses writes that add data now, in words for a user. Empty: it accepts them,
  // as far as it can know before a write. May wait for the store, and never throws.
  virtual std::string describe_refusal() = 0;
  // Takes no longer with more data. May wait for the store.
  virtual EngineStatistics statistics() const = 0;

  // The servers that use the store at the same time. nullptr: this process uses it alone. Scopes of
  // an engine with a group may end with kConflict, and there is no pause_scopes().
  virtual ServerGroup* group() { return nullptr; }
  // The sums that batches have counted under these keys (WriteBatch::count()), of all servers, at one
  // moment. They outlive the group. Throws EngineError.
  struct Counted {
    std::int64_t items = 0;
    std::int64_t bytes = 0;
    friend bool operator==(const Counted&, const Counted&) = default;
  };
  virtual std::vector<Counted> counted(std::span<const std::string> keys) const {
    return std::vector<Counted>(keys.size());
  }
  // Forgets the sums under all keys that begin with the prefix. Throws EngineError.
  virtual void forget_counted(std::string_view /*prefix*/) {}
  // The version at which servers first shared the store, 0 if they never have. Never changes while
  // the engine exists.
  virtual Version shared_since() const { return 0; }

  // nullptr: the store is not in a directory of this machine.
  virtual LocalDisk* local_disk() { return nullptr; }
};

}  // namespace magneto::storage
