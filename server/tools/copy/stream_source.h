#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "server/client/endpoint/endpoint_calls.h"
#include "server/tools/copy/copy_state.h"
#include "server/tools/copy/stop_signal.h"

// Functions that read the source's streams. They throw Stopped, and std::runtime_error with a
// sentence.
namespace magneto::server::tools {

// Streams keep records for a day, and a shard receives writes for some four hours. For a position
// without a sequence number, the endpoint cannot report that records after it were lost. After this
// time they may be.
inline constexpr std::int64_t kSafeSeconds = 18 * 3600;

std::int64_t seconds_now();  // since 1970

struct ListedShard {
  std::string id;
  std::string parent;  // empty: none
  bool is_closed = false;
};

struct ListedStream {
  bool is_on = false;       // ENABLED, or soon will be
  bool is_settled = false;  // neither ENABLING nor DISABLING
  std::vector<ListedShard> shards;
};

// A parent may be missing from the list if it is older than the stream keeps shards.
ListedStream list_stream(client::EndpointCalls& source, const std::string& stream_arn,
                         const StopSignal& stop);

// Requests of GetShardIterator.
std::string iterator_request(const std::string& stream_arn, const std::string& shard,
                             const ShardState& position);
std::string latest_iterator_request(const std::string& stream_arn, const std::string& shard);

// The iterator; `table` is the name for messages. Throws if records were lost.
std::string get_iterator(client::EndpointCalls& source, const std::string& table,
                         const std::string& request, const StopSignal& stop);

// Reads a page of a shard. False if the iterator has expired. Throws if records were lost.
bool get_records(client::EndpointCalls& source, const std::string& table,
                 const std::string& iterator, int limit, const StopSignal& stop);

// Like get_records(), but without waiting: nullopt if the shard accepts no more reads at the
// moment.
std::optional<bool> try_records(client::EndpointCalls& source, const std::string& table,
                                const std::string& iterator, int limit);

}  // namespace magneto::server::tools
