#include "storage/engine/version_source.h"

#include <algorithm>

#include "storage/engine/engine.h"
#include "storage/messages/postgres_messages.h"

namespace magneto::storage {

Version version_at(Clock::TimePoint time) {
  return static_cast<Version>(time.time_since_epoch().count()) << kServerBits;
}

Clock::TimePoint time_of_version(Version version) {
  return Clock::TimePoint(Clock::Duration(version >> kServerBits));
}

// At least `floor`, and with this server's number in the lowest bits.
Version VersionSource::next(Version above) const {
  const Version floor = std::max({above + 1, last_ + 1, promised_, version_at(now_())});
  const Version rounded = (floor & ~(kVersionStep - 1)) | server_;
  return rounded < floor ? rounded + kVersionStep : rounded;
}

Version VersionSource::draw(std::size_t count, Version above) {
  std::unique_lock lock(mutex_);
  Version first = 0;
  Version last = 0;
  raised_.wait(lock, [&] {
    first = next(above);
    last = first + (count - 1) * kVersionStep;
    return is_closed_ || last < limit_;
  });
  note_drawn(first, last);
  return first;
}

Version VersionSource::draw_at_once(Version above) {
  const std::lock_guard lock(mutex_);
  const Version version = next(above);
  note_drawn(version, version);
  return version;
}

void VersionSource::note_drawn(Version first, Version last) {
  if (is_closed_) throw EngineError(messages::kStoreTaken);
  in_progress_.insert(first);
  last_ = last;
}

void VersionSource::finish(Version first) {
  const std::lock_guard lock(mutex_);
  in_progress_.erase(first);
}

Version VersionSource::low() {
  const std::lock_guard lock(mutex_);
  promised_ = std::max(promised_, version_at(now_()));
  return in_progress_.empty() ? std::max(promised_, last_ + 1) : *in_progress_.begin();
}

Version VersionSource::above_drawn() {
  const std::lock_guard lock(mutex_);
  return next(0);
}

void VersionSource::advance(Version version) {
  const std::lock_guard lock(mutex_);
  promised_ = std::max(promised_, version);
}

void VersionSource::raise_limit(Version limit) {
  {
    const std::lock_guard lock(mutex_);
    limit_ = std::max(limit_, limit);
  }
  raised_.notify_all();
}

void VersionSource::close() {
  {
    const std::lock_guard lock(mutex_);
    is_closed_ = true;
  }
  raised_.notify_all();
}

}  // namespace magneto::storage
