#include <string>

#include "api/deliveries/destinations.h"
#include "api/error.h"
#include "api/json/json_writer.h"
#include "api/messages/delivery_messages.h"
#include "api/operation.h"
#include "api/request/parameters.h"
#include "api/validation/parameter_shapes.h"
#include "storage/database.h"

// AWS API reference, EnableKinesisStreamingDestination. States and errors are as observed on AWS,
// October 2026. The stream is checked later; if it cannot be used, the status becomes
// ENABLE_FAILED.
namespace magneto::api {

extern const Operation kEnableKinesisStreamingDestination;
namespace {

using storage::DestinationStatus;
using storage::KinesisDestination;
using storage::KinesisDestinations;
using storage::TableSchema;

constexpr MemberShape kEnableKinesisStreamingDestinationMembers[] = {
    kControlTableName,
    {"StreamArn", &kKinesisStreamArnShape, Required::kYes},
    {"EnableKinesisStreamingConfiguration", &kPrecisionConfigurationShape},
};
constexpr Shape kEnableKinesisStreamingDestinationInput =
    older_request(kEnableKinesisStreamingDestinationMembers);

// The existing entry, or a new one. Drops the last entry to make room if necessary.
KinesisDestination& entry_for(KinesisDestinations& all, std::string_view stream_arn) {
  if (KinesisDestination* const found = find_destination(all, stream_arn)) return *found;
  if (all.destinations.size() >= kMostDestinations) all.destinations.pop_back();
  all.destinations.insert(all.destinations.begin(), KinesisDestination{});
  all.destinations.front().stream_arn = stream_arn;
  return all.destinations.front();
}

void enable_kinesis_streaming_destination(Request& request) {
  const Parameters parameters(request.input);
  const std::string_view stream_arn = parameters.string_or_empty("StreamArn");
  const storage::TimePrecision precision =
      read_precision(parameters.value("EnableKinesisStreamingConfiguration"));
  const bool sent = is_sent(request);
  const storage::TablePtr changed = change_destinations(
      request, parameters.string_or_empty("TableName"),
      [&](const TableSchema& schema, KinesisDestinations& all) {
        if (schema.status == storage::ResourceStatus::kDeleting) {
          fail_validation(messages::kDestinationNotDisabled);
        }
        for (const KinesisDestination& other : all.destinations) {
          if (is_live(standing_of(other, request.database, sent).status)) {
            fail_validation(messages::kDestinationNotDisabled);
          }
        }
        KinesisDestination& destination = entry_for(all, stream_arn);
        destination.status = DestinationStatus::kEnabling;
        destination.status_description = destination_failure(stream_arn, schema);
        destination.precision = precision;
        destination.changed = request.database.clock().epoch_seconds();
        all.captures = sent && destination.status_description.empty();
      });
  json::Writer writer(request.output);
  writer.begin_object();
  write_destination_change(writer, changed->schema.name, stream_arn, DestinationStatus::kEnabling);
  writer.key("EnableKinesisStreamingConfiguration");
  write_precision_configuration(writer, precision);
  writer.end_object();
}

}  // namespace

constinit const Operation kEnableKinesisStreamingDestination{
    .name = "EnableKinesisStreamingDestination",
    .input = kEnableKinesisStreamingDestinationInput,
    .handle = &enable_kinesis_streaming_destination,
    .writes = true};

}  // namespace magneto::api
