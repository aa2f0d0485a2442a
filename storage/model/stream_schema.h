#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "storage/model/table_schema.h"

namespace magneto::storage {

// AWS API reference: StreamStatus.
enum class StreamStatus : std::uint8_t { kEnabling, kEnabled, kDisabling, kDisabled };

// A shard holds records of one of the equal ranges into which a stream divides the partition hash.
// It is open until it closes; then one child continues it, or two if the range is split. Times are
// milliseconds since the epoch.
struct StreamShard {
  std::uint32_t number = 0;          // within the stream, from 1, never reused
  std::uint32_t parent = 0;          // the number of the shard it continues; 0: none
  std::int64_t parent_opened = 0;    // of the parent, which may be gone
  std::uint32_t range = 0;           // from 0, among the ranges at its time
  std::int64_t opened = 0;           // after its parent
  std::int64_t closed = 0;           // 0: open
  std::uint64_t first_sequence = 0;  // not above that of its first record
  std::uint64_t last_sequence = 0;   // when closed: of its last record, or first_sequence
  friend bool operator==(const StreamShard&, const StreamShard&) = default;
};

// <arn of the table>/stream/<label>
std::string stream_arn(std::string_view table_arn, std::string_view label);

// The label prefix of a stream for deliveries by the process itself. It has new and old images, and
// clients never see it.
inline constexpr std::string_view kDeliveriesLabel = "deliveries/";

// One stream of a table: from enabling to disabling, and readable for a day after that.
struct StreamSchema {
  std::uint32_t number = 0;  // of the storage keys; a new one for each stream
  std::uint32_t table_number = 0;
  std::string region;
  std::string account;
  std::string table_name;
  std::string label;      // ISO 8601 time of enabling; part of the ARN
  std::string view_type;  // KEYS_ONLY, NEW_IMAGE, OLD_IMAGE or NEW_AND_OLD_IMAGES
  KeySchema key;          // the table's
  std::int64_t created = 0;
  std::int64_t closed = 0;   // 0: records are added
  std::uint64_t secret = 0;  // random; tokens that clients return are checked with it
  std::uint32_t next_shard_number = 1;
  std::vector<StreamShard> shards;  // ascending by number
  // The policy that it had when its table left it; until then the table has it.
  std::optional<ResourcePolicy> policy;
  std::uint32_t database = 0;  // the table's; part of the key of its record, not of the record

  bool is_for_clients() const { return !label.starts_with(kDeliveriesLabel); }
  std::string arn() const { return stream_arn(table_arn(region, account, table_name), label); }
};

}  // namespace magneto::storage
