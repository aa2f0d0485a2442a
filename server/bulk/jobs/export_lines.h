#pragma once

#include <string>

#include "server/formats/aws_export.h"
#include "storage/model/table_schema.h"
#include "storage/table/period_changes.h"

namespace magneto::server::bulk {

// Appends a line of a data file with its end: one item of a full export.
void append_item_line(formats::AwsFormat format, storage::ItemView item, std::string& out);

// Appends a line of an incremental export with its end: one changed item. `has_old`: with the item
// before the change.
void append_change_line(formats::AwsFormat format, const storage::PeriodCursor& change,
                        const storage::KeySchema& key, bool has_old, std::string& out);

}  // namespace magneto::server::bulk
