#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <mutex>

#include "absl/container/btree_set.h"
#include "storage/engine/version.h"

namespace magneto::storage {

// The versions that one server draws for its commits, and the commits that are in progress. Servers
// publish low(): a reader who knows that of every server knows below which version nothing will
// follow. A server draws no version at or above its limit. So other servers can name a version that
// this server reaches only after it has heard of their changes. Thread-safe.
class VersionSource {
 public:
  // `server` is below kMaxServers. Versions follow `now`, which may be called on any thread.
  VersionSource(std::uint32_t server, Clock::RealTime now) : server_(server), now_(now) {}
  VersionSource(const VersionSource&) = delete;
  VersionSource& operator=(const VersionSource&) = delete;

  // Draws `count` versions, kVersionStep apart, for a commit, and returns the first. It is greater
  // than `above` and than every version that this source has drawn. Waits while the limit does not
  // allow it, and then throws EngineError when close() was called. finish() ends the commit,
  // successful or not, when its outcome is certain.
  Version draw(std::size_t count, Version above);
  // The same for one version of a commit that changes no items and no streams: it does not wait for
  // the limit. Its thread may hold a lock for which the changes of other servers wait.
  Version draw_at_once(Version above);
  void finish(Version first);

  // The smallest version of the commits in progress; if there is none, of the next draw. No later
  // draw returns a lower one. Ascends.
  Version low();
  // All versions that this source has drawn are lower. It is above version_at(now) if the versions
  // lead the clock.
  Version above_drawn();
  // Moves versions up to at least this one, which another server has published as its low(): a slow
  // clock then holds no reader up.
  void advance(Version version);
  // Allows versions below `limit`, at first none. Never goes back.
  void raise_limit(Version limit);
  // Later draws fail, and those that wait.
  void close();

 private:
  // The next functions require mutex_.
  Version next(Version above) const;
  void note_drawn(Version first, Version last);

  const std::uint32_t server_;
  const Clock::RealTime now_;
  std::mutex mutex_;  // guards the next members
  std::condition_variable raised_;
  Version last_ = 0;      // drawn
  Version promised_ = 0;  // draws are at or above it
  Version limit_ = 0;
  bool is_closed_ = false;
  absl::btree_set<Version> in_progress_;
};

}  // namespace magneto::storage
