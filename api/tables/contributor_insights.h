#pragma once

#include <string_view>

#include "api/json/json_writer.h"
#include "api/request/parameters.h"
#include "storage/database.h"
#include "storage/model/table_schema.h"

// Contributor insights of tables and global indexes: the enabled insights and their names.
namespace magneto::api {

// Throws ValidationException if IndexName is given and too short or too long. AWS has a separate
// text for it here (captured from AWS, October 2026).
void check_insights_index(const Parameters& parameters);

// Returns the global index with this name; nullptr for an empty name, which means the table. Throws
// ResourceNotFoundException, for local indexes too (as observed on AWS, October 2026).
const storage::IndexSchema* find_insights_index(const storage::TableSchema& schema,
                                                std::string_view name);

// Returns ENABLING for the control-plane delay, then ENABLED; DISABLED for nullptr.
std::string_view insights_status(const storage::Database& database,
                                 const storage::ContributorInsights* enabled);

// Appends TableName, and IndexName unless that is empty.
void append_insights_names(json::Writer& writer, std::string_view table, std::string_view index);
// Appends ContributorInsightsStatus and ContributorInsightsMode.
void append_insights_state(json::Writer& writer, std::string_view status, bool throttled_keys_only);

}  // namespace magneto::api
