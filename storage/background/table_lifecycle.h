#pragma once

#include <cstdint>
#include <vector>

#include "absl/functional/function_ref.h"
#include "storage/background/control_plane_delay.h"
#include "storage/background/table_follow_up.h"
#include "storage/table/catalog.h"

namespace magneto::storage {

// Creates, changes and deletes tables: sets their temporary statuses and calls the follow-ups.
// resume() completes a transition that an earlier process did not finish. Thread-safe.
class TableLifecycle {
 public:
  using FollowUps = std::vector<TableFollowUp*>;

  // `delays_whole_tables`: creating and deleting tables takes the delay too, not only changing
  // them. `follow_ups`, which must outlive this object, are called in their order.
  TableLifecycle(Catalog& catalog, ControlPlaneDelay& delay, bool delays_whole_tables,
                 FollowUps follow_ups);

  // Called after Catalog::load(), and when another server may have left transitions unfinished.
  void resume();

  // Like Database's functions of these names.
  TablePtr create_table(TableSchema schema);
  using CheckDeletion = absl::FunctionRef<void(const TableSchema& schema)>;
  TablePtr delete_table(const TableName& name, CheckDeletion check);
  TablePtr delete_table(const TableName& name) {
    return delete_table(name, [](const TableSchema&) {});
  }
  TablePtr update_table(const TableName& name, absl::FunctionRef<void(TableSchema&)> change);

  // Called when the replicas of a table have all its writes; until then a table with replicas stays
  // DELETING.
  void finish_deletion(const TableName& name, std::uint32_t number);

 private:
  TablePtr begin_deletion(const TableName& name, CheckDeletion check);
  bool delays_tables() const { return delay_.is_set() && delays_whole_tables_; }
  void finish_later(const TableSchema& schema);
  void finish_transitions(const TableName& name, std::uint32_t number);
  TablePtr erase_table(const TableName& name, std::uint32_t number, Catalog::MayErase may);
  TablePtr erase_table(const TableName& name, std::uint32_t number) {
    return erase_table(name, number, [](const TableSchema&) { return true; });
  }
  void follow(const Catalog::Edited& edited);
  void for_each_follow_up(absl::FunctionRef<void(TableFollowUp&)> action);

  Catalog& catalog_;
  ControlPlaneDelay& delay_;
  const bool delays_whole_tables_;
  const FollowUps follow_ups_;
};

}  // namespace magneto::storage
