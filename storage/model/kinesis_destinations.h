#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace magneto::storage {

// AWS API reference: DestinationStatus.
enum class DestinationStatus : std::uint8_t {
  kEnabling,
  kActive,
  kDisabling,
  kDisabled,
  kEnableFailed,
  kUpdating
};

// AWS API reference: KinesisDataStreamDestination.
struct KinesisDestination {
  std::string stream_arn;
  DestinationStatus status = DestinationStatus::kEnabling;
  std::string status_description;
  bool in_microseconds = false;  // ApproximateCreationDateTimePrecision
  friend bool operator==(const KinesisDestination&, const KinesisDestination&) = default;
};

// Those of a table.
struct KinesisDestinations {
  std::vector<KinesisDestination> destinations;
  friend bool operator==(const KinesisDestinations&, const KinesisDestinations&) = default;
};

}  // namespace magneto::storage
