#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "api/json/json_writer.h"
#include "storage/stream/stream_log.h"

namespace magneto::api {

std::string_view event_name(storage::ChangeKind kind);  // "INSERT"
// 32 hexadecimal digits, the same at each reading. They differ from those of the stream's other
// records and, because of the secret, from those of other streams.
std::string event_id(const storage::StreamSchema& stream, std::uint64_t sequence);
// Writes a member with an item; nothing if there is no item.
void write_image(json::Writer& writer, std::string_view key, storage::ItemView item);
// The bytes of a stream record as DynamoDB counts them: its keys and its images.
std::size_t stream_record_size(const storage::StreamRecord& record);

// Writes the member "dynamodb" of a record, for GetRecords and for events of functions (AWS API
// reference, StreamRecord).
void write_stream_change(json::Writer& writer, const storage::StreamSchema& stream,
                         std::uint64_t sequence, storage::Clock::TimePoint made,
                         const storage::StreamRecord& record);

// Writes one record as in the answer of GetRecords (AWS API reference, Record and StreamRecord).
// `made`: the time of the change. `region`: the region of the request.
void write_stream_record(json::Writer& writer, const storage::StreamSchema& stream,
                         std::uint64_t sequence, storage::Clock::TimePoint made,
                         const storage::StreamRecord& record, std::string_view region);

}  // namespace magneto::api
