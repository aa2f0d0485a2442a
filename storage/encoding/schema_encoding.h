#pragma once

#include <string>
#include <string_view>

#include "storage/model/stream_schema.h"
#include "storage/model/table_schema.h"

namespace magneto::storage {

// The stored schemas of tables and streams ("table/" and "stream/" records). Fields are in the
// order of their struct, integers big-endian:
//
//   record   := format:2 TableSchema | format:2 StreamSchema
//   struct   := field*                     TableSchema, KeySchema, StreamShard, ...
//   field    := text | integer | bool | enum | time | optional | list | pair | struct
//   text     := size:4 bytes               bool := 0 | 1          enum := 1 byte, its value
//   integer  := 2, 4 or 8 bytes, as wide as the member            time := 8 bytes, IEEE 754
//   optional := 0 | 1 field                list := count:4 field*         pair := field field
std::string encode_schema(const TableSchema& table);

// Throws std::runtime_error, naming the record, if it is damaged or of a newer format.
TableSchema decode_schema(std::string_view record);

std::string encode_stream(const StreamSchema& stream);
StreamSchema decode_stream(std::string_view record);  // throws as decode_schema() does

}  // namespace magneto::storage
