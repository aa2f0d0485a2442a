#include "api/journal/journal_wait.h"

#include <absl/cleanup/cleanup.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <memory>
#include <mutex>

namespace magneto::api {
namespace {

using SteadyClock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds kLookForEnd{200};

struct Bell {
  std::mutex mutex;
  std::condition_variable rings;
  bool has_rung = false;  // guarded by the mutex
};

std::atomic<int> waiting_threads = 0;

}  // namespace

bool wait_for_record(Journal& journal, std::uint64_t after, std::chrono::nanoseconds time,
                     const std::function<bool()>& is_over) {
  const absl::Cleanup leave = [] { --waiting_threads; };
  if (++waiting_threads > kMaxWaitingThreads) return false;
  const SteadyClock::time_point end = SteadyClock::now() + time;
  // Shared, because the waking thread may still use the bell after the time has passed.
  const auto bell = std::make_shared<Bell>();
  const std::uint64_t ticket = journal.wait(after, [bell] {
    const std::lock_guard lock(bell->mutex);
    bell->has_rung = true;
    bell->rings.notify_one();
  });
  {
    std::unique_lock lock(bell->mutex);
    while (!bell->has_rung && !is_over() && SteadyClock::now() < end) {
      bell->rings.wait_until(
          lock, std::min<SteadyClock::time_point>(end, SteadyClock::now() + kLookForEnd));
    }
  }
  journal.stop_waiting(ticket);
  return true;
}

}  // namespace magneto::api
