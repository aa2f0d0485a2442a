#pragma once

#include <string>
#include <string_view>

#include "storage/model/backup_schema.h"

namespace magneto::storage {

// A stored backup ("backup/" records), integers big-endian:
//
//   record := format:2 is-complete:1 created:8 items:8 bytes:8 text text schema
//   text   := size:4 bytes                 the backup's id, then its name
//   schema := encode_schema() of its table
//
// The numbers of the backup and of its database are in the key.
std::string encode_backup(const BackupSchema& backup);

// Throws std::runtime_error, naming the record, if it is damaged or of a newer format.
BackupSchema decode_backup(std::string_view record);

}  // namespace magneto::storage
