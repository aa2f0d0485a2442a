#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace magneto::storage {

// AWS API reference: ReplicaStatus.
enum class ReplicaStatus : std::uint8_t { kCreating, kUpdating, kDeleting, kActive };

// AWS API reference: ReplicaDescription.
struct Replica {
  std::string region;
  ReplicaStatus status = ReplicaStatus::kCreating;
  friend bool operator==(const Replica&, const Replica&) = default;
};

// What one replica of a global table knows of the whole.
struct GlobalTable {
  std::string version;            // GlobalTableVersion
  std::vector<Replica> replicas;  // the others, in the order in which they were added
  friend bool operator==(const GlobalTable&, const GlobalTable&) = default;
};

}  // namespace magneto::storage
