#include <algorithm>
#include <string>
#include <vector>

#include "api/error.h"
#include "api/messages/stream_messages.h"
#include "api/operation.h"
#include "api/request/parameters.h"
#include "api/streams/shard_iterator.h"
#include "api/streams/stream_shapes.h"
#include "api/streams/stream_target.h"
#include "api/tables/schema_json.h"

// AWS API reference, DescribeStream.
namespace magneto::api {

extern const Operation kDescribeStream;
namespace {

using storage::StreamSchema;
using storage::StreamShard;
using storage::StreamStatus;

constexpr std::array<std::string_view, 1> kFilterTypeValues{"CHILD_SHARDS"};
constexpr Shape kFilterTypeShape = enum_shape(kFilterTypeValues);
constexpr std::array<MemberShape, 2> kFilterMembers{{
    {"Type", &kFilterTypeShape},
    {"ShardId", &kShardIdShape},
}};
constexpr Shape kFilterShape = structure_shape("ShardFilter", kFilterMembers);
constexpr MemberShape kDescribeStreamMembers[] = {
    kStreamArn,
    kStreamPageLimit,
    {"ExclusiveStartShardId", &kShardIdShape},
    {"ShardFilter", &kFilterShape},
};
constexpr Shape kDescribeStreamInput = older_request(kDescribeStreamMembers);

std::string_view stream_status_name(StreamStatus status) {
  switch (status) {
    case StreamStatus::kEnabling:
      return "ENABLING";
    case StreamStatus::kEnabled:
      return "ENABLED";
    case StreamStatus::kDisabling:
      return "DISABLING";
    case StreamStatus::kDisabled:
      break;
  }
  return "DISABLED";
}

// The id of the parent shard whose children are listed; empty: all shards are listed.
std::string_view filtered_parent(const Parameters& parameters) {
  const json::Value filter = parameters.value("ShardFilter");
  if (!filter) return {};
  const Parameters members(filter);
  if (!members.has("Type") || !members.has("ShardId")) {
    fail_validation(messages::kIncompleteShardFilter);
  }
  return members.string_or_empty("ShardId");
}

struct ListedShard {
  std::string id;
  const StreamShard* shard;
};

// In ascending order of ids, so parents come before their children.
std::vector<ListedShard> list_shards(const StreamSchema& stream, const Parameters& parameters) {
  const std::string_view start = parameters.string_or_empty("ExclusiveStartShardId");
  const std::string_view parent = filtered_parent(parameters);
  std::vector<ListedShard> listed;
  for (const StreamShard& shard : stream.shards) {
    if (!parent.empty() && parent_shard_id(stream, shard) != parent) continue;
    std::string id = shard_id(stream, shard);
    if (id > start) listed.push_back({std::move(id), &shard});
  }
  std::ranges::sort(listed, {}, &ListedShard::id);
  return listed;
}

void write_shard(json::Writer& writer, const StreamSchema& stream, const ListedShard& listed) {
  const StreamShard& shard = *listed.shard;
  writer.begin_object();
  if (shard.parent != 0) writer.text("ParentShardId", parent_shard_id(stream, shard));
  writer.key("SequenceNumberRange");
  writer.begin_object();
  if (shard.closed != 0) {
    writer.text("EndingSequenceNumber", sequence_text(shard.last_sequence));
  }
  writer.text("StartingSequenceNumber", sequence_text(shard.first_sequence));
  writer.end_object();
  writer.text("ShardId", listed.id);
  writer.end_object();
}

void describe_stream(Request& request) {
  const Parameters parameters(request.input);
  const auto log = find_stream(request.database, parameters.string_or_empty("StreamArn"));
  const auto limit = static_cast<std::size_t>(parameters.integer("Limit").value_or(kMaxStreamPage));
  const StreamSchema stream = log->schema();
  std::vector<ListedShard> shards = list_shards(stream, parameters);
  const bool more = shards.size() > limit;
  if (more) shards.resize(limit);
  json::Writer writer(request.output);
  writer.begin_object();
  writer.key("StreamDescription");
  writer.begin_object();
  writer.key("CreationRequestDateTime");
  writer.time(static_cast<double>(stream.created) / 1000);
  write_key_schema(writer, stream.key);
  if (more) writer.text("LastEvaluatedShardId", shards.back().id);
  writer.key("Shards");
  writer.begin_array();
  for (const ListedShard& shard : shards) write_shard(writer, stream, shard);
  writer.end_array();
  writer.text("StreamArn", stream.arn());
  writer.text("StreamLabel", stream.label);
  writer.text("StreamStatus", stream_status_name(request.database.stream_status(*log)));
  writer.text("StreamViewType", stream.view_type);
  writer.text("TableName", stream.table_name);
  writer.end_object();
  writer.end_object();
}

}  // namespace

constinit const Operation kDescribeStream{.name = "DescribeStream",
                                          .input = kDescribeStreamInput,
                                          .handle = &describe_stream,
                                          .resource = "StreamArn",
                                          .service = WireService::kStreams};

}  // namespace magneto::api
