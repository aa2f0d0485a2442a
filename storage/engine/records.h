#pragma once

#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "storage/engine/engine.h"
#include "storage/engine/pinned_value.h"
#include "storage/engine/write_batch.h"
#include "storage/engine/write_scope.h"

namespace magneto::storage {

// The records of ColumnFamily::kSystem (keyspace.h), which a durable engine keeps of tables,
// streams, backups and databases. Other servers may change them too, so each change is decided on
// what is stored, and is repeated after a conflict. Thread-safe.
class Records {
 public:
  explicit Records(Engine& engine);

  // False: the engine is in memory, and there are no records.
  bool are_stored() const { return tree_ != nullptr; }
  // nullptr if no records are stored.
  const TreePtr& tree() const { return tree_; }
  Engine& engine() const { return engine_; }

  // Makes changes of the records under these keys known to the other servers of the group, if there is
  // one (ServerGroup::announce()).
  void announce(std::vector<std::string> keys) const;

  // One change while it is being decided. Without stored records there is nothing to read, and what
  // is added is dropped.
  class Change {
   public:
    // The record under `key`, which is one of the keys of the change; false if there is none. It
    // stays as it is until the commit.
    PinnedValue get(std::string_view key);
    // Assigns the next number of the series whose last number is the record `counter`, one of the
    // keys of the change. `known` is a number of the series that was assigned before.
    std::uint32_t next_number(std::string_view counter, std::uint32_t known);
    void put(std::string key, std::string value);
    void remove(std::string key);
    // The changes so far, to be committed together.
    WriteBatch& batch() { return batch_; }
    // Locks a mutex that writers take while they hold keys; until the change is done, or repeated.
    void hold(std::mutex& mutex) { held_ = std::unique_lock(mutex); }

   private:
    friend class Records;
    explicit Change(const TreePtr& tree) : tree_(tree) {}

    const TreePtr& tree_;
    WriteScopePtr scope_;
    WriteBatch batch_;
    std::unique_lock<std::mutex> held_;
  };

  // Calls `decide` and commits what it adds, unless it returns false. After a conflict calls it
  // again with what is stored then. After the commit calls `done`. `keys` are those that `decide`
  // reads, and those that it writes and other changes may write; the change has them alone. The
  // caller has no scope, and the functions open none. Returns what `decide` returned last. Throws
  // EngineError, and NeedsWorker as Engine::begin() does; nothing is changed then.
  using Decide = absl::FunctionRef<bool(Change& change)>;
  bool change(std::vector<std::string> keys, Decide decide, absl::FunctionRef<void()> done) const;
  bool change(std::vector<std::string> keys, Decide decide) const {
    return change(std::move(keys), decide, [] {});
  }

 private:
  Engine& engine_;
  const TreePtr tree_;
};

}  // namespace magneto::storage
