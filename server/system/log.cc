#include "server/system/log.h"

#include <spdlog/sinks/ansicolor_sink.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "server/system/log_messages.h"

namespace magneto::server::system {
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

void write_line(LogLevel level, std::string_view message, std::uint64_t left_out) {
  if (left_out == 0) {
    log(level, message);
  } else {
    log(level, messages::kRepeated(message, left_out));
  }
}

// The number of lines at once. Several different lines may come together, above all at the start. A
// caller in a loop causes the same line each time, so callers get only one.
std::int64_t burst_of(std::size_t source) {
  return source == static_cast<std::size_t>(LogSource::kCallers) ? 1 : 10;
}

// One log for each source. Never destroyed, since threads may log until the process has ended.
const std::vector<std::unique_ptr<SparseLog>>& sparse_logs() {
  constexpr std::size_t kSources = static_cast<std::size_t>(LogSource::kUndelivered) + 1;
  static const auto* const logs = [] {
    auto* made = new std::vector<std::unique_ptr<SparseLog>>;
    for (std::size_t i = 0; i < kSources; ++i) {
      made->push_back(std::make_unique<SparseLog>(burst_of(i)));
    }
    return made;
  }();
  return *logs;
}

}  // namespace

void set_log_level(LogLevel level) { lowest_level = level; }

void log(LogLevel level, std::string_view message) {
  if (level < lowest_level || level == LogLevel::kOff) return;
  spdlog::logger& target = logger();
  target.set_level(spdlog::level::trace);
  target.log(to_spdlog(level), spdlog::string_view_t(message.data(), message.size()));
}

// Each line uses up one second of the rate. False if lines have used up more than `burst_` seconds
// ahead.
bool SparseLog::pay() {
  const std::int64_t now = std::chrono::duration_cast<std::chrono::milliseconds>(
                               std::chrono::steady_clock::now().time_since_epoch())
                               .count();
  const std::int64_t wanted = std::max(paid_until_, now) + kSparseMilliseconds;
  if (wanted - now > burst_ * kSparseMilliseconds) return false;
  paid_until_ = wanted;
  return true;
}

void SparseLog::leave_out_held() {
  if (!held_) return;
  held_.reset();
  ++left_out_;
  ++all_left_out;
}

void SparseLog::write(LogLevel level, std::string_view message) {
  std::uint64_t left_out = 0;
  {
    const std::lock_guard lock(mutex_);
    leave_out_held();
    if (!pay()) {
      held_ = Held{level, std::string(message)};
      return;
    }
    left_out = std::exchange(left_out_, 0);
  }
  write_line(level, message, left_out);
}

void SparseLog::write_held(bool at_end) {
  std::optional<Held> held;
  std::uint64_t left_out = 0;
  {
    const std::lock_guard lock(mutex_);
    if (!held_ || (!pay() && !at_end)) return;
    held.swap(held_);
    left_out = std::exchange(left_out_, 0);
  }
  write_line(held->level, held->message, left_out);
}

void log_sparsely(LogSource source, LogLevel level, std::string_view message) {
  if (level < lowest_level) return;
  sparse_logs()[static_cast<std::size_t>(source)]->write(level, message);
}

void write_held_lines(bool at_end) {
  for (const auto& sparse : sparse_logs()) sparse->write_held(at_end);
}

std::uint64_t lines_left_out() { return all_left_out.load(); }

}  // namespace magneto::server::system
