#pragma once

#include <string>

#include "server/formats/aws_export.h"
#include "storage/model/table_schema.h"
#include "storage/table/period_changes.h"

namespace magneto::server::bulk {

// Appends a line of a data file with its end: an item of a full export.
void append_item_line(formats::AwsFormat format, storage::ItemView item, std::string& out);

// The same of an incremental export: an item that was changed. `has_old`: with what it was before.
void append_change_line(formats::AwsFormat format, const storage::PeriodCursor& change,
                        const storage::KeySchema& key, bool has_old, std::string& out);

}  // namespace magneto::server::bulk
