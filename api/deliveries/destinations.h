#pragma once

#include <cstddef>
#include <string_view>

#include "absl/functional/function_ref.h"
#include "api/json/json_reader.h"
#include "api/json/json_writer.h"
#include "api/operation.h"
#include "api/validation/shape.h"
#include "storage/model/kinesis_destinations.h"
#include "storage/table/table.h"

// Kinesis streaming destinations of tables: the allowed changes, and the description.
namespace magneto::api {

// The maximum number of destinations that a table keeps. Beyond it, the oldest dead destinations
// are dropped. AWS keeps any number.
inline constexpr std::size_t kMostDestinations = 100;

extern const Shape kKinesisStreamArnShape;
// For both configurations: {"ApproximateCreationDateTimePrecision": "MICROSECOND"}.
extern const Shape kPrecisionConfigurationShape;
// The precision in such a structure; kNotGiven if it is absent.
storage::TimePrecision read_precision(json::Value configuration);
std::string_view text_of(storage::TimePrecision precision);  // kNotGiven yields MILLISECOND
// {} or {"ApproximateCreationDateTimePrecision": "MICROSECOND"}
void write_precision_configuration(json::Writer& writer, storage::TimePrecision precision);

// The current state of a destination.
struct DestinationStanding {
  storage::DestinationStatus status;
  std::string_view description;  // empty: none
};
// `is_sent`: the sender of the table's changes decides when the destination is ACTIVE. Otherwise
// the time decides.
DestinationStanding standing_of(const storage::KinesisDestination& destination,
                                const storage::Database& database, bool is_sent);
bool is_live(storage::DestinationStatus status);  // neither DISABLED nor ENABLE_FAILED
std::string_view text_of(storage::DestinationStatus status);

// Whether changes of the caller's tables are sent.
bool is_sent(const Request& request);

// An element of KinesisDataStreamDestinations.
void write_destination(json::Writer& writer, const storage::KinesisDestination& destination,
                       const DestinationStanding& standing);

// Why the stream cannot be a destination of the table, as AWS finds out later; empty if it can.
std::string_view destination_failure(std::string_view stream_arn,
                                     const storage::TableSchema& table);

// The destination of that stream; nullptr if there is none.
storage::KinesisDestination* find_destination(storage::KinesisDestinations& all,
                                              std::string_view stream_arn);

// Applies `change` to a copy of the destinations of a table, under the catalog's lock, and notifies
// the sender. `change` may throw, and must do so for a table that is being deleted. Throws
// ResourceNotFoundException if the table does not exist or is still being created. Returns the
// table's new version.
storage::TablePtr change_destinations(
    Request& request, std::string_view table,
    absl::FunctionRef<void(const storage::TableSchema& schema,
                           storage::KinesisDestinations& destinations)>
        change);

// "TableName", "StreamArn" and "DestinationStatus" of an answer.
void write_destination_change(json::Writer& writer, std::string_view table,
                              std::string_view stream_arn, storage::DestinationStatus status);

}  // namespace magneto::api
