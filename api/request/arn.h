#pragma once

#include <string_view>

#include "storage/database.h"

namespace magneto::api {

// arn:<partition>:dynamodb:<region>:<account>:table/<table name>
struct TableArn {
  std::string_view region;
  std::string_view account;
  std::string_view table_name;
};

// The parts of a table's ARN. Throws ValidationException when `arn` is not one.
TableArn parse_table_arn(std::string_view arn);

// The table name in a TableName parameter, which may hold the table's ARN instead (AWS API
// reference, TableName). Throws ValidationException for a malformed ARN.
std::string_view table_name_of(std::string_view name_or_arn);

// The table a TableName parameter means; nullptr when there is none, or when the ARN is of another
// region or account.
storage::TablePtr find_table(const storage::Database& database, std::string_view name_or_arn);

}  // namespace magneto::api
