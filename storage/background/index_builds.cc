#include "storage/background/index_builds.h"

#include <algorithm>

namespace magneto::storage {

void IndexBuilds::resume() {
  for (const TablePtr& table : catalog_.tables()) {
    if (table->schema.status == ResourceStatus::kDeleting) continue;
    for (const IndexSchema& index : table->schema.indexes) {
      if (index.backfilling) build_later(table->schema, index.number);
    }
  }
}

void IndexBuilds::follow(const Catalog::Edited& edited) {
  for (const IndexSchema& index : edited.table->schema.indexes) {
    if (!index.backfilling) continue;
    const Index* before = edited.previous->find_numbered_index(index.number);
    if (before != nullptr && before->schema.backfilling) continue;
    build_later(edited.table->schema, index.number);
  }
}

void IndexBuilds::build_later(const TableSchema& schema, std::uint16_t index_number) {
  jobs_.post([this, build = Build{schema.full_name(), schema.number, index_number, delay_.end()}](
                 const std::stop_token& stop) { run(build, stop); });
}

void IndexBuilds::run(const Build& build, const std::stop_token& stop) {
  const TablePtr table = catalog_.find(build.table.database, build.table.name);
  if (table == nullptr || table->schema.number != build.table_number) return;
  const auto index = std::ranges::find_if(table->indexes, [&](const auto& candidate) {
    return candidate->schema.number == build.index_number;
  });
  if (index == table->indexes.end() || !(*index)->schema.backfilling) return;
  if (!backfill_.fill(*table, *index, stop)) return;
  if (delay_.has_come(build.not_before)) return finish(build);
  delay_.run_at(build.not_before, [this, build](const std::stop_token&) { finish(build); });
}

void IndexBuilds::finish(const Build& build) {
  catalog_.edit(build.table, [&](TableSchema& schema) {
    IndexSchema* index = schema.find_numbered_index(build.index_number);
    if (schema.number != build.table_number || index == nullptr || !index->backfilling) {
      return false;
    }
    index->backfilling = false;
    if (index->status == ResourceStatus::kCreating) index->status = ResourceStatus::kActive;
    return true;
  });
}

}  // namespace magneto::storage
