#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace magneto::storage {

// AWS API reference: DestinationStatus. At rest: as it was set; those that pass by themselves
// (kDisabling, kUpdating) stay, and are over when the control-plane delay since then is.
enum class DestinationStatus : std::uint8_t {
  kEnabling,
  kActive,
  kDisabling,
  kDisabled,
  kEnableFailed,
  kUpdating
};

// AWS API reference: ApproximateCreationDateTimePrecision. Not given it means milliseconds.
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

// Those of a table, the newest first. One at most is neither disabled nor has failed.
struct KinesisDestinations {
  std::vector<KinesisDestination> destinations;
  bool captures = false;  // the table's changes are kept in a stream for deliveries
  std::string log_label;  // of the newest of those, also when it is closed (StreamSchema)
  friend bool operator==(const KinesisDestinations&, const KinesisDestinations&) = default;
};

}  // namespace magneto::storage
