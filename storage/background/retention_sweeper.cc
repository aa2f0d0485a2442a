#include "storage/background/retention_sweeper.h"

#include <algorithm>
#include <vector>

namespace magneto::storage {
namespace {

constexpr std::chrono::milliseconds kInterval{1'000};

}  // namespace

RetentionSweeper::RetentionSweeper(Catalog& catalog, const Clock& clock, Worker& jobs)
    : catalog_(catalog),
      clock_(clock),
      jobs_(jobs),
      task_(jobs,
            [this](const std::stop_token&) {
              sweep();
              await_next();
            }),
      watch_(clock, [this](Clock::TimePoint) {
        // Each stream notes now that the clock was set back, not after it has advanced again.
        for (const StreamPtr& stream : catalog_.streams().all()) stream->next_change();
        task_.due_now();
      }) {}

void RetentionSweeper::start() {
  if (jobs_.shares_thread()) {
    catalog_.streams().on_new(
        [this](const StreamLog& stream) { task_.due_by(clock_, stream.next_change()); });
  }
  await_next();
}

void RetentionSweeper::await_next() {
  if (!jobs_.shares_thread()) return task_.due_after(kInterval);
  const std::vector<StreamPtr> streams = catalog_.streams().all();
  if (streams.empty()) return;
  Clock::TimePoint next = Clock::TimePoint::max();
  for (const StreamPtr& stream : streams) next = std::min(next, stream->next_change());
  task_.due_by(clock_, next);
}

void RetentionSweeper::follow(const Catalog::Edited& edited) {
  if (jobs_.shares_thread() && edited.table->stream != nullptr) task_.due_now();
}

void RetentionSweeper::sweep() {
  const std::lock_guard lock(mutex_);
  if (!catalog_.leads()) return;
  const std::vector<StreamPtr> streams = catalog_.streams().all();
  if (streams.empty()) return;
  for (const TablePtr& table : catalog_.tables()) {
    if (table->stream != nullptr) table->stream->split(catalog_.wanted_partitions(*table));
  }
  for (const StreamPtr& stream : streams) {
    if (stream->is_expired()) {
      catalog_.streams().remove(stream);
    } else {
      stream->roll_over();
      stream->trim();
    }
  }
}

}  // namespace magneto::storage
