#pragma once

#include <string_view>

#include "api/operation.h"
#include "storage/database.h"

// The table that a parameter of a request names, by its name or its ARN, and the errors where there
// is none. DynamoDB says it differently from operation to operation.
namespace magneto::api {

// The table a request works on, pinned for its duration. Throws ResourceNotFoundException when
// there is none or it is still being created (AWS API reference, "ResourceNotFoundException").
storage::TablePtr pin_table(storage::Database& database, std::string_view name_or_arn);

// "Requested resource not found: Table: books not found"
[[noreturn]] void fail_table_not_found(std::string_view name);
// The table a TableName parameter means, whatever its status. Throws that.
storage::TablePtr described_table(const storage::Database& database, std::string_view name_or_arn);
// The same where all but DescribeTable look: throws it for a table that is being restored, too.
storage::TablePtr existing_table(const storage::Database& database, std::string_view name_or_arn);
// Both in operations that say whose the ARN is that names none: throws ValidationException for
// another region, AccessDeniedException for another account than the caller's (as captured from AWS,
// October 2026).
storage::TablePtr described_table(const storage::Database& database, const Caller& caller,
                                  std::string_view name_or_arn);
storage::TablePtr existing_table(const storage::Database& database, const Caller& caller,
                                 std::string_view name_or_arn);
// Until a table that is restored is ACTIVE, AWS knows neither tags, time to live, policies and backups
// of it nor changes to it (captured from AWS, October 2026).
bool is_restoring(const storage::TableSchema& schema);
// TableNotFoundException, as the operations on backups say it.
[[noreturn]] void fail_backup_table_not_found(std::string_view name);

}  // namespace magneto::api
