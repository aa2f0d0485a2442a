#include "api/deliveries/destinations.h"
#include "api/json/json_writer.h"
#include "api/operation.h"
#include "api/request/parameters.h"
#include "api/request/table_lookup.h"
#include "api/validation/parameter_shapes.h"

// AWS API reference, DescribeKinesisStreamingDestination.
namespace magneto::api {

extern const Operation kDescribeKinesisStreamingDestination;
namespace {

constexpr MemberShape kDescribeKinesisStreamingDestinationMembers[] = {kControlTableName};
constexpr Shape kDescribeKinesisStreamingDestinationInput =
    older_request(kDescribeKinesisStreamingDestinationMembers);

void describe_kinesis_streaming_destination(Request& request) {
  const std::string_view name = Parameters(request.input).string_or_empty("TableName");
  const storage::TablePtr table = existing_table(request, name);
  const bool sent = is_sent(request);
  json::Writer writer(request.output);
  writer.begin_object();
  writer.text("TableName", table->schema.name);
  writer.key("KinesisDataStreamDestinations");
  writer.begin_array();
  if (table->schema.kinesis != nullptr) {
    for (const storage::KinesisDestination& destination : table->schema.kinesis->destinations) {
      write_destination(writer, destination, standing_of(destination, request.database, sent));
    }
  }
  writer.end_array();
  writer.end_object();
}

}  // namespace

constinit const Operation kDescribeKinesisStreamingDestination{
    .name = "DescribeKinesisStreamingDestination",
    .input = kDescribeKinesisStreamingDestinationInput,
    .handle = &describe_kinesis_streaming_destination};

}  // namespace magneto::api
