#include "server/bulk/jobs/job_table.h"

#include <exception>

namespace magneto::server::bulk {
namespace {

class MustStay : public std::exception {};

}  // namespace

storage::TablePtr find_job_table(const storage::Database& database, const api::BulkJob& job) {
  storage::TablePtr table = database.find_table(job.table_name);
  return table != nullptr && table->schema.id == job.table_id ? table : nullptr;
}

void take_back_table(storage::Database& database, const api::BulkJob& job) {
  const storage::TablePtr table = find_job_table(database, job);
  if (table == nullptr) return;
  const auto check = [&](const storage::TableSchema& schema) {
    const bool is_passing = schema.status == storage::ResourceStatus::kUpdating;
    const bool has_items = table->statistics->item_count.load() != 0;
    if (schema.id != job.table_id || has_items || is_passing || schema.deletion_protection ||
        schema.global_table != nullptr) {
      throw MustStay();
    }
  };
  try {
    database.delete_table(table->schema.name, check);
  } catch (const MustStay&) {
    // Keep the table.
  }
}

}  // namespace magneto::server::bulk
