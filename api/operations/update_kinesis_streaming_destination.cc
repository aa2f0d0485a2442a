#include "api/deliveries/destinations.h"
#include "api/error.h"
#include "api/json/json_writer.h"
#include "api/messages/delivery_messages.h"
#include "api/operation.h"
#include "api/request/parameters.h"
#include "api/validation/parameter_shapes.h"
#include "storage/database.h"

// AWS API reference, UpdateKinesisStreamingDestination; states and errors as observed on AWS,
// October 2026.
namespace magneto::api {

extern const Operation kUpdateKinesisStreamingDestination;
namespace {

using storage::DestinationStatus;
using storage::KinesisDestination;
using storage::KinesisDestinations;
using storage::TableSchema;
using storage::TimePrecision;

constexpr std::string_view kUpdateKinesisStreamingDestinationConfiguration =
    "UpdateKinesisStreamingConfiguration";
constexpr MemberShape kUpdateKinesisStreamingDestinationMembers[] = {
    kControlTableName,
    {"StreamArn", &kKinesisStreamArnShape, Required::kYes},
    {kUpdateKinesisStreamingDestinationConfiguration, &kPrecisionConfigurationShape},
};
constexpr Shape kUpdateKinesisStreamingDestinationInput =
    older_request(kUpdateKinesisStreamingDestinationMembers);

void update_kinesis_streaming_destination(Request& request) {
  const Parameters parameters(request.input);
  const std::string_view stream_arn = parameters.string_or_empty("StreamArn");
  const TimePrecision precision =
      read_precision(parameters.value(kUpdateKinesisStreamingDestinationConfiguration));
  if (precision == TimePrecision::kNotGiven) fail_validation(messages::kNoDestinationUpdate);
  const bool sent = is_sent(request);
  const storage::TablePtr changed = change_destinations(
      request, parameters.string_or_empty("TableName"),
      [&](const TableSchema& schema, KinesisDestinations& all) {
        KinesisDestination* const found = find_destination(all, stream_arn);
        if (found == nullptr) {
          fail_validation(messages::no_such_destination(stream_arn, schema.name));
        }
        const bool is_going = schema.status == storage::ResourceStatus::kDeleting;
        const DestinationStatus status = standing_of(*found, request.database, sent).status;
        if (is_going || status != DestinationStatus::kActive) {
          fail_validation(messages::destination_not_updatable(schema.name, stream_arn));
        }
        if (text_of(found->precision) == text_of(precision)) {
          fail_validation(messages::same_precision(text_of(precision), schema.id, stream_arn));
        }
        found->status = DestinationStatus::kUpdating;
        found->precision = precision;
        found->changed = request.database.clock().epoch_seconds();
      });
  json::Writer writer(request.output);
  writer.begin_object();
  write_destination_change(writer, changed->schema.name, stream_arn, DestinationStatus::kUpdating);
  writer.key(kUpdateKinesisStreamingDestinationConfiguration);
  write_precision_configuration(writer, precision);
  writer.end_object();
}

}  // namespace

constinit const Operation kUpdateKinesisStreamingDestination{
    .name = "UpdateKinesisStreamingDestination",
    .input = kUpdateKinesisStreamingDestinationInput,
    .handle = &update_kinesis_streaming_destination,
    .writes = true};

}  // namespace magneto::api
