#include <algorithm>

#include "api/error.h"
#include "api/messages/resource_messages.h"
#include "api/operation_table.h"
#include "api/request/arn.h"
#include "api/request/parameters.h"
#include "api/request/table_lookup.h"
#include "api/tables/table_changes.h"
#include "api/tables/table_description_json.h"
#include "api/validation/parameter_shapes.h"

// AWS API reference, DeleteTable; captured facts, "UpdateTable / DeleteTable".
namespace magneto::api {
namespace {

constexpr MemberShape kMembers[] = {kControlTableName};
constexpr Shape kInput = older_request(kMembers);

void check_deletable(const storage::TableSchema& schema) {
  if (schema.deletion_protection) {
    fail_validation(messages::kDeletionProtected);
  }
  const bool busy_index = std::any_of(schema.indexes.begin(), schema.indexes.end(),
                                      [](const storage::IndexSchema& index) {
                                        return index.status != storage::ResourceStatus::kActive;
                                      });
  const bool created = schema.status == storage::ResourceStatus::kCreating;
  if (busy_index && !created) {
    fail_in_use(messages::kIndexesBusy);
  }
  if (schema.status == storage::ResourceStatus::kUpdating) {
    fail_in_use(messages::table_not_updated_yet(schema.name));
  }
  // A table that is being deleted may be deleted again.
  if (schema.status != storage::ResourceStatus::kDeleting) require_settled(schema, false);
}

void delete_table(Request& request) {
  const std::string_view name = Parameters(request.input).string_or_empty("TableName");
  const storage::TablePtr current = find_table(request.database, name);
  if (!current) fail_table_not_found(table_name_of(name));
  const storage::TablePtr deleted =
      request.database.delete_table(current->schema.name, check_deletable);
  if (!deleted) fail_table_not_found(table_name_of(name));
  json::Writer writer(request.output);
  writer.begin_object();
  writer.key("TableDescription");
  const double now = request.database.clock().epoch_seconds();
  if (request.caller.profile == Profile::kDynamoDbLocal) {
    write_table_description(writer, *current, now, DescriptionForm::kCurrent);
  } else {
    write_table_description(writer, *deleted, now, DescriptionForm::kDeleted);
  }
  writer.end_object();
}

}  // namespace

constinit const Operation kDeleteTable{
    .name = "DeleteTable", .input = kInput, .handle = &delete_table, .writes = true};

}  // namespace magneto::api
