#include "server/main/capacity.h"

#include <sched.h>
#include <sys/resource.h>

#include <algorithm>

#include "server/feeds/event_sources/connection_pool.h"

namespace magneto::server::main {
namespace {

// For the store's files, the standard streams and the event loops.
constexpr std::size_t kReservedDescriptors = 512;

}  // namespace

std::size_t processor_count() {
  cpu_set_t set;
  if (::sched_getaffinity(0, sizeof set, &set) != 0) return 1;
  return static_cast<std::size_t>(std::max(CPU_COUNT(&set), 1));
}

std::size_t thread_count(const Config& config) {
  return config.threads != 0 ? config.threads : processor_count();
}

std::size_t connection_limit(const Config& config, const MemoryPlan& memory) {
  const std::size_t wanted =
      config.max_connections != 0 ? config.max_connections : memory.max_connections;
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return wanted;
  std::size_t held_back = kReservedDescriptors;
  if (!config.event_sources_file.empty()) held_back += feeds::ConnectionPool::kMostDescriptors;
  const rlim_t needed = wanted + held_back;
  if (limit.rlim_cur < needed) {
    limit.rlim_cur = std::min<rlim_t>(needed, limit.rlim_max);
    if (::setrlimit(RLIMIT_NOFILE, &limit) != 0) ::getrlimit(RLIMIT_NOFILE, &limit);
  }
  const std::size_t usable = limit.rlim_cur;
  return std::min(wanted, usable - std::min(held_back, usable / 2));
}

}  // namespace magneto::server::main
