#pragma once

#include "api/operation.h"
#include "api/tables/table_parameters.h"
#include "storage/model/backup_schema.h"

namespace magneto::api {

// The schema of a table that is restored from a backup: as CreateTable would make it of what the
// source had, and of the overrides in `wanted`, which come first. Not restored are tags, the stream,
// time to live, point-in-time recovery, deletion protection and policies (AWS API reference,
// RestoreTableFromBackup). Throws ValidationException where a listed index is not one of the
// backup's, and for what CreateTable refuses.
storage::TableSchema restored_table_schema(const storage::BackupSchema& backup,
                                           const TableParameters& wanted, const Caller& caller,
                                           double now);

}  // namespace magneto::api
