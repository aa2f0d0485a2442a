#include "api/json/json_writer.h"
#include "api/operation.h"
#include "api/request/parameters.h"
#include "api/streams/stream_shapes.h"
#include "api/streams/stream_target.h"

// AWS API reference, ListStreams.
namespace magneto::api {

extern const Operation kListStreams;
namespace {

constexpr MemberShape kListStreamsMembers[] = {
    {"TableName", &kResourceNameShape},
    kStreamPageLimit,
    {"ExclusiveStartStreamArn", &kStreamArnShape},
};
constexpr Shape kListStreamsInput = older_request(kListStreamsMembers);

void list_streams(Request& request) {
  const Parameters parameters(request.input);
  const std::string_view start = parameters.string_or_empty("ExclusiveStartStreamArn");
  if (!start.empty()) check_stream_arn(start);
  const auto limit = static_cast<std::size_t>(parameters.integer("Limit").value_or(kMaxStreamPage));
  // One more stream than fits shows whether there is another page.
  auto streams =
      request.database.list_streams(parameters.string_or_empty("TableName"), start, limit + 1);
  const bool more = streams.size() > limit;
  if (more) streams.resize(limit);
  json::Writer writer(request.output);
  writer.begin_object();
  writer.key("Streams");
  writer.begin_array();
  for (const auto& stream : streams) {
    writer.begin_object();
    writer.text("StreamArn", stream->arn());
    writer.text("StreamLabel", stream->description().label);
    writer.text("TableName", stream->description().table_name);
    writer.end_object();
  }
  writer.end_array();
  if (more) writer.text("LastEvaluatedStreamArn", streams.back()->arn());
  writer.end_object();
}

}  // namespace

constinit const Operation kListStreams{.name = "ListStreams",
                                       .input = kListStreamsInput,
                                       .handle = &list_streams,
                                       .lists = true,
                                       .service = WireService::kStreams};

}  // namespace magneto::api
