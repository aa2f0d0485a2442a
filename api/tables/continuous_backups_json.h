#pragma once

#include <optional>

#include "api/json/json_writer.h"
#include "storage/database.h"

namespace magneto::api {

// Writes a ContinuousBackupsDescription. Continuous backups are enabled on every table,
// point-in-time recovery only on demand (AWS API reference, DescribeContinuousBackups). The
// earliest time is a whole second if the window has one, since SDKs send times back in whole
// seconds. The latest time is the present, not five minutes ago.
void write_continuous_backups(json::Writer& writer, const storage::PointInTimeRecovery& recovery,
                              const std::optional<storage::RecoveryWindow>& window);

}  // namespace magneto::api
