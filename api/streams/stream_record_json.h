#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "api/json/json_writer.h"
#include "storage/stream/stream_log.h"

namespace magneto::api {

std::string_view event_name(storage::ChangeKind kind);  // "INSERT"
// 32 hexadecimal digits, the same at each reading: unlike those of the stream's other records, and
// of other streams because of the secret.
std::string event_id(const storage::StreamSchema& stream, std::uint64_t sequence);
// A member with an item; nothing without one.
void write_image(json::Writer& writer, std::string_view key, storage::ItemView item);
// Bytes of a stream record as DynamoDB counts them: its keys and its images.
std::size_t stream_record_size(const storage::StreamRecord& record);

// The member "dynamodb" of one, here and in events of functions (AWS API reference, StreamRecord).
void write_stream_change(json::Writer& writer, const storage::StreamSchema& stream,
                         std::uint64_t sequence, storage::Clock::TimePoint made,
                         const storage::StreamRecord& record);

// Writes one record as GetRecords answers it (AWS API reference, Record and StreamRecord).
// `made`: when. `region` is the one the request came to.
void write_stream_record(json::Writer& writer, const storage::StreamSchema& stream,
                         std::uint64_t sequence, storage::Clock::TimePoint made,
                         const storage::StreamRecord& record, std::string_view region);

}  // namespace magneto::api
