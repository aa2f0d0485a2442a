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

// Kinesis streaming destinations of tables: what may be changed when, and how they are described.
namespace magneto::api {

// The dead ones beyond it are forgotten, the oldest first. AWS keeps any number.
inline constexpr std::size_t kMostDestinations = 100;

extern const Shape kKinesisStreamArnShape;
// Of both configurations: {"ApproximateCreationDateTimePrecision": "MICROSECOND"}.
extern const Shape kPrecisionConfigurationShape;
// What such a structure says; kNotGiven where it is absent.
storage::TimePrecision read_precision(json::Value configuration);
std::string_view text_of(storage::TimePrecision precision);  // of kNotGiven: MILLISECOND
// {} or {"ApproximateCreationDateTimePrecision": "MICROSECOND"}
void write_precision_configuration(json::Writer& writer, storage::TimePrecision precision);

// How a destination stands now.
struct DestinationStanding {
  storage::DestinationStatus status;
  std::string_view description;  // empty: none
};
// `is_sent`: whoever sends the table's changes says when it is ACTIVE; else the time does.
DestinationStanding standing_of(const storage::KinesisDestination& destination,
                                const storage::Database& database, bool is_sent);
bool is_live(storage::DestinationStatus status);  // neither DISABLED nor ENABLE_FAILED
std::string_view text_of(storage::DestinationStatus status);

// Whether the changes of the caller's tables are sent.
bool is_sent(const Request& request);

// An element of KinesisDataStreamDestinations.
void write_destination(json::Writer& writer, const storage::KinesisDestination& destination,
                       const DestinationStanding& standing);

// Why a stream can be no destination of the table, as AWS finds out later; empty: it may be one.
std::string_view destination_failure(std::string_view stream_arn,
                                     const storage::TableSchema& table);

// The one of that stream; nullptr: there is none.
storage::KinesisDestination* find_destination(storage::KinesisDestinations& all,
                                              std::string_view stream_arn);

// Applies `change` to a copy of the destinations of a table, under the catalog's lock, and tells who
// sends. `change` may throw, and must for a table that is being deleted. Throws
// ResourceNotFoundException for one that is not there or still being created. Returns the table's
// last version.
storage::TablePtr change_destinations(
    Request& request, std::string_view table,
    absl::FunctionRef<void(const storage::TableSchema& schema,
                           storage::KinesisDestinations& destinations)>
        change);

// "TableName", "StreamArn" and "DestinationStatus" of an answer.
void write_destination_change(json::Writer& writer, std::string_view table,
                              std::string_view stream_arn, storage::DestinationStatus status);

}  // namespace magneto::api
