#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "storage/index/index_entry.h"

namespace magneto::storage {

// The record of one commit in the change log, with its changes to entries of asynchronous indexes
// of any tables:
//
//   record := version:1 { change }         under queue_key(sequence)
//   change := old-size:4 length:4 delete-key length:4 put-key length:4 value
//
// Integers are big-endian. Table and index number are the first bytes of either key; the new size
// is in the value.
void begin_change_record(std::string& record);
void append_to_change_record(std::string& record, const EntryChange& change);

// Throws EngineError if the record is damaged or of a newer version.
std::vector<EntryChange> decode_change_record(std::string_view record);

}  // namespace magneto::storage
