#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "storage/database.h"

namespace magneto::api {

// The lifetime of an iterator (AWS API reference, GetShardIterator).
inline constexpr std::chrono::minutes kIteratorLifetime{15};

// The position at which GetRecords reads: the first record of the shard at or after `position`, a
// sequence number.
struct ShardPosition {
  std::shared_ptr<const storage::StreamLog> stream;
  std::uint32_t shard_number = 0;
  std::uint64_t position = 0;
};

// Encodes a ShardIterator, opaque to clients, made at the time `now`.
std::string encode_shard_iterator(const ShardPosition& at, storage::Clock::TimePoint now);

// Throws ValidationException if the text is not an iterator of this database. Throws
// ExpiredIteratorException, or ResourceNotFoundException if the stream is gone.
ShardPosition decode_shard_iterator(const storage::Database& database, std::string_view iterator);

// A sequence number in digits. Numbers ascend and have 21 digits until the year 2286 (AWS API
// reference, SequenceNumber: 21 to 40 numeric characters).
std::string sequence_text(std::uint64_t sequence);
// The first position at a number in digits or, if `after`, after it. A plus sign may precede the
// digits. Throws ValidationException for other characters, for zero, and for a number beyond all
// positions.
std::uint64_t sequence_position(std::string_view text, bool after);

}  // namespace magneto::api
