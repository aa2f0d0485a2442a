#pragma once

#include <string>
#include <string_view>

// Kinesis streaming destinations, in AWS's words of October 2026.
namespace magneto::api::messages {

inline constexpr std::string_view kDestinationNotDisabled =
    "Table is not in a valid state to enable Kinesis Streaming Destination: EnableKinesisStreamingDestination must be DISABLED or ENABLE_FAILED to perform ENABLE operation.";
// AWS says "enable" here too.
inline constexpr std::string_view kDestinationNotActive =
    "Table is not in a valid state to enable Kinesis Streaming Destination: KinesisStreamingDestination must be ACTIVE to perform DISABLE operation.";
inline constexpr std::string_view kDisableWithConfiguration =
    "Stream cannot be disabled using EnableKinesisStreamingConfiguration parameters";
inline constexpr std::string_view kNoDestinationUpdate =
    "Streaming destination cannot be updated with given parameters: UpdateKinesisStreamingConfiguration cannot be null or contain only null values";
std::string no_such_destination(std::string_view stream_arn, std::string_view table);
std::string destination_not_updatable(std::string_view table, std::string_view stream_arn);
std::string same_precision(std::string_view precision, std::string_view table_id,
                           std::string_view stream_arn);

// DestinationStatusDescription for the status ENABLE_FAILED.
inline constexpr std::string_view kNoUsableStream =
    "User does not have a permission to use kinesis stream";
inline constexpr std::string_view kStreamNotActive =
    "The kinesis Arn used to enable kinesis replication belongs to a stream which is not in Active state";
inline constexpr std::string_view kStreamOfOtherRegion =
    "The kinesis Arn used to enable kinesis replication belongs to a stream which is not in the current region";

}  // namespace magneto::api::messages
