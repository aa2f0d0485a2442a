#pragma once

#include <cstddef>
#include <string>
#include <string_view>

// Replicas of tables in other regions, and global tables.
namespace magneto::api::messages {

inline constexpr std::string_view kNoOtherRegions =
    "One or more parameter values were invalid: Replicas need regions of their own: start the server with --isolate region";
inline constexpr std::string_view kNoReplicaUpdates =
    "One or more parameter values were invalid: ReplicaUpdates must not be empty";
inline constexpr std::string_view kOneReplicaAction =
    "One or more parameter values were invalid: Each of ReplicaUpdates must have one of Create, Update and Delete";
inline constexpr std::string_view kStrongConsistency =
    "One or more parameter values were invalid: MultiRegionConsistency STRONG is not supported by Magneto, whose replicas follow";
inline constexpr std::string_view kConsistencyAlone =
    "One or more parameter values were invalid: MultiRegionConsistency is only valid beside a Create in ReplicaUpdates";
inline constexpr std::string_view kReplicaStream =
    "One or more parameter values were invalid: Table needs a stream of NEW_AND_OLD_IMAGES to have replicas";
inline constexpr std::string_view kStreamOfReplicas =
    "One or more parameter values were invalid: The stream of a table with replicas can not be disabled";
inline constexpr std::string_view kOwnRegion =
    "One or more parameter values were invalid: The replica of the region that is asked goes by DeleteTable";
inline constexpr std::string_view kLegacyTable =
    "One or more parameter values were invalid: Replicas of a global table of version 2017.11.29 are changed by UpdateGlobalTable";
inline constexpr std::string_view kSettingsBehind =
    "Attempt to change a resource which is still in use: A change that was made in another region has not come to this replica";
// ReplicaStatusDescription.
inline constexpr std::string_view kReplicaNotMade =
    "There was no room for the replica, or its disk failed: remove it before it is created again";
std::string not_a_region(std::string_view region);
std::string repeated_region(std::string_view region);
// AWS's words, as its users report them.
std::string replica_exists_as_table(std::string_view table);
std::string replica_unknown(std::string_view region, std::string_view table);
std::string too_many_replicas(std::size_t limit);
std::string replica_protected(std::string_view region);

inline constexpr std::string_view kOwnRegionOfGlobalTable =
    "One or more parameter values were invalid: The replica of the region that is asked is removed from another region";
std::string own_region_missing(std::string_view region);
std::string tables_differ(std::string_view region, std::string_view other);
std::string table_not_empty(std::string_view region);
std::string global_table_not_found(std::string_view name);
std::string global_table_exists(std::string_view name);
std::string replica_already_exists(std::string_view region, std::string_view name);
std::string replica_not_found(std::string_view region, std::string_view name);

}  // namespace magneto::api::messages
