#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "absl/functional/function_ref.h"
#include "storage/background/expiry_backfill.h"
#include "storage/background/index_backfill.h"
#include "storage/background/index_replicator.h"
#include "storage/background/worker.h"
#include "storage/table/catalog.h"

namespace magneto::storage {

// What happens to tables over time: the passing statuses, filling new indexes and expiry queues,
// reclaiming what is dropped. A transition an earlier process did not finish is finished on
// resume(). Thread-safe.
class TableLifecycle {
 public:
  struct Parts {
    Engine& engine;
    const Clock& clock;
    Catalog& catalog;
    ChangeLog& changes;
    IndexReplicator& replicator;
    ExpiryTimer& expiry_timer;
    DataRoom& room;
    Worker& timers;  // short tasks
    Worker& jobs;    // long ones
  };
  // `delay`: how long CREATING, UPDATING and DELETING last at least, and time to live is ENABLING
  // or DISABLING.
  // `delays_whole_tables`: making and deleting tables takes that long too, not changing them alone.
  TableLifecycle(const Parts& parts, std::chrono::milliseconds delay, bool delays_whole_tables);

  // Once, after Catalog::load().
  void resume();

  // As Database's functions of these names.
  TablePtr create_table(TableSchema schema);
  TablePtr delete_table(const TableName& name);
  TablePtr update_table(const TableName& name, absl::FunctionRef<void(TableSchema&)> change);
  StreamStatus stream_status(const StreamLog& stream) const;

 private:
  bool has_delay() const { return delay_.count() != 0; }
  bool delays_tables() const { return has_delay() && delays_whole_tables_; }
  // Posts the task for the time `due` of the clock, which tests may move.
  void post_at(Clock::TimePoint due, Worker::Task task);
  void finish_later(const TableSchema& schema);
  void finish_transitions(const TableName& name, std::uint32_t number);
  TablePtr erase_table(const TableName& name, std::uint32_t number);
  void fill_later(const TableSchema& schema, std::uint16_t index_number);
  void fill_index(const TableName& name, std::uint32_t table_number, std::uint16_t index_number,
                  Clock::TimePoint not_before, const std::stop_token& stop);
  void finish_index(const TableName& name, std::uint32_t table_number, std::uint16_t index_number);
  void finish_time_to_live_later(const TableSchema& schema);
  void finish_time_to_live(const TableName& name, const TimeToLive& passing,
                           std::uint32_t table_number);
  void fill_expiry_queue_later(const TableSchema& schema);
  void fill_expiry_queue(const TableName& name, std::uint32_t table_number,
                         std::uint16_t queue_number, const std::stop_token& stop);
  void close_replaced_stream(const Catalog::Edited& edited);
  void close_stream(const StreamPtr& stream);
  void reclaim_dropped(const Catalog::Edited& edited);
  void reclaim_index(std::uint32_t table_number, const Index& index);
  void reclaim(Catalog::Dropped dropped, std::vector<TreePtr> trees,
               std::shared_ptr<IndexApplier> applier = nullptr);

  Engine& engine_;
  const Clock& clock_;
  Catalog& catalog_;
  ExpiryTimer& expiry_timer_;
  Worker& timers_;
  Worker& jobs_;
  IndexBackfill backfill_;
  ExpiryBackfill expiry_backfill_;
  const std::chrono::milliseconds delay_;
  const bool delays_whole_tables_;
};

}  // namespace magneto::storage
