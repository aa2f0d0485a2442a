#include "api/deliveries/destinations.h"

#include <absl/strings/ascii.h>

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <vector>

#include "api/deliveries/deliveries.h"
#include "api/error.h"
#include "api/messages/delivery_messages.h"
#include "api/request/parameters.h"
#include "api/request/table_lookup.h"

namespace magneto::api {

using storage::DestinationStatus;
using storage::KinesisDestination;
using storage::KinesisDestinations;
using storage::TableSchema;
using storage::TimePrecision;

namespace {

constexpr std::string_view kPrecision = "ApproximateCreationDateTimePrecision";
constexpr std::string_view kMilliseconds = "MILLISECOND";
constexpr std::string_view kMicroseconds = "MICROSECOND";
constexpr std::string_view kPrecisions[] = {kMilliseconds, kMicroseconds};
constexpr Shape kPrecisionShape = enum_shape(kPrecisions);
constexpr MemberShape kConfigurationMembers[] = {{kPrecision, &kPrecisionShape}};

// Expects arn:<partition>:kinesis:<region>:<account>:stream/<name>.
std::optional<std::string_view> region_of_stream(std::string_view arn) {
  constexpr std::string_view kStream = "stream/";
  std::array<std::string_view, 5> parts;
  for (std::string_view& part : parts) {
    const std::size_t colon = arn.find(':');
    if (colon == std::string_view::npos) return std::nullopt;
    part = arn.substr(0, colon);
    arn.remove_prefix(colon + 1);
  }
  const bool is_stream = parts[0] == "arn" && parts[2] == "kinesis" && arn.starts_with(kStream);
  if (!is_stream || parts[3].empty()) return std::nullopt;
  const std::string_view name = arn.substr(kStream.size());
  const bool is_name = !name.empty() && name.size() <= 128 && std::ranges::all_of(name, [](char c) {
    return absl::ascii_isalnum(c) || c == '_' || c == '.' || c == '-';
  });
  if (!is_name) return std::nullopt;
  return parts[3];
}

}  // namespace

constinit const Shape kKinesisStreamArnShape = with_range(kStringShape, 37, 1'024);
constinit const Shape kPrecisionConfigurationShape =
    structure_shape("KinesisStreamingConfiguration", kConfigurationMembers);

TimePrecision read_precision(json::Value configuration) {
  const std::string_view text = Parameters(configuration).string_or_empty(kPrecision);
  if (text.empty()) return TimePrecision::kNotGiven;
  return text == kMicroseconds ? TimePrecision::kMicrosecond : TimePrecision::kMillisecond;
}

std::string_view text_of(TimePrecision precision) {
  return precision == TimePrecision::kMicrosecond ? kMicroseconds : kMilliseconds;
}

void write_precision_configuration(json::Writer& writer, TimePrecision precision) {
  writer.begin_object();
  if (precision != TimePrecision::kNotGiven) writer.text(kPrecision, text_of(precision));
  writer.end_object();
}

DestinationStanding standing_of(const KinesisDestination& destination,
                                const storage::Database& database, bool is_sent) {
  const bool is_passing = database.is_within_delay(destination.changed);
  switch (destination.status) {
    case DestinationStatus::kEnabling:
      if (is_passing) return {DestinationStatus::kEnabling, {}};
      if (!destination.status_description.empty()) {
        return {DestinationStatus::kEnableFailed, destination.status_description};
      }
      return {is_sent ? DestinationStatus::kEnabling : DestinationStatus::kActive, {}};
    case DestinationStatus::kDisabling:
      return {is_passing ? DestinationStatus::kDisabling : DestinationStatus::kDisabled, {}};
    case DestinationStatus::kUpdating:
      return {is_passing ? DestinationStatus::kUpdating : DestinationStatus::kActive, {}};
    case DestinationStatus::kActive:
    case DestinationStatus::kDisabled:
    case DestinationStatus::kEnableFailed:
      break;
  }
  return {destination.status, destination.status_description};
}

bool is_live(DestinationStatus status) {
  return status != DestinationStatus::kDisabled && status != DestinationStatus::kEnableFailed;
}

std::string_view text_of(DestinationStatus status) {
  switch (status) {
    case DestinationStatus::kEnabling:
      return "ENABLING";
    case DestinationStatus::kActive:
      return "ACTIVE";
    case DestinationStatus::kDisabling:
      return "DISABLING";
    case DestinationStatus::kDisabled:
      return "DISABLED";
    case DestinationStatus::kEnableFailed:
      return "ENABLE_FAILED";
    case DestinationStatus::kUpdating:
      break;
  }
  return "UPDATING";
}

bool is_sent(const Request& request) {
  return request.deliveries != nullptr && request.deliveries->can_send();
}

void write_destination(json::Writer& writer, const KinesisDestination& destination,
                       const DestinationStanding& standing) {
  writer.begin_object();
  writer.text("StreamArn", destination.stream_arn);
  writer.text("DestinationStatus", text_of(standing.status));
  if (!standing.description.empty()) {
    writer.text("DestinationStatusDescription", standing.description);
  }
  if (destination.precision != TimePrecision::kNotGiven && is_live(standing.status)) {
    writer.text(kPrecision, text_of(destination.precision));
  }
  writer.end_object();
}

std::string_view destination_failure(std::string_view stream_arn, const TableSchema& table) {
  const auto region = region_of_stream(stream_arn);
  if (!region) {
    const bool is_firehose = stream_arn.find(":firehose:") != std::string_view::npos;
    return is_firehose ? messages::kStreamNotActive : messages::kNoUsableStream;
  }
  const bool is_elsewhere = *region != table.region && table.region != kLocalRegion;
  return is_elsewhere ? messages::kStreamOfOtherRegion : std::string_view();
}

KinesisDestination* find_destination(KinesisDestinations& all, std::string_view stream_arn) {
  const auto found =
      std::ranges::find(all.destinations, stream_arn, &KinesisDestination::stream_arn);
  return found == all.destinations.end() ? nullptr : &*found;
}

storage::TablePtr change_destinations(
    Request& request, std::string_view name,
    absl::FunctionRef<void(const TableSchema& schema, KinesisDestinations& destinations)> change) {
  const storage::TablePtr table = existing_table(request, name);
  storage::TablePtr changed = update_pinned(request, *table, [&](TableSchema& schema) {
    if (schema.status == storage::ResourceStatus::kCreating) fail_table_not_found(schema.name);
    auto destinations = schema.kinesis == nullptr
                            ? std::make_shared<KinesisDestinations>()
                            : std::make_shared<KinesisDestinations>(*schema.kinesis);
    change(schema, *destinations);
    schema.kinesis = std::move(destinations);
  });
  if (!changed) fail_table_not_found(table->schema.name);
  if (request.deliveries != nullptr) request.deliveries->record_change();
  return changed;
}

void write_destination_change(json::Writer& writer, std::string_view table,
                              std::string_view stream_arn, DestinationStatus status) {
  writer.text("TableName", table);
  writer.text("StreamArn", stream_arn);
  writer.text("DestinationStatus", text_of(status));
}

}  // namespace magneto::api
