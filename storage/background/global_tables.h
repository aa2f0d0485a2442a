#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <set>
#include <stop_token>
#include <string>
#include <utility>

#include "storage/background/replica_fill.h"
#include "storage/background/replica_making.h"
#include "storage/background/replica_sender.h"
#include "storage/background/table_follow_up.h"
#include "storage/background/worker.h"
#include "storage/table/catalog.h"
#include "storage/table/expiry_timer.h"

namespace magneto::storage {

struct Replica;  // storage/model/global_table.h
class TableLifecycle;

// Makes true what the tables of a global table say of each other. A replica that is CREATING is made
// (ReplicaMaking); one that is DELETING loses its table, and a table that is deleted goes once the
// others were sent what was written in it and have the settings that were changed in it. One that is
// leaving stays, once it was sent what was written in the others too. Who is not there any more is struck off. What is changed
// in one of the tables that all are to have alike is changed in the others.
//
// All of it is found out from the tables' records, each time anew: so what an earlier process began
// goes on, and what is done may be done again. Each turn does some for each table. Thread-safe.
class GlobalTables final : public TableFollowUp {
 public:
  struct Parts {
    Engine& engine;
    Catalog& catalog;
    ReplicaSender& sender;
    ReplicaFill& fill;
    TableLifecycle& lifecycle;  // for use once there is a table
    ExpiryTimer& expiry_timer;
    Worker& jobs;
  };
  GlobalTables(const Parts& parts, const ReportWarning& report);

  void resume() override;
  void follow(const Catalog::Edited& edited) override;
  void drop(const Table& table) override;

 private:
  using Name = std::pair<std::uint32_t, std::string>;  // database, name
  // What is to be sent before a table or a replica goes: of a table, by its number, to a region or
  // to all.
  using Leaving = std::map<std::pair<std::uint32_t, std::string>, ReplicaSender::Ends>;

  void note(const TableSchema& table);
  void look(const std::stop_token& stop);
  // False: there is more to do.
  bool attend_to(const TablePtr& table, const std::stop_token& stop);
  bool finish_deletion(const TablePtr& table, const std::stop_token& stop);
  bool leave(const TablePtr& table, const std::stop_token& stop);
  void become_regional(const TableSchema& table);
  bool share_all_settings(const TablePtr& table);
  bool take_down(const TablePtr& table, const Replica& replica, const std::stop_token& stop);
  bool has_sent_all(const TablePtr& table, const std::string& region, const std::stop_token& stop);
  // False: the replica still has older settings, and is to be looked at again.
  bool share_settings(const TablePtr& table, const Replica& replica);

  const Parts parts_;
  std::mutex mutex_;  // guards names_
  std::set<Name> names_;
  ReplicaMaking making_;  // of the recurring task
  Leaving leaving_;       // of the recurring task
  std::set<std::uint32_t>
      finished_;  // tables whose deletion has no need of this; of the recurring task
  Worker::RecurringTask task_;
};

}  // namespace magneto::storage
