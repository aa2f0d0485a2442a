#include "server/main/memory_limits.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <optional>
#include <string_view>

namespace magneto::server::main {
namespace {

constexpr std::uint64_t kMegabyte = 1 << 20;
constexpr std::uint64_t kUnlimited = std::numeric_limits<std::uint64_t>::max();
constexpr std::uint64_t kMaxHeld = 512 * kMegabyte;
constexpr std::uint64_t kMinHeld = 8 * kMegabyte;
constexpr std::uint64_t kMaxWork = 512 * kMegabyte;
constexpr std::uint64_t kMaxCalls = 512 * kMegabyte;
constexpr std::uint64_t kMaxTokens = 256 * kMegabyte;
constexpr std::uint64_t kMaxBudget = 512 * kMegabyte;
constexpr std::uint64_t kMinBudget = 8 * kMegabyte;
constexpr std::uint64_t kMaxConnections = 10'000;
// A connection's object, and the memory that it may hold uncounted.
constexpr std::uint64_t kConnectionBytes = 32 * 1024;
// The additional memory of a TLS connection. 16 KB were measured, and 48 KB during the handshake,
// when the connection holds nothing else.
constexpr std::uint64_t kTlsBytes = 24 * 1024;

// The start of a small file; empty if the file does not exist.
std::string read_file(const std::string& path) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return {};
  std::array<char, 4096> text;
  const ssize_t size = ::read(descriptor, text.data(), text.size());
  ::close(descriptor);
  return {text.data(), size > 0 ? static_cast<std::size_t>(size) : 0};
}

// The number at the start of a file. "max" and a missing file mean no limit.
std::uint64_t read_number(const std::string& path) {
  const std::string text = read_file(path);
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() ? number : kUnlimited;
}

// The smallest limit of a group and its ancestors. Inside a container the group's path may be the
// host's, while the folder is the container's own. Then only the folder itself exists.
std::uint64_t least_limit(const std::string& folder, std::string group, std::string_view file) {
  std::uint64_t least = kUnlimited;
  for (;;) {
    least = std::min(least, read_number((folder + group + "/").append(file)));
    const std::size_t slash = group.rfind('/');
    if (slash == std::string::npos) return least;
    group.resize(slash);
  }
}

bool names_memory(std::string_view controllers) {
  while (!controllers.empty()) {
    const std::size_t comma = controllers.find(',');
    if (controllers.substr(0, comma) == "memory") return true;
    if (comma == std::string_view::npos) return false;
    controllers.remove_prefix(comma + 1);
  }
  return false;
}

// cgroups(7): a line is "hierarchy-ID:controller-list:cgroup-path", with an empty list in v2.
std::uint64_t read_group_limit(const std::string& root) {
  const std::string text = read_file(root + "/proc/self/cgroup");
  std::string_view lines = text;
  std::uint64_t least = kUnlimited;
  while (!lines.empty()) {
    const std::string_view line = lines.substr(0, lines.find('\n'));
    lines.remove_prefix(std::min(lines.size(), line.size() + 1));
    const std::size_t first = line.find(':');
    const std::size_t second = first == std::string_view::npos ? first : line.find(':', first + 1);
    if (second == std::string_view::npos) continue;
    const std::string_view controllers = line.substr(first + 1, second - first - 1);
    std::string group(line.substr(second + 1));
    if (group == "/") group.clear();
    if (controllers.empty()) {
      least = std::min(least, least_limit(root + "/sys/fs/cgroup", group, "memory.max"));
    } else if (names_memory(controllers)) {
      least = std::min(least,
                       least_limit(root + "/sys/fs/cgroup/memory", group, "memory.limit_in_bytes"));
    }
  }
  return least;
}

std::uint64_t machine_memory() {
  const long pages = ::sysconf(_SC_PHYS_PAGES);
  const long page_size = ::sysconf(_SC_PAGESIZE);
  if (pages <= 0 || page_size <= 0) return kUnlimited;
  return static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(page_size);
}

std::uint64_t megabytes_or(const std::optional<std::uint32_t>& chosen, std::uint64_t otherwise) {
  return chosen ? *chosen * kMegabyte : otherwise;
}

}  // namespace

std::uint64_t read_memory_limit(const std::string& root) {
  return std::min(machine_memory(), read_group_limit(root));
}

MemoryPlan plan_memory(const Config& config, std::uint64_t system_limit) {
  MemoryPlan plan{};
  plan.limit = megabytes_or(config.memory_limit_megabytes, system_limit);
  plan.held =
      megabytes_or(config.held_memory_megabytes, std::clamp(plan.limit / 4, kMinHeld, kMaxHeld));
  plan.work = std::clamp(plan.limit / 4, kMinHeld, kMaxWork);
  plan.calls = std::clamp(plan.limit / 4, kMinHeld, kMaxCalls);
  plan.tokens = std::min(plan.limit / 16, kMaxTokens);
  plan.budget = megabytes_or(config.memory_budget_megabytes,
                             std::clamp(plan.limit / 4, kMinBudget, kMaxBudget));
  const std::uint64_t each = kConnectionBytes + (config.speaks_tls() ? kTlsBytes : 0);
  plan.max_connections = std::min(kMaxConnections, plan.limit / 8 / each);
  return plan;
}

}  // namespace magneto::server::main
