#include "server/main/capacity.h"

#include <sys/resource.h>

#include <algorithm>

#include "server/feeds/event_sources/connection_pool.h"
#include "storage/engine/processors.h"

namespace magneto::server::main {
namespace {

// For the store's files, the standard streams and the event loops.
constexpr std::size_t kReservedDescriptors = 512;

}  // namespace

std::size_t thread_count(const Config& config) {
  return config.threads != 0 ? config.threads : storage::processor_count();
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
