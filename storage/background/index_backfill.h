#pragma once

#include <cstdint>
#include <memory>
#include <stop_token>
#include <string>
#include <string_view>

#include "storage/background/index_replicator.h"
#include "storage/index/change_log.h"
#include "storage/table/memory_budget.h"
#include "storage/table/table.h"

namespace magneto::storage {

// Fills new asynchronous indexes from the items of their tables, while writes go on. Thread-safe.
class IndexBackfill {
 public:
  IndexBackfill(Engine& engine, ChangeLog& changes, IndexReplicator& replicator, MemoryBudget& room,
                const Clock& clock)
      : engine_(engine), changes_(changes), replicator_(replicator), room_(room), clock_(clock) {}

  // Brings every item of `table` into `index`, which is one of its indexes and already published as
  // backfilling. Each entry takes the way of all changes with the item's key held, so it takes its place
  // among the changes of concurrent writes; it has no record in the engine, since after a crash the
  // back-fill begins again, which is harmless. True when all entries are applied, false when the
  // index was dropped or `stop` asked for an end meanwhile. Throws EngineError, and MemoryFull when
  // there is no room for the entries.
  bool fill(const Table& table, const std::shared_ptr<const Index>& index,
            const std::stop_token& stop);

  // The same for who must not wait for a clock. What is filled is kept in `progress`, new at first.
  struct Progress {
    bool is_begun = false;
    bool is_pushed = false;    // all entries are
    std::string next;          // the item that is next, where they are not
    std::uint64_t target = 0;  // of the index's changes, when they are
    Clock::TimePoint due{};    // when to go on
  };
  enum class State : std::uint8_t { kFilled, kEnded, kWaits };
  // kWaits: to be called again when the clock has come to `progress.due`, which a lagging index is
  // waited for.
  State fill_some(const Table& table, const std::shared_ptr<const Index>& index, Progress& progress,
                  const std::stop_token& stop);

 private:
  bool push_entries(const Table& table, const Index& index, Progress& progress,
                    const std::stop_token& stop);
  void push_entry(const Table& table, const Index& index, std::string_view key);

  Engine& engine_;
  ChangeLog& changes_;
  IndexReplicator& replicator_;
  MemoryBudget& room_;
  const Clock& clock_;
};

}  // namespace magneto::storage
