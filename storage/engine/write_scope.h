#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "storage/engine/pinned_value.h"
#include "storage/engine/version.h"
#include "storage/engine/write_batch.h"

namespace magneto::storage {

class Tree;

// One read: a whole key of a tree.
struct KeyRead {
  const Tree* tree;
  std::string_view key;
};

enum class CommitResult : std::uint8_t {
  kCommitted,
  kConflict,  // another writer interfered: nothing is applied, and the scope cannot be used again
};

// Some keys for a read-decide-write. The values read under them stay unchanged until the scope
// commits or ends; otherwise commit() returns kConflict. The caller then begins a new scope, reads
// and decides again, so its work before a commit must be repeatable. Engines that lock never return
// kConflict. Destruction releases the keys, on the thread that began the scope. Not thread-safe.
class WriteScope {
 public:
  WriteScope() = default;
  virtual ~WriteScope() = default;
  WriteScope(const WriteScope&) = delete;
  WriteScope& operator=(const WriteScope&) = delete;

  // Reads as Engine::get() does, in one step: `values` has as many elements as `reads`. Each key
  // belongs to the scope, or to a record that is only written in a scope of such a key: an item's
  // stamp is read in a scope of the item's key. Reads outside this function are not protected.
  virtual void get(std::span<const KeyRead> reads, std::span<PinnedValue> values) = 0;
  PinnedValue get(const Tree& tree, std::string_view key) {
    const KeyRead read{&tree, key};
    PinnedValue value;
    get({&read, 1}, {&value, 1});
    return value;
  }

  // For engines with a group (Engine::group()): draws the versions of `count` changes of the commit,
  // kVersionStep apart, and returns the first. They are greater than those of the values that the
  // scope has read. Other engines return 0.
  virtual Version draw(std::size_t /*count*/) { return 0; }

  // Like Engine::commit(). With an empty batch: whether all values read existed at one moment.
  // Throws EngineError and applies nothing then.
  [[nodiscard]] virtual CommitResult commit(const WriteBatch& batch) = 0;
};
using WriteScopePtr = std::unique_ptr<WriteScope>;

// While a ScopePause exists, no scope is open, and begin() waits. Must be short-lived.
class ScopePause {
 public:
  ScopePause() = default;
  virtual ~ScopePause() = default;
  ScopePause(const ScopePause&) = delete;
  ScopePause& operator=(const ScopePause&) = delete;
};
using ScopePausePtr = std::unique_ptr<ScopePause>;

}  // namespace magneto::storage
