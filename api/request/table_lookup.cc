#include "api/request/table_lookup.h"

#include <string>

#include "api/error.h"
#include "api/messages/resource_messages.h"
#include "api/request/arn.h"

namespace magneto::api {

using storage::TablePtr;

TablePtr pin_table(const Request& request, std::string_view name_or_arn) {
  TablePtr table = find_table(request, name_or_arn);
  if (table == nullptr) throw MissingTable(messages::kNotFound, table_name_of(name_or_arn));
  if (table->schema.status == storage::ResourceStatus::kCreating) {
    throw ApiError(ErrorType::kResourceNotFound, messages::kNotFound);
  }
  return table;
}

TablePtr described_table(const Request& request, std::string_view name_or_arn) {
  TablePtr table = find_table(request, name_or_arn);
  if (table) return table;
  refuse_foreign_arn(request.caller, name_or_arn);
  fail_table_not_found(table_name_of(name_or_arn));
}

TablePtr existing_table(const Request& request, std::string_view name_or_arn) {
  TablePtr table = described_table(request, name_or_arn);
  if (is_restoring(table->schema)) fail_table_not_found(table->schema.name);
  return table;
}

bool is_restoring(const storage::TableSchema& schema) {
  return schema.status == storage::ResourceStatus::kCreating && schema.restored &&
         schema.restored->in_progress;
}

void fail_table_not_found(std::string_view name) {
  throw MissingTable(messages::table_not_found(name), name);
}

void fail_backup_table_not_found(std::string_view name) {
  throw ApiError(ErrorType::kTableNotFound, messages::backup_table_not_found(name));
}

}  // namespace magneto::api
