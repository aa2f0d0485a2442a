#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace magneto::storage {

// AWS API reference: DestinationStatus. Stored as it was set. The statuses that end by themselves
// (kDisabling, kUpdating) stay in the record, and are over when the control-plane delay since then
// has passed.
enum class DestinationStatus : std::uint8_t {
  kEnabling,
  kActive,
  kDisabling,
  kDisabled,
  kEnableFailed,
  kUpdating
};

// AWS API reference: ApproximateCreationDateTimePrecision. kNotGiven means milliseconds.
enum class TimePrecision : std::uint8_t { kNotGiven, kMillisecond, kMicrosecond };

// AWS API reference: KinesisDataStreamDestination.
struct KinesisDestination {
  std::string stream_arn;
  DestinationStatus status = DestinationStatus::kEnabling;
  std::string status_description;  // while kEnabling: why it will fail; empty: it may succeed
  TimePrecision precision = TimePrecision::kNotGiven;
  double changed = 0;  // the status; seconds since the epoch
  friend bool operator==(const KinesisDestination&, const KinesisDestination&) = default;
};

// The destinations of a table, newest first. At most one is neither disabled nor failed.
struct KinesisDestinations {
  std::vector<KinesisDestination> destinations;
  bool captures = false;  // the table's changes are kept in a stream for deliveries
  std::string log_label;  // of the newest delivery stream, also when it is closed (StreamSchema)
  friend bool operator==(const KinesisDestinations&, const KinesisDestinations&) = default;
};

}  // namespace magneto::storage
