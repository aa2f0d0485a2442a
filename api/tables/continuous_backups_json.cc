#include "api/tables/continuous_backups_json.h"

#include <chrono>

namespace magneto::api {
namespace {

using std::chrono::ceil;
using std::chrono::floor;
using std::chrono::milliseconds;
using std::chrono::seconds;
using storage::Clock;

double seconds_of(Clock::TimePoint time) {
  return std::chrono::duration<double>(time.time_since_epoch()).count();
}

}  // namespace

void write_continuous_backups(json::Writer& writer, const storage::PointInTimeRecovery& recovery,
                              const std::optional<storage::RecoveryWindow>& window) {
  writer.begin_object();
  writer.key("ContinuousBackupsStatus");
  writer.string("ENABLED");
  writer.key("PointInTimeRecoveryDescription");
  writer.begin_object();
  writer.key("PointInTimeRecoveryStatus");
  writer.string(recovery.enabled ? "ENABLED" : "DISABLED");
  if (recovery.enabled) {
    writer.integer("RecoveryPeriodInDays", recovery.recovery_days);
  }
  if (recovery.enabled && window) {
    const Clock::TimePoint second = ceil<seconds>(window->earliest);
    writer.key("EarliestRestorableDateTime");
    writer.time(
        seconds_of(second <= window->latest ? second : ceil<milliseconds>(window->earliest)));
    writer.key("LatestRestorableDateTime");
    writer.time(seconds_of(floor<milliseconds>(window->latest)));
  }
  writer.end_object();
  writer.end_object();
}

}  // namespace magneto::api
