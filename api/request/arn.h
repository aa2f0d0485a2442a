#pragma once

#include <optional>
#include <string_view>

#include "api/operation.h"
#include "storage/database.h"

namespace magneto::api {

// Any ARN: arn:<partition>:<service>:<region>:<account>:<resource>. Parts may be empty.
struct ArnParts {
  std::string_view partition;
  std::string_view service;
  std::string_view region;
  std::string_view account;
  std::string_view resource;
};
// nullopt if `text` has fewer parts.
std::optional<ArnParts> split_arn(std::string_view text);

// arn:<partition>:dynamodb:<region>:<account>:table/<table name>
struct TableArn {
  std::string_view region;
  std::string_view account;
  std::string_view table_name;
};

// The parts of a table's ARN; nullopt if `arn` is not the ARN of a table.
std::optional<TableArn> split_table_arn(std::string_view arn);
// Like split_table_arn(), but throws ValidationException if `arn` is not the ARN of a table.
TableArn parse_table_arn(std::string_view arn);

// The table name in a TableName parameter, which may hold the table's ARN instead (AWS API
// reference, TableName). Throws ValidationException for a malformed ARN.
std::string_view table_name_of(std::string_view name_or_arn);

// The table whose tags a ResourceArn parameter of `operation` addresses; nullptr if the caller has
// no table of that name (captured facts, "Streams, TTL, Tags"; captured facts 2, "Tags"; as captured
// from AWS, October 2026). Throws
// - ValidationException if `arn` is not the ARN of a table, or names another region than that of
//   the caller and the table;
// - AccessDeniedException if it names another service or account;
// - ResourceNotFoundException for a stream that does not exist.
storage::TablePtr find_resource(const Request& request, std::string_view operation,
                                std::string_view arn);

// Checks a TableName that names no table. Throws ValidationException if it is an ARN of another
// region, and AccessDeniedException if it is an ARN of an account other than the caller's.
void refuse_foreign_arn(const Caller& caller, std::string_view name_or_arn);

// Throws ResourceNotFoundException for a ResourceArn that names no table.
[[noreturn]] void fail_resource_not_found(std::string_view arn);

// The caller's table of that name; nullptr if there is none. Everything that a request does with a
// table goes through this function or find_table(), so that it uses the table that policies decided
// on (request_tables.h).
storage::TablePtr table_named(const Request& request, std::string_view name);
// The table that a TableName parameter names; nullptr if there is none, or if the ARN names another
// region or account.
storage::TablePtr find_table(const Request& request, std::string_view name_or_arn);

}  // namespace magneto::api
