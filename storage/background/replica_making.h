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

// Makes replicas, a part in each turn. Each gets a table in its database; every member of the
// global table knows the table and has filled it before it is ACTIVE. A replica becomes
// CREATION_FAILED and has no table if there is no room or its disk fails.
//
// While a member leaves, no replica is filled, and earlier fills start again: changes that the
// leaving member sends may arrive at members that were already copied. Work that was lost, for
// example at the end of the process, starts again. Used by one thread.
class ReplicaMaking {
 public:
  struct Parts {
    Catalog& catalog;
    ReplicaFill& fill;
    TableLifecycle& lifecycle;  // used only when there is a table
    ReportWarning report;
    std::function<void(const TableSchema&)> note;  // called for a new member
  };
  explicit ReplicaMaking(Parts parts) : parts_(std::move(parts)) {}

  // Continues with a replica of `table` that is CREATING. False if there is more to do.
  bool go_on(const TablePtr& table, const Replica& replica);
  // Removes a replica from `table`. If a new table was not filled before its other members
  // disappeared, it is deleted with them.
  void strike_off(const TableSchema& table, std::string_view region);

 private:
  using Name = std::pair<std::uint32_t, std::string>;  // database, name
  // By the numbers of the source table and the new table.
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
  // Whether a member, other than the one in region `except`, sends its last changes and leaves.
  bool is_anyone_leaving(const TablePtr& table, std::string_view except) const;
  void take_back(const TableSchema& target);

  const Parts parts_;
  std::map<Name, Fills> fills_;  // by the new table
};

}  // namespace magneto::storage
