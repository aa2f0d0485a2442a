#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>

#include "storage/background/index_replicator.h"
#include "storage/index/change_log.h"
#include "storage/table/memory_budget.h"
#include "storage/table/table.h"

namespace magneto::storage {

// Fills new asynchronous indexes from the items of their tables, while writes continue.
// Thread-safe.
class IndexBackfill {
 public:
  IndexBackfill(Engine& engine, ChangeLog& changes, IndexReplicator& replicator, MemoryBudget& room,
                const Clock& clock)
      : engine_(engine), changes_(changes), replicator_(replicator), room_(room), clock_(clock) {}

  // An index that follows no log gets its entries in commits that hold the items' keys.
  //
  // Enters every item of `table` into `index`, one of its indexes, already published as
  // backfilling. Each entry goes through the index's queue with the item's key held, so it is
  // ordered among the changes of concurrent writes. It has no record in the engine: after a crash
  // the back-fill starts again, which is harmless. True if all entries are applied, false if the
  // index was dropped or `stop` was requested. Throws EngineError, and MemoryFull if there is no
  // room for the entries.
  bool fill(const Table& table, const std::shared_ptr<const Index>& index,
            const std::stop_token& stop);

  // Like fill(), for callers that must not wait for a clock. `progress` is new at first and keeps
  // the state.
  struct Progress {
    bool is_begun = false;
    bool is_pushed = false;    // all entries are pushed
    std::string next;          // the next item, until they are
    std::uint64_t target = 0;  // of the index's changes, once they are
    Clock::TimePoint due{};    // when to continue
  };
  enum class State : std::uint8_t { kFilled, kEnded, kWaits };
  // kWaits: the caller must call again when the clock has reached `progress.due`, because the index
  // lags.
  State fill_some(const Table& table, const std::shared_ptr<const Index>& index, Progress& progress,
                  const std::stop_token& stop);

 private:
  bool fill_entries(const Table& table, const Index& index, const std::stop_token& stop);
  void enter(const Table& table, const Index& index, std::span<const std::string> keys);
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
