#pragma once

#include "api/json/json_writer.h"
#include "storage/model/table_schema.h"

namespace magneto::api {

// ContinuousBackupsDescription. Continuous backups are enabled on every table, point-in-time
// recovery only on demand (AWS API reference, DescribeContinuousBackups). There are no times to
// restore to, since Magneto does not restore.
void write_continuous_backups(json::Writer& writer, const storage::PointInTimeRecovery& recovery);

}  // namespace magneto::api
