#include "api/streams/shard_iterator.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>

#include "api/error.h"
#include "api/json/base64.h"
#include "api/messages/stream_messages.h"
#include "api/streams/stream_target.h"
#include "storage/encoding/keyspace.h"
#include "storage/encoding/partition_hash.h"

// An iterator has this form, with big-endian integers:
//
//   stream-arn "|1|" base64 of shard:4 position:8 made:8 checksum:8
//
// `made` is in milliseconds since the epoch. The checksum is a hash of all preceding bytes and of
// the stream's secret. The form is AWS's (AWS API reference, GetShardIterator).
namespace magneto::api {

namespace {

constexpr std::string_view kVersion = "|1|";
constexpr std::size_t kPositionAt = 4;
constexpr std::size_t kMadeAt = kPositionAt + 8;
constexpr std::size_t kChecksumAt = kMadeAt + 8;
constexpr std::size_t kSize = kChecksumAt + 8;

// Digits after those of the time.
constexpr std::string_view kTail = "00000";
constexpr std::size_t kDigits = 16;  // at least so many digits precede the tail

[[noreturn]] void fail_iterator() { fail_validation(messages::kInvalidIterator); }

[[noreturn]] void fail_sequence_number() { fail_validation(messages::kInvalidSequenceNumber); }

std::uint64_t checksum(std::string_view bytes, const storage::StreamSchema& stream) {
  std::string secret;
  storage::append_uint64(secret, stream.secret);
  const std::array<std::string_view, 2> parts{secret, bytes};
  return storage::fingerprint(parts);
}

std::int64_t milliseconds(storage::Clock::TimePoint time) {
  return std::chrono::duration_cast<std::chrono::milliseconds>(time.time_since_epoch()).count();
}

}  // namespace

std::string encode_shard_iterator(const ShardPosition& at, storage::Clock::TimePoint now) {
  std::string bytes;
  storage::append_uint32(bytes, at.shard_number);
  storage::append_uint64(bytes, at.position);
  storage::append_uint64(bytes, static_cast<std::uint64_t>(milliseconds(now)));
  storage::append_uint64(bytes, checksum(bytes, at.stream->description()));
  std::string iterator = at.stream->arn().append(kVersion);
  json::encode_base64(bytes, iterator);
  return iterator;
}

ShardPosition decode_shard_iterator(const storage::Database& database, std::string_view iterator) {
  const std::size_t end = iterator.find('|');
  if (end == std::string_view::npos || !iterator.substr(end).starts_with(kVersion)) fail_iterator();
  const std::string_view text = iterator.substr(end + kVersion.size());
  std::string bytes;
  if (json::is_base64(text)) json::decode_base64(text, bytes);
  if (bytes.size() != kSize) fail_iterator();
  ShardPosition at;
  at.stream = find_stream(database, iterator.substr(0, end));
  const std::string_view all = bytes;
  if (storage::read_uint64(all.substr(kChecksumAt)) !=
      checksum(all.substr(0, kChecksumAt), at.stream->description())) {
    fail_iterator();
  }
  const auto made = static_cast<std::int64_t>(storage::read_uint64(all.substr(kMadeAt)));
  if (made + std::chrono::milliseconds(kIteratorLifetime).count() <
      milliseconds(database.clock().now())) {
    throw ApiError(ErrorType::kExpiredIterator, messages::kExpiredIterator);
  }
  at.shard_number = storage::read_uint32(all);
  at.position = storage::read_uint64(all.substr(kPositionAt));
  return at;
}

// Has at least the number of digits that GetShardIterator requires. Times before 2001 begin with
// zeros.
std::string sequence_text(std::uint64_t sequence) {
  std::string text = std::to_string(sequence);
  if (text.size() < kDigits) text.insert(0, kDigits - text.size(), '0');
  return text.append(kTail);
}

std::uint64_t sequence_position(std::string_view text, bool after) {
  constexpr std::uint64_t kBeyond = std::numeric_limits<std::uint64_t>::max();
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  if (text.starts_with('+')) text.remove_prefix(1);
  const bool is_zero = text.find_first_not_of('0') == std::string_view::npos;
  if (is_zero || !std::ranges::all_of(text, is_digit)) fail_sequence_number();
  const std::size_t size = text.size() > kTail.size() ? text.size() - kTail.size() : 0;
  const bool is_between = text.substr(size).find_first_not_of('0') != std::string_view::npos;
  std::uint64_t sequence = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + size, sequence);
  if (error == std::errc::result_out_of_range || sequence == kBeyond) fail_sequence_number();
  return sequence + (after || is_between ? 1 : 0);
}

}  // namespace magneto::api
