#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

// Replicas of tables in other regions, and global tables.
namespace magneto::api::messages {

inline constexpr std::string_view kNoOtherRegions =
    "One or more parameter values were invalid: Replicas need regions of their own: start the server with --isolate region";
// From UpdateTable, in AWS's words, as captured in October 2026.
inline constexpr std::string_view kNoReplicaAction =
    "There are no actions specified in the Replica Update Action of the request.";
inline constexpr std::string_view kReplicaActionTypes =
    "Update table operation with more than one type of replica actions not allowed.";
inline constexpr std::string_view kSeveralReplicas =
    "Update table operation with more than one create or delete replica actions not allowed";
inline constexpr std::string_view kReplicasBesideOther =
    "One or more parameter values were invalid: Requests that modify replicas or witnesses must not also modify other fields";
inline constexpr std::string_view kStreamOfReplicas =
    "One or more parameter values were invalid: Disabling Stream is not allowed for a Global Table replica.";
inline constexpr std::string_view kOwnRegion =
    "Cannot add or delete the local region through ReplicaUpdates. Use CreateTable, DeleteTable, or UpdateTable as required.";
inline constexpr std::string_view kReplicaKey =
    "One or more parameter values were invalid: KMSMasterKeyId must be specified for each replica.";
inline constexpr std::string_view kReplicaKeyKinds =
    "One or more parameter values were invalid: All replica keys must either be Customer Managed CMK or AWS Managed CMK.";
inline constexpr std::string_view kReplicaUnitsOnDemand =
    "Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when BillingMode is PAY_PER_REQUEST";
inline constexpr std::string_view kReplicaMaximumOfUnits =
    "MaxReadRequestUnits for OnDemandThroughput cannot be specified when the table BillingMode is PROVISIONED";
std::string replica_exists_as_table(std::string_view table);
// `regions`: regions that are not members, shown as "[eu-west-1, eu-west-2]".
std::string replicas_unknown(const std::vector<std::string_view>& regions);
std::string replica_protected(std::string_view table, std::string_view region);

// MultiRegionConsistency STRONG, in AWS's words, as captured in October 2026.
inline constexpr std::string_view kStrongReplicaCount =
    "Unsupported replica count for global tables with MultiRegionConsistency set to STRONG.";
inline constexpr std::string_view kWitnessWithoutStrong =
    "MultiRegionConsistency must be set as STRONG when GlobalTableWitnessUpdates parameter is present.";
inline constexpr std::string_view kRegionTwice =
    "Cannot target multiple regions with the same action";
inline constexpr std::string_view kWitnessInOwnRegion =
    "Cannot add a witness in the same region as an existing replica when creating a global table with MultiRegionConsistency set to STRONG.";
inline constexpr std::string_view kStrongTakesNoReplicas =
    "Cannot add replicas to a global table with strong MultiRegionConsistency";
inline constexpr std::string_view kConsistencyOfGlobalTable =
    "MultiRegionConsistency parameter is unsupported on existing global table";
inline constexpr std::string_view kOnlyCreatesBesideConsistency =
    "Only Replica Create actions are supported when MultiRegionConsistency parameter is provided.";
inline constexpr std::string_view kWitnessStays =
    "Update table delete operation does not include all witnesses.";
inline constexpr std::string_view kStrongReplicaAlone =
    "Deletion of only one table replica is not supported for global tables with MultiRegionConsistency set to STRONG.";
std::string strong_regions(const std::vector<std::string_view>& regions);
std::string witness_unknown(std::string_view region);

// Disassociation of a replica, in Magneto's own words.
inline constexpr std::string_view kDisassociationNotAlone =
    "One or more parameter values were invalid: Disassociate must be the only one of ReplicaUpdates";
inline constexpr std::string_view kDisassociatedElsewhere =
    "One or more parameter values were invalid: A replica is disassociated in its own region: RegionName must be the region that is asked";
inline constexpr std::string_view kNotDisassociable =
    "One or more parameter values were invalid: Table is no replica of a global table of version 2019.11.21 with eventual consistency";
inline constexpr std::string_view kDisassociationProtected =
    "Replica cannot be disassociated as it is currently protected against disassociation. Disable disassociation protection first.";

// More messages about replicas and STRONG consistency, in Magneto's own words.
inline constexpr std::string_view kOneWitnessAction =
    "One or more parameter values were invalid: Each of GlobalTableWitnessUpdates must have one of Create and Delete";
inline constexpr std::string_view kStrongNotEmpty =
    "One or more parameter values were invalid: Table must be empty to become a global table with MultiRegionConsistency set to STRONG";
inline constexpr std::string_view kStrongLocalIndexes =
    "One or more parameter values were invalid: Local secondary indexes are not supported for global tables with MultiRegionConsistency set to STRONG";
inline constexpr std::string_view kStrongTimeToLive =
    "One or more parameter values were invalid: Time to live is not supported for global tables with MultiRegionConsistency set to STRONG";
inline constexpr std::string_view kStrongTransaction =
    "One or more parameter values were invalid: Transactions are not supported for global tables with MultiRegionConsistency set to STRONG";

inline constexpr std::string_view kReplicaStream =
    "One or more parameter values were invalid: Table needs a stream of NEW_AND_OLD_IMAGES to have replicas";
inline constexpr std::string_view kNoReplicaUpdates = "One or more parameter values were invalid";
inline constexpr std::string_view kOneReplicaAction =
    "One or more parameter values were invalid: Each of ReplicaUpdates must have one of Create, Update and Delete";
inline constexpr std::string_view kLegacyTable =
    "One or more parameter values were invalid: Replicas of a global table of version 2017.11.29 are changed by UpdateGlobalTable";
inline constexpr std::string_view kSettingsBehind =
    "Attempt to change a resource which is still in use: A change that was made in another region has not come to this replica";
// ReplicaStatusDescription.
inline constexpr std::string_view kReplicaNotMade =
    "There was no room for the replica, or its disk failed: remove it before it is created again";
std::string not_a_region(std::string_view region);
std::string repeated_region(std::string_view region);
std::string replica_unknown(std::string_view region, std::string_view table);
std::string too_many_replicas(std::size_t limit);

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
