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

// Takes the changes that wait in the queues of tables with replicas, oldest first, and makes them in
// the tables of the other regions, where the item's stamp there is smaller. A change goes from its
// queue in the batch that makes it, so a crash neither loses nor repeats one. A queue whose changes
// cannot be made is tried again later and holds up no other. Thread-safe.
class ReplicaSender {
 public:
  struct Parts {
    Engine& engine;
    const Clock& clock;
    const Catalog& catalog;
    ItemWriter& writer;
    const IndexDelay& delay;  // how long after it was made a change is sent
    Worker& worker;           // stopped before this ends
  };
  ReplicaSender(const Parts& parts, ReportWarning report);

  // Looks at the queues of the newest version of `table`, as long as it has any.
  void note(const TableSchema& table);
  // There may be something to send. Cheap; to be called for each change.
  void look();

  // Remembers what the queues hold when the process begins, until it was sent; then calls `on_sent`,
  // at least once. To be called once, before is_behind().
  void begin(std::function<void()> on_sent);
  // Whether a change that was waiting at begin() and is due has yet to be made in `table`. What the
  // process decides by itself has to wait for it: the time that the process was down would else count
  // as one in which the other regions had heard of it. Throws EngineError.
  bool is_behind(const Table& table) const;

  // The last change that waits in each queue of a table, or in that of one region.
  using Ends = std::vector<std::pair<std::string, std::string>>;  // region, key
  Ends ends(const Table& table, std::string_view region = {}) const;
  // Sends some of what waits up to `ends`, delayed or held or not, before one of the tables goes, and
  // takes out of `ends` what has come to its end, and what waits for tables that are not there.
  // Throws what a write throws, once all were tried: what was not sent is still in `ends`.
  void send_some_up_to(const TablePtr& table, Ends& ends, const std::stop_token& stop);

 private:
  using Name = std::pair<std::uint32_t, std::string>;  // database, name
  struct Chunk;
  struct Left {  // in a queue
    Name source;
    std::string region;
    Name target;
    std::string end;  // the last change
  };
  enum class Sent : std::uint8_t { kAll, kSome };

  void take_turn(const std::stop_token& stop);
  std::vector<TablePtr> tables();
  // When the first change that is left is to be sent goes to `next`.
  Sent send_some(const Table& table, const ReplicationQueue& queue, bool is_delayed,
                 std::optional<Clock::TimePoint>& next);
  bool has_come_to(const Table& table, const ReplicationQueue& queue, std::string_view end,
                   const std::stop_token& stop);
  // The key of the first change that waits there, of those up to `end` unless that is empty.
  std::optional<std::string> first_waiting(const ReplicationQueue& queue,
                                           std::string_view end = {}) const;
  // The first of what is left that waits; nullopt: all of it was sent, or its queue is gone.
  std::optional<std::string> first_waiting(const Left& left, TablePtr& source) const;
  void note_sent();
  // Of a change with that stamp, where stamps are so far ahead of the clock.
  std::optional<Clock::TimePoint> due(std::int64_t made, Clock::Duration lead) const;
  void forget_deleted_of(const std::vector<TablePtr>& tables,
                         std::optional<Clock::TimePoint>& next) const;
  void make(const Chunk& chunk, const TablePtr& target, const ReplicationQueue& queue);

  const Parts parts_;
  const ReportWarning report_;
  std::atomic<bool> is_called_{false};
  std::atomic<bool> has_tables_{false};
  std::function<void()> on_sent_;  // written by begin() alone
  std::atomic<bool> has_left_{false};
  mutable std::mutex mutex_;  // guards what follows
  std::set<Name> names_;
  std::vector<Left> left_;  // of what begin() found
  Worker::RecurringTask task_;
  const Clock::Watch watch_;
};

}  // namespace magneto::storage
