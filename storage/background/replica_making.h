#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "storage/background/replica_fill.h"
#include "storage/background/retrying_thread.h"
#include "storage/table/catalog.h"

namespace magneto::storage {

struct Replica;  // storage/model/global_table.h
class TableLifecycle;

// Brings up replicas, some at a time: each gets a table in its database, which every member of the
// global table knows and has filled before it is ACTIVE. One that finds no room, or whose disk
// fails, is CREATION_FAILED and has no table. While a member goes no other is filled, and what was
// filled before begins anew, since what the one leaves comes to those that were copied already. What was begun and forgotten, as by the end of the
// process, begins anew. One thread.
class ReplicaMaking {
 public:
  struct Parts {
    Catalog& catalog;
    ReplicaFill& fill;
    TableLifecycle& lifecycle;  // for use once there is a table
    ReportWarning report;
    std::function<void(const TableSchema&)> note;  // a table that is a member now
  };
  explicit ReplicaMaking(Parts parts) : parts_(std::move(parts)) {}

  // Goes on with a replica of `table` that is CREATING. False: there is more to do.
  bool go_on(const TablePtr& table, const Replica& replica);
  // Strikes a replica off `table`. A new one whose others are gone before it had what they have goes
  // with them.
  void strike_off(const TableSchema& table, std::string_view region);

 private:
  using Name = std::pair<std::uint32_t, std::string>;  // database, name
  // By the numbers of the tables that it is filled from and that it is.
  using Fills = std::map<std::pair<std::uint32_t, std::uint32_t>, ReplicaFill::Progress>;

  void tell_members(const TablePtr& table, const Replica& replica);
  TablePtr make_table(const TablePtr& table, const Replica& replica,
                      const std::vector<TablePtr>& members);
  TablePtr tell_target(const TablePtr& target, const TableSchema& table,
                       const std::vector<const TableSchema*>& others);
  bool fill_some(const TablePtr& target, const std::vector<TablePtr>& members);
  void complete(const TablePtr& target, const std::vector<TablePtr>& members);
  void fail(const TablePtr& table, const Replica& replica, std::string_view why);
  bool is_there(const TableSchema& table) const;
  // One of the members, but that in the region `except`, sends what it has left and goes.
  bool is_anyone_leaving(const TablePtr& table, std::string_view except) const;
  void take_back(const TableSchema& target);

  const Parts parts_;
  std::map<Name, Fills> fills_;  // by the new table
};

}  // namespace magneto::storage
