#pragma once

#include <array>
#include <string_view>

#include "api/validation/parameter_shapes.h"

// Shapes of CreateTable and UpdateTable. The older generation of DynamoDB's code checks both
// (captured facts, "CreateTable"). Members are in the order in which it reports them.
namespace magneto::api {

inline constexpr Shape kKeyAttributeNameShape = with_range(kStringShape, 1, 255);
inline constexpr std::array<std::string_view, 3> kScalarTypeValues{"B", "N", "S"};
inline constexpr Shape kScalarTypeShape = enum_shape(kScalarTypeValues);
inline constexpr std::array<MemberShape, 2> kAttributeDefinitionMembers{{
    {"AttributeName", &kKeyAttributeNameShape, Required::kYes},
    {"AttributeType", &kScalarTypeShape, Required::kYes},
}};
inline constexpr Shape kAttributeDefinitionShape =
    structure_shape("AttributeDefinition", kAttributeDefinitionMembers);
inline constexpr Shape kAttributeDefinitionsShape = list_shape(kAttributeDefinitionShape);

inline constexpr std::array<std::string_view, 2> kKeyTypeValues{"HASH", "RANGE"};
inline constexpr Shape kKeyTypeShape = enum_shape(kKeyTypeValues);
inline constexpr std::array<MemberShape, 2> kKeySchemaElementMembers{{
    {"AttributeName", &kKeyAttributeNameShape, Required::kYes},
    {"KeyType", &kKeyTypeShape, Required::kYes},
}};
inline constexpr Shape kKeySchemaElementShape =
    structure_shape("KeySchemaElement", kKeySchemaElementMembers);
inline constexpr Shape kKeySchemaShape = with_range(list_shape(kKeySchemaElementShape), 1, 2);
// For a global index table_checks checks the number of elements of each kind.
inline constexpr Shape kGlobalKeySchemaShape = with_min(list_shape(kKeySchemaElementShape), 1);

inline constexpr std::array<std::string_view, 3> kProjectionTypeValues{"ALL", "INCLUDE",
                                                                       "KEYS_ONLY"};
inline constexpr Shape kProjectionTypeShape = enum_shape(kProjectionTypeValues);
inline constexpr Shape kNonKeyAttributeShape = with_range(kStringShape, 1, 255);
inline constexpr Shape kNonKeyAttributesShape =
    with_range(list_shape(kNonKeyAttributeShape), 1, 20);
inline constexpr std::array<MemberShape, 2> kProjectionMembers{{
    {"ProjectionType", &kProjectionTypeShape},
    {"NonKeyAttributes", &kNonKeyAttributesShape},
}};
inline constexpr Shape kProjectionShape = structure_shape("Projection", kProjectionMembers);

inline constexpr Shape kThroughputUnitsShape = with_min(kLongShape, 1);
inline constexpr std::array<MemberShape, 2> kProvisionedThroughputMembers{{
    {"WriteCapacityUnits", &kThroughputUnitsShape, Required::kYes},
    {"ReadCapacityUnits", &kThroughputUnitsShape, Required::kYes},
}};
inline constexpr Shape kProvisionedThroughputShape =
    structure_shape("ProvisionedThroughput", kProvisionedThroughputMembers);
inline constexpr std::array<MemberShape, 2> kOnDemandThroughputMembers{{
    {"MaxReadRequestUnits", &kLongShape},
    {"MaxWriteRequestUnits", &kLongShape},
}};
inline constexpr Shape kOnDemandThroughputShape =
    structure_shape("OnDemandThroughput", kOnDemandThroughputMembers);
inline constexpr std::array<MemberShape, 2> kWarmThroughputMembers{{
    {"ReadUnitsPerSecond", &kLongShape},
    {"WriteUnitsPerSecond", &kLongShape},
}};
inline constexpr Shape kWarmThroughputShape =
    structure_shape("WarmThroughput", kWarmThroughputMembers);

inline constexpr MemberShape kRequiredIndexName{"IndexName", &kResourceNameShape, Required::kYes};
inline constexpr MemberShape kProvisionedThroughput{"ProvisionedThroughput",
                                                    &kProvisionedThroughputShape};
inline constexpr MemberShape kOnDemandThroughput{"OnDemandThroughput", &kOnDemandThroughputShape};
inline constexpr MemberShape kWarmThroughput{"WarmThroughput", &kWarmThroughputShape};
inline constexpr MemberShape kProjection{"Projection", &kProjectionShape, Required::kYes};

inline constexpr std::array<MemberShape, 3> kLocalIndexMembers{{
    kRequiredIndexName,
    {"KeySchema", &kKeySchemaShape, Required::kYes},
    kProjection,
}};
inline constexpr Shape kLocalIndexShape =
    structure_shape("LocalSecondaryIndex", kLocalIndexMembers);
inline constexpr Shape kLocalIndexesShape = list_shape(kLocalIndexShape);

inline constexpr std::array<MemberShape, 6> kGlobalIndexMembers{{
    kRequiredIndexName,
    {"KeySchema", &kGlobalKeySchemaShape, Required::kYes},
    kProjection,
    kProvisionedThroughput,
    kOnDemandThroughput,
    kWarmThroughput,
}};
inline constexpr Shape kGlobalIndexShape =
    structure_shape("GlobalSecondaryIndex", kGlobalIndexMembers);
inline constexpr Shape kGlobalIndexesShape = list_shape(kGlobalIndexShape);

inline constexpr std::array<MemberShape, 4> kUpdateIndexMembers{{
    kRequiredIndexName,
    kProvisionedThroughput,
    kOnDemandThroughput,
    kWarmThroughput,
}};
inline constexpr Shape kUpdateIndexShape =
    structure_shape("UpdateGlobalSecondaryIndexAction", kUpdateIndexMembers);
inline constexpr Shape kCreateIndexShape =
    structure_shape("CreateGlobalSecondaryIndexAction", kGlobalIndexMembers);
inline constexpr std::array<MemberShape, 1> kDeleteIndexMembers{{kRequiredIndexName}};
inline constexpr Shape kDeleteIndexShape =
    structure_shape("DeleteGlobalSecondaryIndexAction", kDeleteIndexMembers);
inline constexpr std::array<MemberShape, 3> kIndexUpdateMembers{{
    {"Update", &kUpdateIndexShape},
    {"Create", &kCreateIndexShape},
    {"Delete", &kDeleteIndexShape},
}};
inline constexpr Shape kIndexUpdateShape =
    structure_shape("GlobalSecondaryIndexUpdate", kIndexUpdateMembers);
inline constexpr Shape kIndexUpdatesShape = list_shape(kIndexUpdateShape);

inline constexpr std::array<std::string_view, 2> kBillingModeValues{"PROVISIONED",
                                                                    "PAY_PER_REQUEST"};
inline constexpr Shape kBillingModeShape = enum_shape(kBillingModeValues);
inline constexpr MemberShape kBillingMode{"BillingMode", &kBillingModeShape};

inline constexpr std::array<std::string_view, 4> kStreamViewTypeValues{
    "OLD_IMAGE", "KEYS_ONLY", "NEW_AND_OLD_IMAGES", "NEW_IMAGE"};
inline constexpr Shape kStreamViewTypeShape = enum_shape(kStreamViewTypeValues);
inline constexpr std::array<MemberShape, 2> kStreamMembers{{
    {"StreamEnabled", &kBooleanShape, Required::kYes},
    {"StreamViewType", &kStreamViewTypeShape},
}};
inline constexpr Shape kStreamShape = structure_shape("StreamSpecification", kStreamMembers);
inline constexpr MemberShape kStreamSpecification{"StreamSpecification", &kStreamShape};

inline constexpr std::array<std::string_view, 2> kSseTypeValues{"AES256", "KMS"};
inline constexpr Shape kSseTypeShape = enum_shape(kSseTypeValues);
inline constexpr std::array<MemberShape, 3> kSseMembers{{
    {"Enabled", &kBooleanShape},
    {"SSEType", &kSseTypeShape},
    {"KMSMasterKeyId", &kStringShape},
}};
inline constexpr Shape kSseShape = structure_shape("SSESpecification", kSseMembers);
inline constexpr MemberShape kSseSpecification{"SSESpecification", &kSseShape};

// TableClass has a separate error text instead of an enum's (table_checks).
inline constexpr MemberShape kTableClass{"TableClass", &kStringShape};
inline constexpr MemberShape kDeletionProtection{"DeletionProtectionEnabled", &kBooleanShape};

// Missing keys and values have separate error texts (tag_checks).
inline constexpr std::array<MemberShape, 2> kTagMembers{{
    {"Key", &kStringShape},
    {"Value", &kStringShape},
}};
inline constexpr Shape kTagShape = structure_shape("Tag", kTagMembers);
inline constexpr Shape kTagsShape = list_shape(kTagShape);

}  // namespace magneto::api
