#include <algorithm>
#include <string>

#include "api/error.h"
#include "api/messages/replica_messages.h"
#include "api/messages/resource_messages.h"
#include "api/operation.h"
#include "api/request/arn.h"
#include "api/request/parameters.h"
#include "api/request/table_lookup.h"
#include "api/tables/table_changes.h"
#include "api/tables/table_description_json.h"
#include "api/validation/parameter_shapes.h"

// AWS API reference, DeleteTable; captured facts, "UpdateTable / DeleteTable". Errors for busy
// tables are as captured from AWS, October 2026.
namespace magneto::api {

extern const Operation kDeleteTable;
namespace {

constexpr MemberShape kDeleteTableMembers[] = {kControlTableName};
constexpr Shape kDeleteTableInput = older_request(kDeleteTableMembers);

void check_deletable(const storage::TableSchema& schema) {
  if (schema.deletion_protection) {
    fail_validation(schema.global_table == nullptr
                        ? std::string(messages::kDeletionProtected)
                        : messages::replica_protected(schema.name, schema.region));
  }
  const bool busy_index = std::any_of(schema.indexes.begin(), schema.indexes.end(),
                                      [](const storage::IndexSchema& index) {
                                        return index.status != storage::ResourceStatus::kActive;
                                      });
  const bool is_passing = schema.status == storage::ResourceStatus::kCreating ||
                          schema.status == storage::ResourceStatus::kDeleting;
  if (busy_index && !is_passing) {
    fail_in_use(messages::kIndexesBusy);
  }
  if (schema.status == storage::ResourceStatus::kUpdating) {
    fail_in_use(messages::table_in_update(schema.name));
  }
  require_settled(schema, false);
  if (storage::is_strong(schema)) fail_validation(messages::kStrongReplicaAlone);
}

void delete_found_table(const Request& request, std::string_view name) {
  const storage::TablePtr current = described_table(request, name);
  const storage::TablePtr deleted = delete_pinned(request, *current, check_deletable);
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

void delete_table(Request& request) {
  const std::string_view name = Parameters(request.input).string_or_empty("TableName");
  try {
    delete_found_table(request, name);
  } catch (const MissingTable& missing) {
    request.database.await_servers(missing.table());  // no other server may show the table now
    throw;
  }
}

}  // namespace

constinit const Operation kDeleteTable{
    .name = "DeleteTable", .input = kDeleteTableInput, .handle = &delete_table, .writes = true};

}  // namespace magneto::api
