#include "api/caller_databases.h"
#include "api/error.h"
#include "api/messages/backup_messages.h"
#include "api/messages/resource_messages.h"
#include "api/operation.h"
#include "api/request/parameters.h"
#include "api/request/table_lookup.h"
#include "api/tables/resource_policies.h"
#include "api/tables/table_changes.h"
#include "api/tables/table_checks.h"
#include "api/tables/table_description_json.h"
#include "api/tables/table_shapes.h"
#include "api/tables/tag_checks.h"
#include "api/tables/vector_indexes.h"

// AWS API reference, CreateTable.
namespace magneto::api {

extern const Operation kCreateTable;
namespace {

constexpr MemberShape kCreateTableMembers[] = {
    {"AttributeDefinitions", &kAttributeDefinitionsShape, Required::kYes},
    kControlTableName,
    kBillingMode,
    kProvisionedThroughput,
    {"KeySchema", &kKeySchemaShape, Required::kYes},
    {"GlobalSecondaryIndexes", &kGlobalIndexesShape},
    {"LocalSecondaryIndexes", &kLocalIndexesShape},
    kStreamSpecification,
    kSseSpecification,
    {"Tags", &kTagsShape},
    kTableClass,
    kDeletionProtection,
    kWarmThroughput,
    kOnDemandThroughput,
    {"VectorIndexes", &kVectorIndexesShape},
    {"GlobalTableSourceArn", &kUnsupportedShape},
    {"GlobalTableSettingsReplicationMode", &kUnsupportedShape},
    {"ResourcePolicy", &kStringShape},
};
constexpr Shape kCreateTableInput = older_request(kCreateTableMembers);

// The text is different while the other table is being created or restored (as captured from AWS,
// October 2026).
[[noreturn]] void fail_table_exists(const storage::Database& database, const std::string& name) {
  const storage::TablePtr other = database.find_table(name);
  if (other != nullptr && is_restoring(other->schema)) {
    fail_in_use(messages::table_being_used(name));
  }
  const bool is_created =
      other != nullptr && other->schema.status == storage::ResourceStatus::kCreating;
  fail_in_use(is_created ? messages::table_being_created(name) : messages::table_exists(name));
}

void create_table(Request& request) {
  const TableParameters parameters = read_table_parameters(request.input);
  check_create_table(parameters);
  if (request.database.room().is_full()) {
    throw ApiError(ErrorType::kLimitExceeded, request.database.room().refusal());
  }
  const double now = request.database.clock().epoch_seconds();
  storage::TableSchema schema = new_table_schema(parameters, request.caller, now);
  schema.tags = read_tags(Parameters(request.input).value("Tags").array());
  if (const auto policy = Parameters(request.input).string("ResourcePolicy")) {
    schema.policy = new_policy(canonical_policy(*policy, PolicySubject::kTable), now);
  }
  const std::string name = schema.name;
  storage::Database& database = request.databases.make(request.caller);
  const storage::TablePtr table = database.create_table(std::move(schema));
  if (!table) {
    database.await_servers(name);  // the client may ask another server for the table
    fail_table_exists(database, name);
  }
  json::Writer writer(request.output);
  writer.begin_object();
  writer.key("TableDescription");
  const bool is_done = request.caller.profile == Profile::kDynamoDbLocal;
  write_table_description(writer, *table, now,
                          is_done ? DescriptionForm::kCurrent : DescriptionForm::kCreated);
  writer.end_object();
}

constexpr std::string_view kCreateTableOfStoreAlone[] = {"VectorIndexes"};

}  // namespace

constinit const Operation kCreateTable{.name = "CreateTable",
                                       .input = kCreateTableInput,
                                       .handle = &create_table,
                                       .writes = true,
                                       .members_of_store_alone = kCreateTableOfStoreAlone};

}  // namespace magneto::api
