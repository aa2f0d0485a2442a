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

// The limit for one global table, with its first replica. AWS has about as many regions.
inline constexpr std::size_t kMaxReplicas = 30;

// AWS API reference: ReplicaStatus.
enum class ReplicaStatus : std::uint8_t {
  kCreating,
  kUpdating,
  kDeleting,
  kActive,
  kCreationFailed  // it has no table, and nothing is stored for it
};

// AWS API reference: ReplicaGlobalSecondaryIndex.
struct ReplicaIndex {
  std::string name;
  std::optional<std::int64_t> read_units;
  std::optional<std::int64_t> max_read_units;  // on demand
  friend bool operator==(const ReplicaIndex&, const ReplicaIndex&) = default;
};

// The settings of a replica that differ from the common ones.
struct ReplicaSettings {
  std::string kms_key_arn;  // empty: the region's key of AWS
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
  std::uint32_t database = 0;      // of its table, which has the same name
  std::uint16_t queue_number = 0;  // of the changes to send to it, from the numbers of indexes
  ReplicaStatus status = ReplicaStatus::kCreating;
  ReplicaSettings settings;
  friend bool operator==(const Replica&, const Replica&) = default;
};

// AWS API reference: GlobalTableWitnessDescription. A witness has no table.
struct Witness {
  std::string region;
  ReplicaStatus status = ReplicaStatus::kCreating;  // kCreating, kActive or kDeleting
  friend bool operator==(const Witness&, const Witness&) = default;
};

// The description of a global table in the table of one region.
struct GlobalTable {
  std::string version;            // GlobalTableVersion
  std::vector<Replica> replicas;  // the others, in the order in which they were added
  // From the numbers of indexes: the tree with the time and region of each item's last write, and
  // that of deleted items.
  std::uint16_t stamps_number = 0;
  std::uint16_t deleted_number = 0;
  // Increases with each change of settings that all replicas share: the greatest is the newest.
  std::uint64_t settings_version = 0;
  bool is_filling = false;  // a new replica, CREATING until it has the others' items
  double created = 0;       // seconds since the epoch
  // The own settings of this table, which each of the others also stores.
  ReplicaSettings own;
  std::vector<CapacityScaling> scaling;  // of this table only
  // MultiRegionConsistency STRONG: a write is made in the tables of all replicas at once, or in
  // none. Nothing is sent later, so there are no stamps and no queues.
  bool is_strong = false;
  std::optional<Witness> witness;  // of a strong table with one replica
  // The opposite of DisassociationProtectionEnabled, for this table only.
  bool may_leave = false;
  // The table becomes a separate table, with its items, once it and the others have each other's
  // writes.
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

// Adds a replica, unless it exists: with a queue, and with the first one the table gets its stamps.
// A strong table gets neither; set is_strong before.
void add_replica(TableSchema& schema, Replica replica);
// Removes a replica. A table without others is no longer a global table, except a legacy one. The
// witness is removed with the last replica.
void remove_replica(TableSchema& schema, std::string_view region);
// A copy to edit: all versions of a schema share one GlobalTable.
GlobalTable copy_of_global(const TableSchema& schema);
void set_global(TableSchema& schema, GlobalTable global);
void set_replica_status(TableSchema& schema, std::string_view region, ReplicaStatus status);
// Makes a witness ACTIVE once no replica is being created any more.
void settle_witness(GlobalTable& global);
// Records that a replica could not be made: nothing waits for it any more.
void fail_replica(TableSchema& schema, std::string_view region);
// Whether a table has, or will have, replicas that receive its changes.
bool has_replicas(const TableSchema& schema);
bool is_strong(const TableSchema& schema);

// Enabled, or soon to be.
bool expires(const TimeToLive& time_to_live);
bool is_same_expiry(const TimeToLive& a, const TimeToLive& b);
// Whether both have the same shared settings.
bool has_same_settings(const TableSchema& a, const TableSchema& b);
// Marks the result of an edit of `before` as newer than the settings of all other replicas. Does
// nothing unless the edit changed a shared setting or an own setting of the table. `time`: when it
// was made, in microseconds since the epoch. A setting given to a table that has its own value for
// it replaces that value.
void record_new_settings(const TableSchema& before, TableSchema& schema, std::int64_t time);

}  // namespace magneto::storage
