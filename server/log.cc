#include "server/log.h"

#include <spdlog/sinks/ansicolor_sink.h>
#include <spdlog/spdlog.h>

#include <memory>

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

}  // namespace

void set_log_level(LogLevel level) { lowest_level = level; }

void log(LogLevel level, std::string_view message) {
  if (level < lowest_level || level == LogLevel::kOff) return;
  spdlog::logger& target = logger();
  target.set_level(spdlog::level::trace);
  target.log(to_spdlog(level), spdlog::string_view_t(message.data(), message.size()));
}

}  // namespace magneto::server
