#include "server/log.h"

#include <spdlog/sinks/ansicolor_sink.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "server/messages.h"

namespace magneto::server {
namespace {

spdlog::level::level_enum to_spdlog(LogLevel level) {
  switch (level) {
    case LogLevel::kDebug:
      return spdlog::level::debug;
    case LogLevel::kInfo:
      return spdlog::level::info;
    case LogLevel::kWarning:
      return spdlog::level::warn;
    case LogLevel::kError:
      return spdlog::level::err;
    case LogLevel::kOff:
      break;
  }
  return spdlog::level::off;
}

spdlog::logger& logger() {
  static spdlog::logger* const instance = [] {
    auto* created =
        new spdlog::logger("magneto", std::make_shared<spdlog::sinks::ansicolor_stderr_sink_mt>());
    created->set_pattern("%Y-%m-%dT%H:%M:%S.%e %^%l%$ %v");
    return created;
  }();
  return *instance;
}

LogLevel lowest_level = LogLevel::kWarning;

constexpr std::int64_t kSparseMilliseconds = 1000;
std::atomic<std::uint64_t> all_left_out{0};

}  // namespace

void set_log_level(LogLevel level) { lowest_level = level; }

void log(LogLevel level, std::string_view message) {
  if (level < lowest_level || level == LogLevel::kOff) return;
  spdlog::logger& target = logger();
  target.set_level(spdlog::level::trace);
  target.log(to_spdlog(level), spdlog::string_view_t(message.data(), message.size()));
}

// A line pays for a second. Who has paid for more than `burst_` of them ahead waits.
void SparseLog::write(LogLevel level, std::string_view message) {
  const std::int64_t now = std::chrono::duration_cast<std::chrono::milliseconds>(
                               std::chrono::steady_clock::now().time_since_epoch())
                               .count();
  std::int64_t paid_until = paid_until_.load();
  std::int64_t wanted = 0;
  do {
    wanted = std::max(paid_until, now) + kSparseMilliseconds;
    if (wanted - now > burst_ * kSparseMilliseconds) {
      ++left_out_;
      ++all_left_out;
      return;
    }
  } while (!paid_until_.compare_exchange_weak(paid_until, wanted));
  const std::uint64_t left_out = left_out_.exchange(0);
  if (left_out == 0) {
    log(level, message);
  } else {
    log(level, messages::repeated(message, left_out));
  }
}

void log_sparsely(LogSource source, LogLevel level, std::string_view message) {
  // Several that differ may come together, at the start above all.
  static constexpr std::int64_t kBurst = 10;
  constexpr std::size_t kSources = static_cast<std::size_t>(LogSource::kAccessLog) + 1;
  static auto* const logs = [] {
    auto* made = new std::vector<std::unique_ptr<SparseLog>>;
    for (std::size_t i = 0; i < kSources; ++i) made->push_back(std::make_unique<SparseLog>(kBurst));
    return made;
  }();
  if (level < lowest_level) return;
  (*logs)[static_cast<std::size_t>(source)]->write(level, message);
}

std::uint64_t lines_left_out() { return all_left_out.load(); }

}  // namespace magneto::server
