#pragma once

#include <array>
#include <string_view>

#include "api/tables/table_shapes.h"

// Shapes of the parameters of UpdateTable for replicas.
namespace magneto::api {

inline constexpr MemberShape kRequiredRegionName{"RegionName", &kStringShape, Required::kYes};

inline constexpr std::array<MemberShape, 1> kReadUnitsMembers{{
    {"ReadCapacityUnits", &kThroughputUnitsShape},
}};
inline constexpr Shape kReadUnitsShape =
    structure_shape("ProvisionedThroughputOverride", kReadUnitsMembers);
inline constexpr std::array<MemberShape, 1> kMaxReadUnitsMembers{{
    {"MaxReadRequestUnits", &kLongShape},
}};
inline constexpr Shape kMaxReadUnitsShape =
    structure_shape("OnDemandThroughputOverride", kMaxReadUnitsMembers);

inline constexpr std::array<MemberShape, 3> kReplicaIndexMembers{{
    kRequiredIndexName,
    {"ProvisionedThroughputOverride", &kReadUnitsShape},
    {"OnDemandThroughputOverride", &kMaxReadUnitsShape},
}};
inline constexpr Shape kReplicaIndexShape =
    structure_shape("ReplicaGlobalSecondaryIndex", kReplicaIndexMembers);
inline constexpr Shape kReplicaIndexesShape = with_min(list_shape(kReplicaIndexShape), 1);

inline constexpr std::array<std::string_view, 2> kReplicaClassValues{"STANDARD",
                                                                     "STANDARD_INFREQUENT_ACCESS"};
inline constexpr Shape kReplicaClassShape = enum_shape(kReplicaClassValues);
inline constexpr std::array<MemberShape, 6> kReplicaMembers{{
    kRequiredRegionName,
    {"KMSMasterKeyId", &kStringShape},
    {"ProvisionedThroughputOverride", &kReadUnitsShape},
    {"OnDemandThroughputOverride", &kMaxReadUnitsShape},
    {"GlobalSecondaryIndexes", &kReplicaIndexesShape},
    {"TableClassOverride", &kReplicaClassShape},
}};
inline constexpr Shape kCreateReplicaShape =
    structure_shape("CreateReplicationGroupMemberAction", kReplicaMembers);
inline constexpr Shape kUpdateReplicaShape =
    structure_shape("UpdateReplicationGroupMemberAction", kReplicaMembers);
inline constexpr std::array<MemberShape, 1> kDeleteReplicaMembers{{kRequiredRegionName}};
inline constexpr Shape kDeleteReplicaShape =
    structure_shape("DeleteReplicationGroupMemberAction", kDeleteReplicaMembers);
inline constexpr std::array<std::string_view, 1> kDisassociationModeValues{"WAIT_FOR_REPLICATION"};
inline constexpr Shape kDisassociationModeShape = enum_shape(kDisassociationModeValues);
inline constexpr std::array<MemberShape, 2> kDisassociateReplicaMembers{{
    kRequiredRegionName,
    {"DisassociationMode", &kDisassociationModeShape, Required::kYes},
}};
inline constexpr Shape kDisassociateReplicaShape =
    structure_shape("DisassociateReplicationGroupMemberAction", kDisassociateReplicaMembers);
inline constexpr std::array<MemberShape, 4> kReplicaUpdateMembers{{
    {"Create", &kCreateReplicaShape},
    {"Update", &kUpdateReplicaShape},
    {"Delete", &kDeleteReplicaShape},
    {"Disassociate", &kDisassociateReplicaShape},
}};
inline constexpr Shape kReplicaUpdateShape =
    structure_shape("ReplicationGroupUpdate", kReplicaUpdateMembers);
inline constexpr Shape kReplicaUpdatesShape = with_min(list_shape(kReplicaUpdateShape), 1);

inline constexpr std::array<MemberShape, 1> kWitnessMembers{{kRequiredRegionName}};
inline constexpr Shape kCreateWitnessShape =
    structure_shape("CreateGlobalTableWitnessGroupMemberAction", kWitnessMembers);
inline constexpr Shape kDeleteWitnessShape =
    structure_shape("DeleteGlobalTableWitnessGroupMemberAction", kWitnessMembers);
inline constexpr std::array<MemberShape, 2> kWitnessUpdateMembers{{
    {"Create", &kCreateWitnessShape},
    {"Delete", &kDeleteWitnessShape},
}};
inline constexpr Shape kWitnessUpdateShape =
    structure_shape("GlobalTableWitnessGroupUpdate", kWitnessUpdateMembers);
inline constexpr Shape kWitnessUpdatesShape = with_range(list_shape(kWitnessUpdateShape), 1, 1);

inline constexpr std::array<std::string_view, 2> kConsistencyValues{"EVENTUAL", "STRONG"};
inline constexpr Shape kConsistencyShape = enum_shape(kConsistencyValues);

}  // namespace magneto::api
