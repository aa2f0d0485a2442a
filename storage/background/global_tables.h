#pragma once

#include <cstdint>
#include <mutex>
#include <set>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "storage/background/replica_fill.h"
#include "storage/background/replica_sender.h"
#include "storage/background/table_follow_up.h"
#include "storage/background/worker.h"
#include "storage/table/catalog.h"
#include "storage/table/expiry_timer.h"

namespace magneto::storage {

struct Replica;  // storage/model/global_table.h
class TableLifecycle;

// Makes true what the tables of a global table say of each other. A replica that is CREATING gets a
// table, in its database, which every other one knows and has filled before it is ACTIVE; one that is
// DELETING loses it. Who is not there any more is struck off. What is changed in one of the tables
// that all are to have alike is changed in the others.
//
// All of it is found out from the tables' records, each time anew: so what an earlier process began
// goes on, and what is done may be done again. Thread-safe.
class GlobalTables final : public TableFollowUp {
 public:
  struct Parts {
    Catalog& catalog;
    ReplicaSender& sender;
    ReplicaFill& fill;
    TableLifecycle& lifecycle;  // for use once there is a table
    ExpiryTimer& expiry_timer;
    Worker& jobs;
  };
  explicit GlobalTables(const Parts& parts);

  void resume() override;
  void follow(const Catalog::Edited& edited) override;
  void drop(const Table& table) override;

 private:
  using Name = std::pair<std::uint32_t, std::string>;  // database, name

  void add(const TableSchema& table);
  void remove(const TableSchema& table);
  void look(const std::stop_token& stop);
  bool attend_to(const TablePtr& table, const std::stop_token& stop);
  // False when `stop` was asked to.
  bool bring_up(const TablePtr& table, const Replica& replica, const std::stop_token& stop);
  TablePtr make_table(const TablePtr& table, const Replica& replica,
                      const std::vector<TablePtr>& members);
  void complete(const TablePtr& target, const std::vector<TablePtr>& members);
  void take_down(const TablePtr& table, const Replica& replica, const std::stop_token& stop);
  void strike_off(const TableSchema& table, const Replica& replica);
  void share_settings(const TablePtr& table, const Replica& replica);
  // The table of a replica, where that knows of this one; nullptr: there is none.
  TablePtr partner(const TableSchema& table, const Replica& replica) const;
  // This one, and those of its replicas that are there, but `except`.
  std::vector<TablePtr> members_of(const TablePtr& table, const Replica& except) const;

  const Parts parts_;
  std::mutex mutex_;  // guards names_
  std::set<Name> names_;
  Worker::Chore chore_;
};

}  // namespace magneto::storage
