#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "storage/model/table_schema.h"

namespace magneto::storage {

// The description of a backup (AWS API reference, BackupDetails).
struct BackupSchema {
  std::uint32_t number = 0;  // of its items; from the numbers of tables
  std::string id;            // backup_id(): unique in the database
  std::string name;          // chosen by the client; need not be unique
  std::int64_t created = 0;  // milliseconds since the epoch
  // Its contents; until it is complete, approximately those of the table.
  std::int64_t items = 0;
  std::int64_t bytes = 0;
  bool is_complete = false;  // AVAILABLE, else CREATING
  // The table at that time, without tags, policies and insights, which backups do not contain.
  TableSchema table;

  std::uint32_t database() const { return table.database; }
  double created_seconds() const { return static_cast<double>(created) / 1'000; }
  std::string arn() const;
};

// The last part of a backup's ARN, 01790000000123-0a1b2c3d: in bytewise order the older comes
// first. `created`: milliseconds since the epoch, not negative.
std::string backup_id(std::int64_t created, std::uint32_t random);
// The id in a backup's ARN; empty if `arn` is not one.
std::string_view backup_id_in(std::string_view arn);

}  // namespace magneto::storage
