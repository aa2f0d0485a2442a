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
// nullopt when `text` has not so many parts.
std::optional<ArnParts> split_arn(std::string_view text);

// arn:<partition>:dynamodb:<region>:<account>:table/<table name>
struct TableArn {
  std::string_view region;
  std::string_view account;
  std::string_view table_name;
};

// The parts of a table's ARN; nullopt when `arn` is not one.
std::optional<TableArn> split_table_arn(std::string_view arn);
// The same. Throws ValidationException when `arn` is not one.
TableArn parse_table_arn(std::string_view arn);

// The table name in a TableName parameter, which may hold the table's ARN instead (AWS API
// reference, TableName). Throws ValidationException for a malformed ARN.
std::string_view table_name_of(std::string_view name_or_arn);

// The table whose tags a ResourceArn parameter of `operation` means, or nullptr when the caller has
// none of that name. Throws ValidationException when `arn` is no ARN of a table, or of another region
// than the caller and the table are of; AccessDeniedException when it is of another service or
// account; ResourceNotFoundException for a stream that is not there (captured facts, "Streams, TTL,
// Tags"; captured facts 2, "Tags"; as captured from AWS, October 2026).
storage::TablePtr find_resource(const Request& request, std::string_view operation,
                                std::string_view arn);

// A TableName that names no table: throws ValidationException where it is the ARN of another region,
// AccessDeniedException where it is that of another account than the caller's.
void refuse_foreign_arn(const Caller& caller, std::string_view name_or_arn);

// Throws ResourceNotFoundException for a ResourceArn that names no table.
[[noreturn]] void fail_resource_not_found(std::string_view arn);

// The caller's table of that name, or nullptr. All that a request does with a table goes through one
// of the next two, so that it works on the table that policies decided on (request_tables.h).
storage::TablePtr table_named(const Request& request, std::string_view name);
// The table a TableName parameter means; nullptr when there is none, or when the ARN is of another
// region or account.
storage::TablePtr find_table(const Request& request, std::string_view name_or_arn);

}  // namespace magneto::api
