#pragma once

#include <string_view>

#include "api/capacity/warm_level.h"
#include "api/json/json_writer.h"
#include "storage/model/table_schema.h"

// Parts of table schemas in answers about tables and backups.
namespace magneto::api {

// "ALL", "KEYS_ONLY" or "INCLUDE".
std::string_view projection_name(storage::ProjectionType type);
// Writes the member Projection, with names in ascending order.
void write_projection(json::Writer& writer, const storage::Projection& projection);

// Writes the member OnDemandThroughput; nothing if there is no maximum.
void write_on_demand(json::Writer& writer, const storage::OnDemandThroughput& throughput);

// Writes the member WarmThroughput.
void write_warm(json::Writer& writer, const WarmLevel& level, bool is_updating);

// Writes the member KeySchema.
void write_key_schema(json::Writer& writer, const storage::KeySchema& key);

}  // namespace magneto::api
