#pragma once

#include <string_view>

#include "absl/functional/function_ref.h"
#include "api/operation.h"
#include "storage/database.h"

// The table that a parameter names by name or ARN, and the errors if there is none. DynamoDB words
// them differently for different operations.
namespace magneto::api {

// The table of a request, pinned for its duration. Throws ResourceNotFoundException if it does not
// exist or is still being created (AWS API reference, "ResourceNotFoundException").
storage::TablePtr pin_table(const Request& request, std::string_view name_or_arn);

// Throws with the message "Requested resource not found: Table: books not found".
[[noreturn]] void fail_table_not_found(std::string_view name);
// The table that a TableName parameter names, with any status. If there is none, throws as
// fail_table_not_found(). Throws ValidationException for an ARN of another region, and
// AccessDeniedException for an ARN of an account other than the caller's (as captured from AWS,
// October 2026).
storage::TablePtr described_table(const Request& request, std::string_view name_or_arn);
// Like described_table(), for all operations except DescribeTable: treats a table that is being
// restored as missing.
storage::TablePtr existing_table(const Request& request, std::string_view name_or_arn);
// Database::update_table and delete_table for the table that was looked up. Also nullptr if another
// table has that name by now, because policies may not have decided on that table.
storage::TablePtr update_pinned(const Request& request, const storage::Table& table,
                                absl::FunctionRef<void(storage::TableSchema& schema)> change);
storage::TablePtr delete_pinned(const Request& request, const storage::Table& table,
                                absl::FunctionRef<void(const storage::TableSchema& schema)> check);
// Whether the table is being restored. Until a restored table is ACTIVE, AWS has no tags, time to
// live, policies and backups for it and accepts no changes to it (captured from AWS, October 2026).
bool is_restoring(const storage::TableSchema& schema);
// Throws TableNotFoundException with the message of the backup operations.
[[noreturn]] void fail_backup_table_not_found(std::string_view name);

}  // namespace magneto::api
