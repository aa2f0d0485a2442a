#pragma once

#include <string_view>

#include "absl/functional/function_ref.h"
#include "api/operation.h"
#include "storage/database.h"

// The table that a parameter of a request names, by its name or its ARN, and the errors where there
// is none. DynamoDB says it differently from operation to operation.
namespace magneto::api {

// The table a request works on, pinned for its duration. Throws ResourceNotFoundException when
// there is none or it is still being created (AWS API reference, "ResourceNotFoundException").
storage::TablePtr pin_table(const Request& request, std::string_view name_or_arn);

// "Requested resource not found: Table: books not found"
[[noreturn]] void fail_table_not_found(std::string_view name);
// The table a TableName parameter means, whatever its status. Throws that where there is none, but
// for the ARN of another region ValidationException, and of another account than the caller's
// AccessDeniedException (as captured from AWS, October 2026).
storage::TablePtr described_table(const Request& request, std::string_view name_or_arn);
// The same for all operations but DescribeTable: a table that is being restored is not there.
storage::TablePtr existing_table(const Request& request, std::string_view name_or_arn);
// Database::update_table and delete_table of the table that was looked up: nullptr, too, where another
// one has its name by now. Policies may not have decided on that one.
storage::TablePtr update_pinned(const Request& request, const storage::Table& table,
                                absl::FunctionRef<void(storage::TableSchema& schema)> change);
storage::TablePtr delete_pinned(const Request& request, const storage::Table& table,
                                absl::FunctionRef<void(const storage::TableSchema& schema)> check);
// Until a table that is restored is ACTIVE, AWS knows neither tags, time to live, policies and backups
// of it nor changes to it (captured from AWS, October 2026).
bool is_restoring(const storage::TableSchema& schema);
// TableNotFoundException, as the operations on backups say it.
[[noreturn]] void fail_backup_table_not_found(std::string_view name);

}  // namespace magneto::api
