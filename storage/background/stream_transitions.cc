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
  const StreamPtr& stream = edited.previous->stream;
  if (stream != nullptr && stream != edited.table->stream) close(stream);
}

void StreamTransitions::drop(const Table& table) {
  if (table.stream != nullptr) close(table.stream);
}

// The table has let the stream go; what may still add to it are the writers of this moment.
void StreamTransitions::close(const StreamPtr& stream) {
  engine_.wait_for_open_scopes();
  try {
    stream->close();
  } catch (const EngineError&) {
    timers_.post([stream](const std::stop_token&) { stream->close(); });
  }
}

}  // namespace magneto::storage
