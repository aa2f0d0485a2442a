#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "storage/database.h"

namespace magneto::api {

// How long an iterator can be used (AWS API reference, GetShardIterator).
inline constexpr std::chrono::minutes kIteratorLifetime{15};

// Where GetRecords reads: at the first record of the shard from `position` on, a sequence number.
struct ShardPosition {
  std::shared_ptr<const storage::StreamLog> stream;
  std::uint32_t shard_number = 0;
  std::uint64_t position = 0;
};

// ShardIterator, opaque to clients, made at the time `now`.
std::string encode_shard_iterator(const ShardPosition& at, storage::Clock::TimePoint now);

// Throws ValidationException for a text that is no iterator of this database,
// ExpiredIteratorException, or ResourceNotFoundException when the stream is gone.
ShardPosition decode_shard_iterator(const storage::Database& database, std::string_view iterator);

// A sequence number in digits: ascending numbers, 21 digits each until the year 2286 (AWS API
// reference, SequenceNumber: 21 to 40 numeric characters).
std::string sequence_text(std::uint64_t sequence);
// The first position at (or, if `after`, behind) a number in digits. Throws ValidationException
// when `text` has anything but digits.
std::uint64_t sequence_position(std::string_view text, bool after);

}  // namespace magneto::api
