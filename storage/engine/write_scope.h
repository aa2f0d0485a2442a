#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "storage/engine/pinned_value.h"
#include "storage/engine/write_batch.h"

namespace magneto::storage {

class Tree;

// What to read: a whole key of a tree.
struct KeyRead {
  const Tree* tree;
  std::string_view key;
};

enum class CommitResult : std::uint8_t {
  kCommitted,
  kConflict,  // somebody else was there: nothing is applied, and the scope is of no more use
};

// Some keys for a read-decide-write: what is read under them stays what it is until the scope ends
// or has committed, or else commit() says kConflict. Then the caller begins a new scope, reads and
// decides anew: so what it does before a commit must be free to be done again. Engines that lock
// never say so. Lets the keys go on destruction, on the thread that began it. Not thread-safe.
class WriteScope {
 public:
  WriteScope() = default;
  virtual ~WriteScope() = default;
  WriteScope(const WriteScope&) = delete;
  WriteScope& operator=(const WriteScope&) = delete;

  // As Engine::get of each, in one step: `values` has as many places as `reads`. Keys are of the
  // scope, or of records that are only written in a scope of such a key: so an item's stamp is read
  // in a scope of the item's key. A read that does not come through here is not protected.
  virtual void get(std::span<const KeyRead> reads, std::span<PinnedValue> values) = 0;
  PinnedValue get(const Tree& tree, std::string_view key) {
    const KeyRead read{&tree, key};
    PinnedValue value;
    get({&read, 1}, {&value, 1});
    return value;
  }

  // As Engine::commit. With an empty batch: whether all that was read was there at one moment.
  // Throws EngineError; nothing is applied then.
  [[nodiscard]] virtual CommitResult commit(const WriteBatch& batch) = 0;
};
using WriteScopePtr = std::unique_ptr<WriteScope>;

// While it lives no scope is open, and who begins one waits. It is to live for a moment only.
class ScopePause {
 public:
  ScopePause() = default;
  virtual ~ScopePause() = default;
  ScopePause(const ScopePause&) = delete;
  ScopePause& operator=(const ScopePause&) = delete;
};
using ScopePausePtr = std::unique_ptr<ScopePause>;

}  // namespace magneto::storage
