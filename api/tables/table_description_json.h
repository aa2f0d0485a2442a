#pragma once

#include <string>
#include <string_view>

#include "api/json/json_writer.h"
#include "storage/table/table.h"

// TableDescription, in the answers of CreateTable, DescribeTable, UpdateTable and DeleteTable (AWS
// API reference, TableDescription; members as observed on AWS, October 2026).
namespace magneto::api {

enum class DescriptionForm {
  kCurrent,  // the table as it is
  kCreated,  // CreateTable's answer: CREATING, without WarmThroughput unless it was asked for
  kDeleted,  // DeleteTable's answer: DELETING, without keys and indexes
};

// Writes the description as one JSON object. `now` (seconds since the epoch) decides which
// decreases of throughput were today.
void write_table_description(json::Writer& writer, const storage::Table& table, double now,
                             DescriptionForm form = DescriptionForm::kCurrent);

// Writes UpdateTable's answer (api/tables/update_answer.h).
struct ShownChange;
void write_changed_table(json::Writer& writer, const storage::Table& table,
                         const ShownChange& change, double now);

// "CREATING", "ACTIVE", "UPDATING" or "DELETING".
std::string_view status_name(storage::ResourceStatus status);

}  // namespace magneto::api
