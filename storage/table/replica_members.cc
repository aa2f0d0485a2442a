#include "storage/table/replica_members.h"

#include <utility>

#include "storage/model/global_table.h"
#include "storage/table/write_refused.h"

namespace magneto::storage {

TablePtr partner_of(const Catalog& catalog, const TableSchema& table, const Replica& replica) {
  TablePtr found = catalog.find(replica.database, table.name);
  const bool is_it = found != nullptr && found->schema.global_table != nullptr &&
                     found->schema.global_table->find(table.region) != nullptr;
  return is_it ? found : nullptr;
}

std::vector<TablePtr> members_of(const Catalog& catalog, const TablePtr& table,
                                 std::string_view except) {
  std::vector<TablePtr> members = {table};
  for (const Replica& replica : table->schema.global_table->replicas) {
    const bool stays = replica.status != ReplicaStatus::kDeleting &&
                       replica.status != ReplicaStatus::kCreationFailed;
    if (replica.region == except || !stays) continue;
    if (TablePtr found = partner_of(catalog, table->schema, replica)) {
      members.push_back(std::move(found));
    }
  }
  return members;
}

void require_newest_settings(const Catalog& catalog, const TableSchema& before,
                             const TableSchema& schema) {
  if (schema.global_table == nullptr || schema.global_table->version != kCurrentGlobalTables) {
    return;
  }
  const std::uint64_t version = before.global_table->settings_version;
  if (schema.global_table->settings_version == version) return;
  for (const Replica& replica : before.global_table->replicas) {
    const TablePtr other = partner_of(catalog, before, replica);
    if (other != nullptr && other->schema.global_table->settings_version > version) {
      throw SettingsBehind();
    }
  }
}

}  // namespace magneto::storage
