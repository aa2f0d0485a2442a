#include "api/deliveries/destinations.h"
#include "api/error.h"
#include "api/json/json_writer.h"
#include "api/messages/delivery_messages.h"
#include "api/operation.h"
#include "api/request/parameters.h"
#include "api/validation/parameter_shapes.h"
#include "storage/database.h"

// AWS API reference, DisableKinesisStreamingDestination. States and errors are as observed on AWS,
// October 2026. Changes made before are still sent.
namespace magneto::api {

extern const Operation kDisableKinesisStreamingDestination;
namespace {

using storage::DestinationStatus;
using storage::KinesisDestination;
using storage::KinesisDestinations;
using storage::TableSchema;

constexpr std::string_view kConfiguration = "EnableKinesisStreamingConfiguration";
constexpr MemberShape kDisableKinesisStreamingDestinationMembers[] = {
    kControlTableName,
    {"StreamArn", &kStringShape, Required::kYes},  // an invalid ARN names no enabled destination
    {kConfiguration, &kPrecisionConfigurationShape},
};
constexpr Shape kDisableKinesisStreamingDestinationInput =
    older_request(kDisableKinesisStreamingDestinationMembers);

void disable_kinesis_streaming_destination(Request& request) {
  const Parameters parameters(request.input);
  const std::string_view stream_arn = parameters.string_or_empty("StreamArn");
  if (read_precision(parameters.value(kConfiguration)) != storage::TimePrecision::kNotGiven) {
    fail_validation(messages::kDisableWithConfiguration);
  }
  const bool sent = is_sent(request);
  const storage::TablePtr changed = change_destinations(
      request, parameters.string_or_empty("TableName"),
      [&](const TableSchema& schema, KinesisDestinations& all) {
        if (schema.status == storage::ResourceStatus::kDeleting) {
          fail_validation(messages::kDestinationNotActive);
        }
        KinesisDestination* const found = find_destination(all, stream_arn);
        const auto status = found == nullptr ? DestinationStatus::kDisabled
                                             : standing_of(*found, request.database, sent).status;
        if (status == DestinationStatus::kDisabling) return;
        if (status != DestinationStatus::kActive) fail_validation(messages::kDestinationNotActive);
        found->status = DestinationStatus::kDisabling;
        found->status_description.clear();
        found->precision = storage::TimePrecision::kNotGiven;
        found->changed = request.database.clock().epoch_seconds();
        all.captures = false;
      });
  json::Writer writer(request.output);
  writer.begin_object();
  write_destination_change(writer, changed->schema.name, stream_arn, DestinationStatus::kDisabling);
  writer.end_object();
}

}  // namespace

constinit const Operation kDisableKinesisStreamingDestination{
    .name = "DisableKinesisStreamingDestination",
    .input = kDisableKinesisStreamingDestinationInput,
    .handle = &disable_kinesis_streaming_destination,
    .writes = true};

}  // namespace magneto::api
