#pragma once

#include <string_view>

#include "api/json/json_writer.h"
#include "storage/model/global_table.h"
#include "storage/model/table_schema.h"

namespace magneto::api {

// Writes the members of a TableDescription about replicas; nothing unless the table is in a global
// table. A setting that the replicas share is not repeated for each (captured from AWS, October
// 2026).
void write_replicas(json::Writer& writer, const storage::TableSchema& schema);

// AWS API reference: ReplicaStatus.
std::string_view replica_status_name(storage::ReplicaStatus status);

}  // namespace magneto::api
