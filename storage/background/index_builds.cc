#include "storage/background/index_builds.h"

#include <algorithm>

namespace magneto::storage {
namespace {

// How often an index whose delay is over is checked until it has applied its changes.
constexpr std::chrono::milliseconds kIndexPoll{20};
constexpr std::chrono::milliseconds kLagPoll{200};

}  // namespace

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

// On a worker with its own thread, fills the whole index. A client gives its turn to others while
// it waits.
void IndexBuilds::run(Build build, const std::stop_token& stop) {
  if (!fill(build, stop)) return;
  // No later than for a build that begins now, in case the clock was set back.
  const Clock::TimePoint end = std::min(build.not_before, delay_.end());
  if (delay_.has_come(end)) return finish(build);
  delay_.run_at(end, [this, build](const std::stop_token&) { finish(build); });
}

bool IndexBuilds::fill(Build& build, const std::stop_token& stop) {
  const TablePtr table = catalog_.find(build.table.database, build.table.name);
  if (table == nullptr || table->schema.number != build.table_number) return false;
  const auto index = std::ranges::find_if(table->indexes, [&](const auto& candidate) {
    return candidate->schema.number == build.index_number;
  });
  if (index == table->indexes.end() || !(*index)->schema.backfilling) return false;
  if (!jobs_.shares_thread()) return backfill_.fill(*table, *index, stop);
  const auto state = backfill_.fill_some(*table, *index, build.progress, stop);
  if (state == IndexBackfill::State::kWaits) go_on_later(build);
  return state == IndexBackfill::State::kFilled;
}

// A change of the lag meanwhile does not wake this task.
void IndexBuilds::go_on_later(const Build& build) {
  const bool is_due = delay_.has_come(build.progress.due);
  jobs_.post_after(is_due ? kIndexPoll : kLagPoll,
                   [this, build](const std::stop_token& stop) { run(build, stop); });
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
