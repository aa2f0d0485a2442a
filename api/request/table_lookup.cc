#include "api/request/table_lookup.h"

#include <exception>
#include <string>

#include "api/error.h"
#include "api/messages/resource_messages.h"
#include "api/request/arn.h"

namespace magneto::api {

using storage::TablePtr;

namespace {

// Thrown if another table now has the name of the table that was looked up.
class TableReplaced : public std::exception {};

void require_same(const storage::Table& table, const storage::TableSchema& found) {
  if (found.number != table.schema.number) throw TableReplaced();
}

}  // namespace

TablePtr update_pinned(const Request& request, const storage::Table& table,
                       absl::FunctionRef<void(storage::TableSchema& schema)> change) {
  try {
    return request.database.update_table(table.schema.name, [&](storage::TableSchema& schema) {
      require_same(table, schema);
      change(schema);
    });
  } catch (const TableReplaced&) {
    return nullptr;
  }
}

TablePtr delete_pinned(const Request& request, const storage::Table& table,
                       absl::FunctionRef<void(const storage::TableSchema& schema)> check) {
  try {
    return request.database.delete_table(table.schema.name,
                                         [&](const storage::TableSchema& schema) {
                                           require_same(table, schema);
                                           check(schema);
                                         });
  } catch (const TableReplaced&) {
    return nullptr;
  }
}

TablePtr pin_table(const Request& request, std::string_view name_or_arn) {
  TablePtr table = find_table(request, name_or_arn);
  if (table == nullptr) throw MissingTable(messages::kNotFound, table_name_of(name_or_arn));
  if (table->schema.status == storage::ResourceStatus::kCreating) {
    throw ApiError(ErrorType::kResourceNotFound, messages::kNotFound);
  }
  const std::string_view only = request.caller.only_table;
  if (!only.empty() && only != table->schema.id) [[unlikely]] {
    fail_table_not_found(table->schema.name);
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
