#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "storage/model/table_schema.h"

namespace magneto::storage {

// What a backup is of, and how it stands (AWS API reference, BackupDetails).
struct BackupSchema {
  std::uint32_t number = 0;  // of its items; from the numbers of tables
  std::string id;            // backup_id(): unlike that of any other of the database
  std::string name;          // as its maker calls it: several may have the same
  std::int64_t created = 0;  // milliseconds since the epoch
  // What it holds; until it is complete, about what the table held.
  std::int64_t items = 0;
  std::int64_t bytes = 0;
  bool is_complete = false;  // AVAILABLE, else CREATING
  // The table as it was, without tags, policies and insights, which no backup tells of.
  TableSchema table;

  std::uint32_t database() const { return table.database; }
  double created_seconds() const { return static_cast<double>(created) / 1'000; }
  std::string arn() const;
};

// The last part of a backup's ARN, 01790000000123-0a1b2c3d: in bytewise order the older comes first.
// `created`: milliseconds since the epoch, not negative.
std::string backup_id(std::int64_t created, std::uint32_t random);
// That of an ARN of a backup; empty when `arn` is not one.
std::string_view backup_id_in(std::string_view arn);

}  // namespace magneto::storage
