#include "api/tables/backups.h"

#include <algorithm>
#include <optional>
#include <string>

#include "api/error.h"
#include "api/messages/backup_messages.h"
#include "api/messages/resource_messages.h"
#include "api/request/arn.h"
#include "api/tables/index_form.h"
#include "api/tables/schema_json.h"

namespace magneto::api {
namespace {

using storage::BackupSchema;
using storage::IndexSchema;
using storage::TableSchema;

constexpr std::string_view kType = "USER";

void write_units(json::Writer& writer, const storage::ProvisionedThroughput& units) {
  writer.key("ProvisionedThroughput");
  writer.begin_object();
  writer.integer("ReadCapacityUnits", units.read_units);
  writer.integer("WriteCapacityUnits", units.write_units);
  writer.end_object();
}

void write_source(json::Writer& writer, const BackupSchema& backup) {
  const TableSchema& table = backup.table;
  writer.begin_object();
  writer.text("TableName", table.name);
  writer.text("TableId", table.id);
  writer.text("TableArn", table.arn());
  writer.integer("TableSizeBytes", backup.bytes);
  write_key_schema(writer, table.key);
  writer.key("TableCreationDateTime");
  writer.time(table.created);
  write_units(writer, table.provisioned);
  write_on_demand(writer, table.on_demand);
  writer.integer("ItemCount", backup.items);
  const bool on_demand = table.billing == storage::BillingMode::kPayPerRequest;
  writer.text("BillingMode", on_demand ? "PAY_PER_REQUEST" : "PROVISIONED");
  writer.end_object();
}

void write_backup_indexes(json::Writer& writer, const TableSchema& table, const IndexForm& form) {
  if (std::ranges::find(table.indexes, form.kind, &IndexSchema::kind) == table.indexes.end()) {
    return;
  }
  writer.key(form.list);
  writer.begin_array();
  for (const IndexSchema& index : table.indexes) {
    if (index.kind != form.kind) continue;
    writer.begin_object();
    writer.text("IndexName", index.name);
    form.write(writer, index);
    write_projection(writer, index.projection);
    if (index.has_own_throughput()) {
      write_units(writer, index.provisioned);
      write_on_demand(writer, index.on_demand);
    }
    writer.end_object();
  }
  writer.end_array();
}

void write_time_to_live(json::Writer& writer, const storage::TimeToLive& time_to_live) {
  using storage::TimeToLiveStatus;
  if (time_to_live.status == TimeToLiveStatus::kDisabled) return;
  writer.key("TimeToLiveDescription");
  writer.begin_object();
  writer.text("TimeToLiveStatus", time_to_live.status == TimeToLiveStatus::kEnabled ? "ENABLED"
                                  : time_to_live.status == TimeToLiveStatus::kEnabling
                                      ? "ENABLING"
                                      : "DISABLING");
  writer.text("AttributeName", time_to_live.attribute);
  writer.end_object();
}

void write_features(json::Writer& writer, const TableSchema& table) {
  writer.begin_object();
  for (const IndexForm* const form : kIndexForms) write_backup_indexes(writer, table, *form);
  if (table.stream.enabled) {
    writer.key("StreamDescription");
    writer.begin_object();
    writer.key("StreamEnabled");
    writer.boolean(true);
    writer.text("StreamViewType", table.stream.view_type);
    writer.end_object();
  }
  write_time_to_live(writer, table.time_to_live);
  if (table.encryption.enabled) {
    writer.key("SSEDescription");
    writer.begin_object();
    writer.text("Status", "ENABLED");
    writer.text("SSEType", table.encryption.type);
    writer.text("KMSMasterKeyArn", table.encryption.key_arn);
    writer.end_object();
  }
  writer.end_object();
}

// Writes the members that BackupDetails and BackupSummary share.
void write_common(json::Writer& writer, const BackupSchema& backup, std::string_view status) {
  writer.text("BackupArn", backup.arn());
  writer.text("BackupName", backup.name);
  writer.integer("BackupSizeBytes", backup.bytes);
  writer.text("BackupStatus", status);
  writer.text("BackupType", kType);
  writer.key("BackupCreationDateTime");
  writer.time(backup.created_seconds());
}

bool is_of_backup(std::string_view resource) {
  constexpr std::string_view kBackup = "/backup/";
  const std::size_t at = resource.find(kBackup);
  return resource.starts_with("table/") && at != std::string_view::npos &&
         at + kBackup.size() < resource.size();
}

// AWS refuses these ARNs before it looks for the backup (captured from AWS, October 2026).
void check_arn(std::string_view arn, const Caller& caller) {
  const std::optional<ArnParts> parts = split_arn(arn);
  if (!parts || !is_of_backup(parts->resource)) fail_validation(messages::kNotABackup);
  const bool is_foreign = parts->account != caller.account || parts->region.empty();
  if (is_foreign && caller.profile == Profile::kAws) {
    throw ApiError(ErrorType::kAccessDenied, messages::kAccessDenied);
  }
  if (parts->partition != "aws" || parts->service != "dynamodb") {
    fail_validation(messages::kForeignBackup);
  }
}

}  // namespace

storage::BackupPtr existing_backup(const storage::Database& database, const Caller& caller,
                                   std::string_view arn) {
  storage::BackupPtr backup = database.find_backup(arn);
  if (backup != nullptr) return backup;
  check_arn(arn, caller);
  fail_backup_not_found(arn);
}

void fail_backup_not_found(std::string_view arn) {
  throw ApiError(ErrorType::kBackupNotFound, messages::backup_not_found(arn));
}

void fail_backup_in_use(const BackupSchema& backup) {
  throw ApiError(ErrorType::kBackupInUse, backup.is_complete
                                              ? messages::backup_being_used(backup.arn())
                                              : messages::backup_being_made(backup.arn()));
}

std::string_view backup_status(const BackupSchema& backup) {
  return backup.is_complete ? "AVAILABLE" : "CREATING";
}

void write_backup_details(json::Writer& writer, const BackupSchema& backup,
                          std::string_view status) {
  writer.begin_object();
  write_common(writer, backup, status);
  writer.end_object();
}

void write_backup_description(json::Writer& writer, const BackupSchema& backup,
                              std::string_view status) {
  writer.begin_object();
  writer.key("BackupDetails");
  write_backup_details(writer, backup, status);
  writer.key("SourceTableDetails");
  write_source(writer, backup);
  writer.key("SourceTableFeatureDetails");
  write_features(writer, backup.table);
  writer.end_object();
}

void write_backup_summary(json::Writer& writer, const BackupSchema& backup) {
  writer.begin_object();
  writer.text("TableName", backup.table.name);
  writer.text("TableId", backup.table.id);
  writer.text("TableArn", backup.table.arn());
  write_common(writer, backup, backup_status(backup));
  writer.end_object();
}

}  // namespace magneto::api
