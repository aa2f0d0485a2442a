#include "api/tables/continuous_backups_json.h"

namespace magneto::api {

void write_continuous_backups(json::Writer& writer, const storage::PointInTimeRecovery& recovery) {
  writer.begin_object();
  writer.key("ContinuousBackupsStatus");
  writer.string("ENABLED");
  writer.key("PointInTimeRecoveryDescription");
  writer.begin_object();
  writer.key("PointInTimeRecoveryStatus");
  writer.string(recovery.enabled ? "ENABLED" : "DISABLED");
  if (recovery.enabled) {
    writer.key("RecoveryPeriodInDays");
    writer.integer(recovery.recovery_days);
  }
  writer.end_object();
  writer.end_object();
}

}  // namespace magneto::api
