#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include "storage/engine/engine_statistics.h"
#include "storage/engine/pinned_value.h"
#include "storage/engine/write_batch.h"
#include "storage/engine/write_scope.h"

// The contract between Magneto and what keeps its bytes: the part that every engine has. With
// memory_engine (B-trees) nothing survives; with rocksdb_engine (a directory) everything that was
// acknowledged does. overlay_engine begins as a snapshot of another one, and cached_engine stands
// above another one. local_disk.h has the part of engines in a directory of this machine.
namespace magneto::storage {

class LocalDisk;

// A failure of the store below: I/O, a full disk, corruption. what() names the operation and path.
class EngineError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Kinds of data with different access patterns, each of which RocksDB keeps apart.
enum class ColumnFamily : std::uint8_t { kItems, kIndexes, kQueue, kSystem, kExpiry, kStreams };
inline constexpr std::size_t kFamilyCount = 6;

// What an engine that stands above another, as a cache does, keeps for one of the other's trees.
class TreeAttachment {
 public:
  TreeAttachment() = default;
  virtual ~TreeAttachment() = default;
  TreeAttachment(const TreeAttachment&) = delete;
  TreeAttachment& operator=(const TreeAttachment&) = delete;
};

// One contiguous, memcmp-ordered run of keys, all of which start with prefix(). In memory it is one
// B-tree under its own shared lock; in RocksDB a key range of a column family. Keys passed to the
// engine are always whole keys, with the prefix. Obtained from Engine::open_tree; while any handle
// to it lives, it can be used.
class Tree {
 public:
  Tree(ColumnFamily family, std::string prefix) : prefix_(std::move(prefix)), family_(family) {}
  virtual ~Tree() = default;
  Tree(const Tree&) = delete;
  Tree& operator=(const Tree&) = delete;

  ColumnFamily family() const { return family_; }
  const std::string& prefix() const { return prefix_; }

  // Of the one engine above the tree's own that uses this, or nullptr. Batches name trees and are
  // passed on as they are, so that engine hands out the trees of the one below and hangs what it
  // knows of a tree onto it, in open_tree, before it gives out a handle. It goes with the tree.
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
// destruction. Concurrent writes may or may not be seen; a key present throughout is seen exactly
// once, and keys are strictly ordered. Holds no lock between calls.
class Cursor {
 public:
  virtual ~Cursor() = default;
  // Moves to the first, later to the next entry; false at the end. Throws EngineError.
  virtual bool next() = 0;
  virtual std::string_view key() const = 0;
  virtual std::string_view value() const = 0;
};

// How much of a scan will be wanted, so that little more is fetched, and that in few steps. What is
// found is not bounded by it.
struct ScanHint {
  std::size_t entries = 0;  // at most so many; 0: any number
  std::size_t bytes = 0;    // of values, about so many at most; 0: any number
};

// What can be read of trees: as they are (Engine) or were (Snapshot).
class Reader {
 public:
  Reader() = default;
  virtual ~Reader() = default;
  Reader(const Reader&) = delete;
  Reader& operator=(const Reader&) = delete;

  // The value under a key; absent (false) when there is none. Throws EngineError.
  virtual PinnedValue get(const Tree& tree, std::string_view key) const = 0;
  // The same of many keys, in one step where the engine is far away: `values` has as many places as
  // `reads`. Not of one moment, but by a snapshot.
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

// All trees as they were at one moment: of a batch all is seen, or nothing. What is committed later
// is not seen, and costs memory or disk space for as long as this lives. A tree that is cleared
// after that moment is still seen as it was; one whose last handle goes, goes. Thread-safe; its
// engine outlives it, and it outlives its cursors.
class Snapshot : public Reader {};
using SnapshotPtr = std::shared_ptr<const Snapshot>;

class Engine : public Reader {
 public:
  // True when committed batches outlive the process.
  virtual bool is_durable() const = 0;
  // Whether a commit made now may wait for the store: always with synced writes, else while the disk
  // is behind. Cheap enough for every request.
  virtual bool commit_waits() const = 0;

  // The tree of keys that start with `prefix` and lie in [lower, upper) (whole keys; empty: no
  // bound). Trees of one family that are in use must not overlap, but in a durable engine a tree
  // over all of a family may be opened to read it. Opening the same range twice while a handle
  // lives gives the same contents.
  virtual TreePtr open_tree(ColumnFamily family, std::string prefix, std::string lower = {},
                            std::string upper = {}) = 0;

  // The state now, with every commit that has returned. Takes no time that depends on how much
  // there is, and stops no writer.
  virtual SnapshotPtr snapshot() = 0;
  // Whether a commit that has returned may have changed something since the snapshot, of this
  // engine, was taken. Cheap.
  virtual bool changed_since(const Snapshot& snapshot) const = 0;
  // In memory: what is replaced or removed now frees nothing, since a snapshot may see it or it lies
  // in an engine below. On disk false. Cheap.
  virtual bool keeps_replaced() const = 0;

  // A scope of the keys, which must be distinct; engines that lock wait for the keys. Who writes a
  // key that others may write too does so by a scope of that key. Its holder may work long or wait
  // for the store, so on an I/O thread that throws NeedsWorker instead of waiting
  // (storage/model/effort.h); so may get() and a cursor where a commit keeps readers off, and commit()
  // where it has to wait: nothing is applied then.
  virtual WriteScopePtr begin(std::span<const std::string_view> keys) = 0;
  WriteScopePtr begin(std::string_view key) { return begin({&key, 1}); }

  // Returns after every scope that was open at the call has ended.
  virtual void wait_for_open_scopes() = 0;

  // Waits for the scopes that are open. The caller has none.
  virtual ScopePausePtr pause_scopes() = 0;

  // Without a scope. Applies all of the batch or none of it, atomically across trees and families,
  // in memory and in the store. When it returns, the batch survives a killed process (a durable
  // engine) and, with synced writes, loss of power. Throws EngineError; nothing is applied then.
  virtual void commit(const WriteBatch& batch) = 0;

  // Removes every key of the tree. A durable engine takes long when there are many. No write to the
  // tree may be under way; readers may find anything that it ever held until this returns. After a
  // crash it is to be called again.
  virtual void clear(Tree& tree) = 0;

  // To be called before something is committed that versions of Magneto before this format
  // (store_format.h) cannot read: they refuse the store from then on. Throws EngineError.
  virtual void require_format(int format) = 0;

  // About how many bytes the keys and values of the tree take; may be too few, down to 0, where it
  // would take long to know. Cheap.
  virtual std::uint64_t estimate_size(const Tree& tree) const = 0;

  // Why writes that add data are refused now, in words for a user; empty: they are taken, as far as
  // can be told before one is made. May wait for the store, and never throws.
  virtual std::string describe_refusal() = 0;
  // Takes no longer with more data. May wait for the store.
  virtual EngineStatistics statistics() const = 0;

  // nullptr: the store does not lie in a directory of this machine.
  virtual LocalDisk* local_disk() { return nullptr; }
};

}  // namespace magneto::storage
