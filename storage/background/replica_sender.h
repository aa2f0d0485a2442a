#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <set>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "storage/background/retrying_thread.h"
#include "storage/background/worker.h"
#include "storage/clock.h"
#include "storage/index/index_delay.h"
#include "storage/table/catalog.h"
#include "storage/table/item_writer.h"

namespace magneto::storage {

// Sends the pending changes in the queues of tables with replicas, oldest first: makes them in the
// tables of the other regions if the item's stamp there is smaller. The batch that makes a change
// also removes it from its queue, so a crash neither loses nor repeats one. If a queue's changes
// cannot be made, they are retried later and block no other queue. Thread-safe.
class ReplicaSender {
 public:
  struct Parts {
    Engine& engine;
    const Clock& clock;
    const Catalog& catalog;
    ItemWriter& writer;
    const IndexDelay& delay;  // how long after it was made a change is sent
    Worker& worker;           // stopped before this object ends
  };
  ReplicaSender(const Parts& parts, ReportWarning report);

  // Watches the queues of the newest version of `table`, while it has any.
  void note(const TableSchema& table);
  // Called for each change: there may be something to send. Cheap.
  void look();

  // Remembers the contents of the queues at the start of the process until they are sent; then
  // calls `on_sent`, at least once. Call it once, before is_behind().
  void begin(std::function<void()> on_sent);
  // Whether a change that was pending at begin() and is due has not been made in `table` yet.
  // Decisions of the process itself must wait for such changes: otherwise the time that the process
  // was down would count as time in which the other regions knew of them. Throws EngineError.
  bool is_behind(const Table& table) const;

  // The last pending change in each queue of a table, or in the queue for one region.
  using Ends = std::vector<std::pair<std::string, std::string>>;  // region, key
  Ends ends(const Table& table, std::string_view region = {}) const;
  // Sends some pending changes up to `ends`, despite a delay or hold, before one of the tables
  // goes. Removes from `ends` the queues that are sent to their end, and those for tables that do
  // not exist. Throws the exceptions of a write, after all queues were tried; `ends` then has the
  // unsent ones.
  void send_some_up_to(const TablePtr& table, Ends& ends, const std::stop_token& stop);

 private:
  using Name = std::pair<std::uint32_t, std::string>;  // database, name
  struct Chunk;
  struct Left {  // the rest of a queue
    Name source;
    std::string region;
    Name target;
    std::string end;  // the last change
  };
  enum class Sent : std::uint8_t { kAll, kSome };

  void take_turn(const std::stop_token& stop);
  std::vector<TablePtr> tables();
  // Sets `next` to the time at which the first remaining change must be sent.
  Sent send_some(const Table& table, const ReplicationQueue& queue, bool is_delayed,
                 std::optional<Clock::TimePoint>& next);
  bool has_come_to(const Table& table, const ReplicationQueue& queue, std::string_view end,
                   const std::stop_token& stop);
  // The key of the queue's first pending change; only up to `end` unless that is empty.
  std::optional<std::string> first_waiting(const ReplicationQueue& queue,
                                           std::string_view end = {}) const;
  // The first pending change of `left`; nullopt: all were sent, or the queue is gone.
  std::optional<std::string> first_waiting(const Left& left, TablePtr& source) const;
  void record_sent();
  // When a change with that stamp is due. `lead`: how far stamps are ahead of the clock.
  std::optional<Clock::TimePoint> due(std::int64_t made, Clock::Duration lead) const;
  void forget_deleted_of(const std::vector<TablePtr>& tables,
                         std::optional<Clock::TimePoint>& next) const;
  void make(const Chunk& chunk, const TablePtr& target, const ReplicationQueue& queue);

  const Parts parts_;
  const ReportWarning report_;
  std::atomic<bool> is_called_{false};
  std::atomic<bool> has_tables_{false};
  std::function<void()> on_sent_;  // written by begin() only
  std::atomic<bool> has_left_{false};
  mutable std::mutex mutex_;  // guards the next members
  std::set<Name> names_;
  std::vector<Left> left_;  // found by begin()
  Worker::RecurringTask task_;
  const Clock::Watch watch_;
};

}  // namespace magneto::storage
