#include "server/tools/copy/stop_signal.h"

#include <algorithm>
#include <csignal>
#include <thread>

namespace magneto::server::tools {
namespace {

constexpr std::chrono::milliseconds kStep{50};

std::atomic<bool> asked_to_stop{false};
static_assert(std::atomic<bool>::is_always_lock_free);

void note(int /*signal*/) { asked_to_stop = true; }

}  // namespace

void StopSignal::sleep_until(std::chrono::steady_clock::time_point time) const {
  while (true) {
    check();
    const auto now = std::chrono::steady_clock::now();
    if (now >= time) return;
    std::this_thread::sleep_for(std::min<std::chrono::steady_clock::duration>(kStep, time - now));
  }
}

const std::atomic<bool>& stop_on_signals() {
  struct sigaction action = {};
  action.sa_handler = note;
  action.sa_flags = SA_RESETHAND | SA_RESTART;
  ::sigaction(SIGINT, &action, nullptr);
  ::sigaction(SIGTERM, &action, nullptr);
  return asked_to_stop;
}

}  // namespace magneto::server::tools
