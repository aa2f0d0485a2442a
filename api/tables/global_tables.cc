#include "api/tables/global_tables.h"

#include <algorithm>
#include <string>

#include "api/error.h"
#include "api/messages/replica_messages.h"
#include "api/messages/scaling_messages.h"
#include "api/request/arn.h"
#include "api/request/table_lookup.h"
#include "api/tables/replica_json.h"
#include "api/tables/replica_updates.h"
#include "storage/model/global_table.h"

namespace magneto::api {
namespace {

using storage::Replica;
using storage::ReplicaStatus;

std::string_view global_status_name(const storage::GlobalTable& global) {
  for (const Replica& replica : global.replicas) {
    if (replica.status == ReplicaStatus::kCreating) return "CREATING";
    if (replica.status == ReplicaStatus::kDeleting) return "UPDATING";
  }
  return "ACTIVE";
}

void write_replica(json::Writer& writer, std::string_view region, ReplicaStatus status) {
  writer.begin_object();
  writer.text("RegionName", region);
  writer.text("ReplicaStatus", replica_status_name(status));
  writer.end_object();
}

}  // namespace

bool is_legacy_global_table(const storage::Table& table) {
  return table.schema.global_table != nullptr &&
         table.schema.global_table->version == storage::kLegacyGlobalTables;
}

storage::TablePtr existing_global_table(Request& request, std::string_view name) {
  storage::TablePtr table = table_named(request, name);
  if (table == nullptr || !is_legacy_global_table(*table)) {
    throw ApiError(ErrorType::kGlobalTableNotFound, messages::global_table_not_found(name));
  }
  return table;
}

storage::TablePtr global_table_with_settings(Request& request, std::string_view name) {
  storage::TablePtr table = table_named(request, name);
  if (table == nullptr || !is_legacy_global_table(*table)) {
    throw ApiError(ErrorType::kGlobalTableNotFound, messages::no_global_table(name));
  }
  return table;
}

storage::TablePtr joining_table(Request& request, std::string_view region, std::string_view name) {
  const bool is_own = region == request.caller.home_region();
  storage::Database& database = is_own ? request.database : database_in(request, region);
  storage::TablePtr table = database.find_table(name);
  if (table == nullptr || table->schema.status == storage::ResourceStatus::kDeleting) {
    fail_backup_table_not_found(name);
  }
  if (table->schema.global_table != nullptr) {
    throw ApiError(ErrorType::kGlobalTableAlreadyExists, messages::global_table_exists(name));
  }
  if (!table->schema.stream.enabled || table->schema.stream.view_type != "NEW_AND_OLD_IMAGES") {
    fail_validation(messages::kReplicaStream);
  }
  return table;
}

void check_joining(const storage::Table& first, const storage::Table& table) {
  const auto& indexes = first.schema.indexes;
  const auto& others = table.schema.indexes;
  const bool has_indexes = indexes.size() == others.size() &&
                           std::ranges::all_of(indexes, [&](const storage::IndexSchema& index) {
                             const storage::IndexSchema* other =
                                 table.schema.find_index(index.name);
                             return other != nullptr && storage::is_same_index(index, *other);
                           });
  if (!(first.schema.key == table.schema.key) || !has_indexes) {
    fail_validation(messages::tables_differ(first.schema.region, table.schema.region));
  }
  if (table.statistics->item_count.load() != 0) {
    fail_validation(messages::table_not_empty(table.schema.region));
  }
}

void write_global_table(json::Writer& writer, const storage::Table& table) {
  const storage::TableSchema& schema = table.schema;
  const storage::GlobalTable& global = *schema.global_table;
  writer.key("GlobalTableDescription");
  writer.begin_object();
  writer.key("ReplicationGroup");
  writer.begin_array();
  write_replica(writer, schema.region, ReplicaStatus::kActive);
  for (const Replica& replica : global.replicas) {
    write_replica(writer, replica.region, replica.status);
  }
  writer.end_array();
  writer.text("GlobalTableArn",
              "arn:aws:dynamodb::" + schema.account + ":global-table/" + schema.name);
  writer.key("CreationDateTime");
  writer.time(global.created);
  writer.text("GlobalTableStatus", global_status_name(global));
  writer.text("GlobalTableName", schema.name);
  writer.end_object();
}

void write_regions(json::Writer& writer, const storage::Table& table) {
  writer.key("ReplicationGroup");
  writer.begin_array();
  const auto write_region = [&](std::string_view region) {
    writer.begin_object();
    writer.text("RegionName", region);
    writer.end_object();
  };
  write_region(table.schema.region);
  for (const Replica& replica : table.schema.global_table->replicas) write_region(replica.region);
  writer.end_array();
}

}  // namespace magneto::api
