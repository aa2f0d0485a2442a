#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "api/operation.h"
#include "api/tables/table_parameters.h"
#include "storage/model/table_schema.h"

// Turns requests of CreateTable and UpdateTable into table schemas. The requests have passed
// table_checks. Rules and texts are from the captured facts ("UpdateTable / DeleteTable"), or else
// as observed on AWS, October 2026.
namespace magneto::api {

// Returns the schema of a new table. Storage sets the number, id, times and status.
storage::TableSchema new_table_schema(const TableParameters& request, const Caller& caller,
                                      double now);

// Applies UpdateTable to a copy of the table's current schema. Throws ApiError if the state of the
// table does not allow the change.
void change_table(storage::TableSchema& schema, const TableParameters& request, double now);

// Returns the ARN of a KMS key given as an ARN, an alias or an id. An empty id means the AWS
// managed key for DynamoDB.
std::string key_arn(std::string_view key_id, std::string_view region, std::string_view account);
// Whether the key is the AWS managed key for DynamoDB. `key`: an ARN, an alias or an id.
bool is_key_of_aws(std::string_view key);

// Throws "Requested resource not found: Index by_year for table books".
[[noreturn]] void fail_index_not_found(std::string_view index, std::string_view table);
// Throws ResourceInUseException.
[[noreturn]] void fail_in_use(std::string_view message);
// Throws ResourceInUseException ("... Table is being created: books") unless the table is ACTIVE
// and its replicas do not change or, when `updating_too`, it is UPDATING.
void require_settled(const storage::TableSchema& schema, bool updating_too);

}  // namespace magneto::api
