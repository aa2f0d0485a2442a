#include "storage/background/retention_sweeper.h"

#include <vector>

namespace magneto::storage {
namespace {

constexpr std::chrono::milliseconds kInterval{1'000};

}  // namespace

void RetentionSweeper::start() {
  jobs_.post_after(kInterval, [this](const std::stop_token&) {
    sweep();
    start();
  });
}

void RetentionSweeper::sweep() {
  const std::lock_guard lock(mutex_);
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
