#pragma once

#include <string>
#include <string_view>

#include "storage/database.h"

// Turns time to live of a table on and off, as UpdateTimeToLive does.
namespace magneto::storage {

inline void enable_time_to_live(Database& database, std::string_view table,
                                std::string_view attribute) {
  database.update_table(table, [&](TableSchema& schema) {
    schema.time_to_live.status = TimeToLiveStatus::kEnabling;
    schema.time_to_live.attribute = attribute;
  });
}

inline void disable_time_to_live(Database& database, std::string_view table) {
  database.update_table(table, [](TableSchema& schema) {
    schema.time_to_live.status = TimeToLiveStatus::kDisabling;
  });
}

}  // namespace magneto::storage
