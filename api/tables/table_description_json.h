#pragma once

#include <string>
#include <string_view>

#include "api/json/json_writer.h"
#include "storage/table/table.h"

// TableDescription, which CreateTable, DescribeTable, UpdateTable and DeleteTable answer with (AWS
// API reference, TableDescription; which members are present as observed on AWS, October 2026).
namespace magneto::api {

enum class DescriptionForm {
  kCurrent,  // the table as it is
  kCreated,  // CreateTable's answer: CREATING, without WarmThroughput unless it was asked for
  kWarmed,   // UpdateTable's answer to a WarmThroughput, which is UPDATING
  kDeleted,  // DeleteTable's answer: DELETING, without keys and indexes
};

// Writes the description as one JSON object. `now` (seconds since the epoch) decides which
// decreases of throughput were today. `ended` is an encryption by KMS that the call being answered
// has ended: shown as UPDATING.
void write_table_description(json::Writer& writer, const storage::Table& table, double now,
                             DescriptionForm form = DescriptionForm::kCurrent,
                             const storage::ServerSideEncryption& ended = {});

// "CREATING", "ACTIVE", "UPDATING" or "DELETING".
std::string_view status_name(storage::ResourceStatus status);

}  // namespace magneto::api
