#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "server/client/endpoint/endpoint_calls.h"
#include "server/tools/copy/copy_state.h"
#include "server/tools/copy/stop_signal.h"

// Reading the source's streams. What is thrown is std::runtime_error, a sentence, and Stopped.
namespace magneto::server::tools {

// Records are there for a day; a shard is written to for some four hours. Where a position has no
// sequence number, the endpoint cannot tell that records behind it were lost: after this time they
// may be.
inline constexpr std::int64_t kSafeSeconds = 18 * 3600;

std::int64_t seconds_now();  // since 1970

struct ListedShard {
  std::string id;
  std::string parent;  // empty: none
  bool is_closed = false;
};

struct ListedStream {
  bool is_on = false;       // ENABLED, or about to be
  bool is_settled = false;  // neither ENABLING nor DISABLING
  std::vector<ListedShard> shards;
};

// Parents may be missing in the list, when they are older than the stream keeps them.
ListedStream list_stream(client::EndpointCalls& source, const std::string& stream_arn,
                         const StopSignal& stop);

// Requests of GetShardIterator.
std::string iterator_request(const std::string& stream_arn, const std::string& shard,
                             const ShardState& position);
std::string latest_iterator_request(const std::string& stream_arn, const std::string& shard);

// The iterator; `table` is what messages name. Throws where records were lost.
std::string get_iterator(client::EndpointCalls& source, const std::string& table,
                         const std::string& request, const StopSignal& stop);

// A page of a shard. False when the iterator has expired. Throws where records were lost.
bool get_records(client::EndpointCalls& source, const std::string& table,
                 const std::string& iterator, int limit, const StopSignal& stop);

// The same, without a wait: nullopt where the shard takes no more reads for the moment.
std::optional<bool> try_records(client::EndpointCalls& source, const std::string& table,
                                const std::string& iterator, int limit);

}  // namespace magneto::server::tools
