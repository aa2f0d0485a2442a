#include "api/request/table_lookup.h"

#include <string>

#include "api/error.h"
#include "api/request/arn.h"

namespace magneto::api {

using storage::TablePtr;

TablePtr pin_table(storage::Database& database, std::string_view name_or_arn) {
  TablePtr table = find_table(database, name_or_arn);
  constexpr const char* kNotFound = "Requested resource not found";
  if (table == nullptr) throw MissingTable(kNotFound, table_name_of(name_or_arn));
  if (table->schema.status == storage::ResourceStatus::kCreating) {
    throw ApiError(ErrorType::kResourceNotFound, kNotFound);
  }
  return table;
}

TablePtr existing_table(const storage::Database& database, std::string_view name_or_arn) {
  TablePtr table = find_table(database, name_or_arn);
  if (!table) fail_table_not_found(table_name_of(name_or_arn));
  return table;
}

void fail_table_not_found(std::string_view name) {
  throw MissingTable("Requested resource not found: Table: " + std::string(name) + " not found",
                     name);
}

void fail_backup_table_not_found(std::string_view name) {
  throw ApiError(ErrorType::kTableNotFound, "Table not found: " + std::string(name));
}

}  // namespace magneto::api
