#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "api/operation.h"
#include "api/tables/table_parameters.h"
#include "storage/model/table_schema.h"

// Turns what CreateTable and UpdateTable ask for into table schemas. Requests have passed
// table_checks. Rules and words as observed on AWS, October 2026, where the captured facts
// ("UpdateTable / DeleteTable") do not give them.
namespace magneto::api {

// The schema of a new table; storage fills in number, id, times and status.
storage::TableSchema new_table_schema(const TableParameters& request, const Caller& caller,
                                      double now);

// Applies UpdateTable to a copy of the table's current schema. Throws ApiError for what the table's
// present state does not allow.
void change_table(storage::TableSchema& schema, const TableParameters& request, double now);

// The ARN of a KMS key given as an ARN, an alias or an id; without one of AWS's own for DynamoDB.
std::string key_arn(std::string_view key_id, std::string_view region, std::string_view account);
// Whether KMS holds the key for AWS: of an ARN, an alias or an id.
bool is_key_of_aws(std::string_view key);

// "Requested resource not found: Index by_year for table books"
[[noreturn]] void fail_index_not_found(std::string_view index, std::string_view table);
// ResourceInUseException.
[[noreturn]] void fail_in_use(std::string_view message);
// ResourceInUseException unless the table is ACTIVE or, when `updating_too`, UPDATING: "... Table
// is being created: books".
void require_settled(const storage::TableSchema& schema, bool updating_too);

}  // namespace magneto::api
