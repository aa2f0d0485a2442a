#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "storage/model/auto_scaling.h"

namespace magneto::storage {

// GlobalTableVersion (AWS developer guide, "Determining the global table version").
inline constexpr std::string_view kCurrentGlobalTables = "2019.11.21";
inline constexpr std::string_view kLegacyGlobalTables = "2017.11.29";

// Of one global table, its first one included. AWS has about as many regions.
inline constexpr std::size_t kMaxReplicas = 30;

// AWS API reference: ReplicaStatus.
enum class ReplicaStatus : std::uint8_t {
  kCreating,
  kUpdating,
  kDeleting,
  kActive,
  kCreationFailed  // there is no table of it, and nothing is kept for it
};

// AWS API reference: ReplicaGlobalSecondaryIndex.
struct ReplicaIndex {
  std::string name;
  std::optional<std::int64_t> read_units;
  std::optional<std::int64_t> max_read_units;  // on demand
  friend bool operator==(const ReplicaIndex&, const ReplicaIndex&) = default;
};

// What a replica has of its own, instead of what all have.
struct ReplicaSettings {
  std::string kms_key_arn;  // empty: AWS's own of its region
  std::optional<std::int64_t> read_units;
  std::optional<std::int64_t> max_read_units;  // on demand
  std::string table_class;                     // empty: the source's
  std::vector<ReplicaIndex> indexes;
  friend bool operator==(const ReplicaSettings&, const ReplicaSettings&) = default;

  const ReplicaIndex* find_index(std::string_view name) const {
    for (const ReplicaIndex& index : indexes) {
      if (index.name == name) return &index;
    }
    return nullptr;
  }
};

// AWS API reference: ReplicaDescription.
struct Replica {
  std::string region;
  std::uint32_t database = 0;      // where its table is, which has the same name
  std::uint16_t queue_number = 0;  // of what is to be sent to it, from the numbers of indexes
  ReplicaStatus status = ReplicaStatus::kCreating;
  ReplicaSettings settings;
  friend bool operator==(const Replica&, const Replica&) = default;
};

// AWS API reference: GlobalTableWitnessDescription. There is no table of it.
struct Witness {
  std::string region;
  ReplicaStatus status = ReplicaStatus::kCreating;  // that, kActive or kDeleting
  friend bool operator==(const Witness&, const Witness&) = default;
};

// What the table of one region knows of the whole.
struct GlobalTable {
  std::string version;            // GlobalTableVersion
  std::vector<Replica> replicas;  // the others, in the order in which they were added
  // From the numbers of indexes: when each item was last written and where, and which were deleted.
  std::uint16_t stamps_number = 0;
  std::uint16_t deleted_number = 0;
  // Grows with each change of what all replicas have alike: the greatest is the newest.
  std::uint64_t settings_version = 0;
  bool is_filling = false;  // a new one, CREATING until it has what the others have
  double created = 0;       // seconds since the epoch
  // What this table has of its own; each of the others knows it too.
  ReplicaSettings own;
  std::vector<CapacityScaling> scaling;  // of this table alone
  // MultiRegionConsistency STRONG: a write is made in the tables of all replicas at once, or in
  // none. Nothing is sent later, so there are no stamps and no queues.
  bool is_strong = false;
  std::optional<Witness> witness;  // of a strong one with one replica
  // DisassociationProtectionEnabled of this table alone, the other way round.
  bool may_leave = false;
  // It is to be a table of its own, with what it has, once the others and it have what was written in
  // each other.
  bool is_leaving = false;
  friend bool operator==(const GlobalTable&, const GlobalTable&) = default;

  const Replica* find(std::string_view region) const {
    for (const Replica& replica : replicas) {
      if (replica.region == region) return &replica;
    }
    return nullptr;
  }
  Replica* find(std::string_view region) {
    return const_cast<Replica*>(static_cast<const GlobalTable&>(*this).find(region));
  }
};

struct IndexSchema;
struct TableSchema;
struct TimeToLive;

// Enters a replica, unless it is there: with a queue, and the first one gives the table its stamps,
// but for a strong one (to set is_strong before).
void add_replica(TableSchema& schema, Replica replica);
// Takes it out. A table without others is none of a global table any more, but for a legacy one.
// The witness goes with the last one.
void remove_replica(TableSchema& schema, std::string_view region);
// To edit what a schema knows of its global table: all versions share what one has.
GlobalTable copy_of_global(const TableSchema& schema);
void set_global(TableSchema& schema, GlobalTable global);
void set_replica_status(TableSchema& schema, std::string_view region, ReplicaStatus status);
// A witness is there once no replica is to be made any more.
void settle_witness(GlobalTable& global);
// It could not be made: nothing waits for it any more.
void fail_replica(TableSchema& schema, std::string_view region);
// Whether a table has, or will have, others that are sent its changes.
bool has_replicas(const TableSchema& schema);
bool is_strong(const TableSchema& schema);

bool is_same_index(const IndexSchema& a, const IndexSchema& b);
// Enabled, or soon.
bool expires(const TimeToLive& time_to_live);
bool is_same_expiry(const TimeToLive& a, const TimeToLive& b);
// Whether both have alike what all replicas have alike.
bool has_same_settings(const TableSchema& a, const TableSchema& b);
// What an edit of `before` made at `time`, in microseconds since the epoch, is newer than what any
// other replica has, where it changed something that all have alike or what the table has of its own.
// What the table is given there takes the place of that of its own, where it has it.
void note_new_settings(const TableSchema& before, TableSchema& schema, std::int64_t time);

}  // namespace magneto::storage
