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

// Carries out the changes that the tables of a global table describe. It makes a replica that is
// CREATING (ReplicaMaking), and deletes the table of one that is DELETING. A deleted table goes
// once its writes and its changed settings have reached the others. A table that leaves stays as a
// table, once it also has the writes of the others. It removes replicas that no longer exist from
// the others, and copies common settings from one table to the others.
//
// Each turn derives all this again from the tables' records, and does a part for each table. So it
// continues work of an earlier process, and repeating a step is harmless. Thread-safe.
class GlobalTables final : public TableFollowUp {
 public:
  struct Parts {
    Engine& engine;
    Catalog& catalog;
    ReplicaSender& sender;
    ReplicaFill& fill;
    TableLifecycle& lifecycle;  // used only when there is a table
    ExpiryTimer& expiry_timer;
    Worker& jobs;
  };
  GlobalTables(const Parts& parts, const ReportWarning& report);

  void resume() override;
  void follow(const Catalog::Edited& edited) override;
  void drop(const Table& table) override;

 private:
  using Name = std::pair<std::uint32_t, std::string>;  // database, name
  // The changes to send before a table or a replica goes: from a table, by its number, to one
  // region or to all.
  using Leaving = std::map<std::pair<std::uint32_t, std::string>, ReplicaSender::Ends>;

  void note(const TableSchema& table);
  void look(const std::stop_token& stop);
  // False if there is more to do.
  bool attend_to(const TablePtr& table, const std::stop_token& stop);
  bool finish_deletion(const TablePtr& table, const std::stop_token& stop);
  bool leave(const TablePtr& table, const std::stop_token& stop);
  void become_regional(const TableSchema& table);
  bool share_all_settings(const TablePtr& table);
  bool take_down(const TablePtr& table, const Replica& replica, const std::stop_token& stop);
  bool has_sent_all(const TablePtr& table, const std::string& region, const std::stop_token& stop);
  // False: the replica still has older settings and must be checked again.
  bool share_settings(const TablePtr& table, const Replica& replica);

  const Parts parts_;
  std::mutex mutex_;  // guards names_
  std::set<Name> names_;
  ReplicaMaking making_;  // used by the recurring task only
  Leaving leaving_;       // used by the recurring task only
  // Tables whose deletion is finished here; used by the recurring task only.
  std::set<std::uint32_t> finished_;
  Worker::RecurringTask task_;
};

}  // namespace magneto::storage
