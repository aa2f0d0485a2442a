#include "api/jobs/export_times.h"

#include <array>
#include <cmath>

#include "api/error.h"
#include "api/messages/job_messages.h"
#include "api/request/parameters.h"
#include "storage/backup/table_as_of.h"
#include "storage/database.h"

namespace magneto::api {
namespace {

constexpr double kShortestPeriod = 15 * 60;
constexpr double kLongestPeriod = 24 * 60 * 60;

constexpr std::array<std::string_view, 2> kViewValues{kNewImage, kNewAndOldImages};
constexpr Shape kViewShape = enum_shape(kViewValues);
constexpr MemberShape kIncrementalMembers[] = {
    {"ExportFromTime", &kDoubleShape},
    {"ExportToTime", &kDoubleShape},
    {"ExportViewType", &kViewShape},
};

bool is_present(double time, double now) { return std::abs(time - now) <= kPresentSeconds; }

struct Window {
  double earliest = 0;
  double now = 0;
  bool is_frozen = false;  // the clock is frozen
};

Window window_of(const storage::Database& database, const storage::Table& table) {
  const auto window = database.recovery_window(table);
  if (!window) fail_no_recovery(table.schema.name);
  return {storage::seconds_of(window->earliest), storage::seconds_of(window->latest),
          database.clock().is_frozen()};
}

[[noreturn]] void fail_time(std::string_view message) {
  throw ApiError(ErrorType::kInvalidExportTime, message);
}

// In AWS's order: these checks precede that of point-in-time recovery (captured from AWS, October
// 2026).
ExportTimes read_asked_period(const Parameters& specification, double created, double now) {
  ExportTimes times;
  times.from = specification.value("ExportFromTime").number();
  if (const json::Value to = specification.value("ExportToTime")) times.to = to.number();
  const double end = times.to.value_or(now);
  if (!(*times.from >= created)) fail_time(messages::period_before_table(*times.from));
  if (!(end <= now + kPresentSeconds)) fail_time(messages::period_in_the_future(end));
  if (!(end - *times.from >= kShortestPeriod)) fail_time(messages::kShortExportPeriod);
  if (end - *times.from > kLongestPeriod) fail_time(messages::kLongExportPeriod);
  return times;
}

ExportTimes in_window(ExportTimes times, const Window& window) {
  if (!(*times.from >= window.earliest)) fail_export_time();
  const double end = times.to.value_or(window.now);
  times.told = times.to;
  // If a client's clock is ahead, `to` lies in the future. Then this period ends now, so that the
  // next one can begin there.
  if (times.to && end <= window.now) return times;
  times.told = times.to = window.now;
  // With a frozen clock, all writes have this time. They belong to both periods.
  if (window.is_frozen) times.to = std::nullopt;
  return times;
}

}  // namespace

constinit const Shape kIncrementalExportShape =
    structure_shape("IncrementalExportSpecification", kIncrementalMembers);

void check_export_type(json::Value request) {
  const Parameters parameters(request);
  const bool is_incremental = parameters.string_or_empty("ExportType") == kIncrementalExport;
  const json::Value specification = parameters.value("IncrementalExportSpecification");
  if (!is_incremental) {
    if (!specification) return;
    fail_validation(parameters.has("ExportType") ? messages::kFullExportWithPeriod
                                                 : messages::kPeriodWithoutType);
  }
  if (!specification) fail_validation(messages::kNoExportPeriod);
  if (!Parameters(specification).has("ExportFromTime")) {
    fail_validation(messages::kNoPeriodStart);
  }
  if (parameters.has("ExportTime")) fail_validation(messages::kIncrementalExportWithTime);
  if (parameters.has("FilterSpecification")) {
    fail_validation(messages::kIncrementalExportWithFilter);
  }
}

ExportTimes read_export_times(json::Value request, const storage::Database& database,
                              const storage::Table& table) {
  const Parameters parameters(request);
  const json::Value specification = parameters.value("IncrementalExportSpecification");
  const json::Value time = parameters.value("ExportTime");
  ExportTimes period;
  if (specification) {
    period = read_asked_period(Parameters(specification), table.schema.created,
                               database.clock().epoch_seconds());
  }
  if (!table.schema.point_in_time_recovery.enabled) fail_no_recovery(table.schema.name);
  if (!specification && !time) return {};
  const Window window = window_of(database, table);
  if (specification) return in_window(period, window);
  if (time.number() >= window.earliest && time.number() <= window.now) {
    return {.to = time.number(), .told = time.number()};
  }
  if (!is_present(time.number(), window.now)) fail_export_time();
  return {};
}

void fail_export_time() {
  throw ApiError(ErrorType::kInvalidExportTime, messages::kInvalidExportTime);
}

void fail_no_recovery(std::string_view table) {
  throw ApiError(ErrorType::kPointInTimeRecoveryUnavailable,
                 messages::no_point_in_time_recovery(table));
}

}  // namespace magneto::api
