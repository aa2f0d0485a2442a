#include "storage/background/stream_transitions.h"

namespace magneto::storage {

StreamStatus StreamTransitions::status(const StreamLog& stream) const {
  if (stream.is_closed()) {
    return delay_.lasts_since(stream.closed()) ? StreamStatus::kDisabling : StreamStatus::kDisabled;
  }
  const Clock::TimePoint created(std::chrono::milliseconds(stream.description().created));
  return delay_.lasts_since(created) ? StreamStatus::kEnabling : StreamStatus::kEnabled;
}

void StreamTransitions::follow(const Catalog::Edited& edited) {
  close_unless_kept(edited.previous->stream, edited.table->stream);
  close_unless_kept(edited.previous->deliveries, edited.table->deliveries);
}

void StreamTransitions::drop(const Table& table) {
  close_unless_kept(table.stream, nullptr);
  close_unless_kept(table.deliveries, nullptr);
}

// The table no longer uses it; only writers in progress may still add to it.
void StreamTransitions::close_unless_kept(const StreamPtr& log, const StreamPtr& kept) {
  if (log == nullptr || log == kept) return;
  engine_.wait_for_open_scopes();
  try {
    log->close();
  } catch (const EngineError&) {
    timers_.post([log](const std::stop_token&) { log->close(); });
  }
}

}  // namespace magneto::storage
