#include "api/tables/schema_json.h"

#include <algorithm>
#include <string>
#include <vector>

namespace magneto::api {
std::string_view projection_name(storage::ProjectionType type) {
  switch (type) {
    case storage::ProjectionType::kKeysOnly:
      return "KEYS_ONLY";
    case storage::ProjectionType::kInclude:
      return "INCLUDE";
    case storage::ProjectionType::kAll:
      break;
  }
  return "ALL";
}

void write_projection(json::Writer& writer, const storage::Projection& projection) {
  writer.key("Projection");
  writer.begin_object();
  writer.text("ProjectionType", projection_name(projection.type));
  if (projection.type == storage::ProjectionType::kInclude) {
    std::vector<std::string> names = projection.non_key_attributes;
    std::sort(names.begin(), names.end());
    writer.key("NonKeyAttributes");
    writer.begin_array();
    for (const std::string& name : names) writer.string(name);
    writer.end_array();
  }
  writer.end_object();
}

void write_on_demand(json::Writer& writer, const storage::OnDemandThroughput& throughput) {
  if (!throughput.max_read_units && !throughput.max_write_units) return;
  writer.key("OnDemandThroughput");
  writer.begin_object();
  if (throughput.max_read_units) {
    writer.integer("MaxReadRequestUnits", *throughput.max_read_units);
  }
  if (throughput.max_write_units) {
    writer.integer("MaxWriteRequestUnits", *throughput.max_write_units);
  }
  writer.end_object();
}

void write_warm(json::Writer& writer, const WarmLevel& level, bool is_updating) {
  writer.key("WarmThroughput");
  writer.begin_object();
  writer.integer("ReadUnitsPerSecond", level.read_units);
  writer.integer("WriteUnitsPerSecond", level.write_units);
  writer.text("Status", is_updating ? "UPDATING" : "ACTIVE");
  writer.end_object();
}

void write_key_schema(json::Writer& writer, const storage::KeySchema& key) {
  writer.key("KeySchema");
  writer.begin_array();
  for (const auto [attribute, is_partition] : key.attributes()) {
    writer.begin_object();
    writer.text("AttributeName", attribute.name);
    writer.text("KeyType", is_partition ? "HASH" : "RANGE");
    writer.end_object();
  }
  writer.end_array();
}

}  // namespace magneto::api
