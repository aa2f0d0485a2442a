#include "server/log.h"

#include <spdlog/sinks/ansicolor_sink.h>
#include <spdlog/spdlog.h>

#include <chrono>
#include <memory>
#include <string>

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

}  // namespace

void set_log_level(LogLevel level) { lowest_level = level; }

void log(LogLevel level, std::string_view message) {
  if (level < lowest_level || level == LogLevel::kOff) return;
  spdlog::logger& target = logger();
  target.set_level(spdlog::level::trace);
  target.log(to_spdlog(level), spdlog::string_view_t(message.data(), message.size()));
}

void SparseLog::write(LogLevel level, std::string_view message) {
  const std::int64_t now = std::chrono::duration_cast<std::chrono::milliseconds>(
                               std::chrono::steady_clock::now().time_since_epoch())
                               .count();
  std::int64_t next = next_.load();
  if (now < next || !next_.compare_exchange_strong(next, now + kSparseMilliseconds)) {
    ++left_out_;
    return;
  }
  const std::uint64_t left_out = left_out_.exchange(0);
  if (left_out == 0) {
    log(level, message);
  } else {
    log(level, messages::repeated(message, left_out));
  }
}

}  // namespace magneto::server
