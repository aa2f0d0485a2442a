#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "storage/engine/engine.h"
#include "storage/engine/memory/memory_engine.h"

namespace magneto::storage {

// A store that several servers use, here in one process and in memory, as servers use a database.
// Each key has a version that grows with each commit. Thread-safe.
class SharedStore {
 public:
  // What a scope does about keys that were changed since it read them. Without a comparison the
  // last commit wins, as in a broken server.
  enum class Conflicts : std::uint8_t { kNoticed, kOverlooked };
  explicit SharedStore(Conflicts conflicts = Conflicts::kNoticed) : conflicts_(conflicts) {}

  // The engine of another server. Scopes of one engine lock their keys for each other. Scopes of
  // different engines meet in commit(): it returns kConflict if a value that the scope has read was
  // changed. The store outlives its engines.
  std::unique_ptr<Engine> open();

  // `call` runs once, between the reads and the commit of the next scope that commits.
  void before_commit(std::function<void()> call);
  // How many commits returned kConflict.
  int conflicts() const;

 private:
  class ServerEngine;
  class Scope;

  std::uint64_t version_of(const Tree& tree, std::string_view key) const;  // requires mutex_
  void commit(const WriteBatch& batch);                                    // requires mutex_
  std::function<void()> take_call();

  const Conflicts conflicts_;
  const std::unique_ptr<Engine> memory_ = make_memory_engine();
  mutable std::mutex mutex_;  // guards the next members; held while committing
  absl::flat_hash_map<const Tree*, TreePtr> trees_;  // kept, though a server may end
  absl::flat_hash_map<std::pair<ColumnFamily, std::string>, std::uint64_t> versions_;
  std::function<void()> before_commit_;
  int conflict_count_ = 0;
};

}  // namespace magneto::storage
