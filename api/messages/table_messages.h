#pragma once

#include <span>
#include <string>
#include <string_view>

// CreateTable and UpdateTable: key schemas, streams, encryption, classes, and forbidden
// combinations.
namespace magneto::api::messages {

inline constexpr std::string_view kSameKeyNames =
    "Both the Hash Key and the Range Key element in the KeySchema have the same name";
inline constexpr std::string_view kRepeatedKeyName =
    "The KeySchema contains multiple key attributes with the same name";
inline constexpr std::string_view kFirstNotHash =
    "Invalid KeySchema: The first KeySchemaElement is not a HASH key type";
inline constexpr std::string_view kSecondNotRange =
    "Invalid KeySchema: The second KeySchemaElement is not a RANGE key type";
inline constexpr std::string_view kRangeBeforeHash =
    "One or more parameter values were invalid: All HASH key attributes must precede RANGE key attributes in the KeySchema";
inline constexpr std::string_view kTooManyHashAttributes =
    "One or more parameter values were invalid: The KeySchema exceeds the maximum allowed number of HASH key attributes";
inline constexpr std::string_view kTooManyRangeAttributes =
    "One or more parameter values were invalid: The KeySchema exceeds the maximum allowed number of RANGE key attributes";
inline constexpr std::string_view kKeyWithoutDefinition =
    "Invalid KeySchema: Some index key attribute have no definition";
std::string duplicate_definition(std::string_view attribute);
std::string undefined_keys(std::span<const std::string_view> keys,
                           std::span<const std::string_view> definitions);
std::string unused_definitions(std::span<const std::string_view> definitions,
                               std::span<const std::string_view> keys);
inline constexpr std::string_view kDefinitionCount =
    "One or more parameter values were invalid: Number of attributes in KeySchema does not exactly match number of attributes defined in AttributeDefinitions";
// Schemas are in AWS's form: Schema:[SchemaElement: key{a:S:HASH}]
std::string redefined_attribute(std::string_view existing, std::string_view wanted);

inline constexpr std::string_view kStreamWithoutViewType =
    "One or more parameter values were invalid: Table is being created with a stream enabled, UpdateViewType is required";
inline constexpr std::string_view kViewTypeWithoutStream =
    "One or more parameter values were invalid: Table is being created with a stream disabled, UpdateViewType should not be specified";
inline constexpr std::string_view kEnabledStreamWithoutViewType =
    "One or more parameter values were invalid: If stream is being enabled then UpdateViewType is required";
inline constexpr std::string_view kDisabledStreamWithViewType =
    "One or more parameter values were invalid: If stream is being disabled, then UpdateViewType must not be specified";
std::string stream_enabled(std::string_view table);
std::string stream_disabled(std::string_view table);

inline constexpr std::string_view kEncryptionTypeWhenDisabled =
    "One or more parameter values were invalid: SSEType can not be specified if Enabled is false";
inline constexpr std::string_view kEncryptionKeyWhenDisabled =
    "One or more parameter values were invalid: KMSMasterKeyId can not be specified if Enabled is false";
inline constexpr std::string_view kEncryptionAes256 =
    "One or more parameter values were invalid: SSEType AES256 is not supported";
inline constexpr std::string_view kEncryptionKeyWithoutType =
    "One or more parameter values were invalid: SSEType KMS is required if KMSMasterKeyId is specified";
inline constexpr std::string_view kEncryptedByDefault =
    "One or more parameter values were invalid: Table is already encrypted by default";
inline constexpr std::string_view kEncryptedWithKey =
    "One or more parameter values were invalid: Table is already encrypted with given KMSMasterKeyId. Use KMSMasterKeyId parameter if you want to change Master Key";
inline constexpr std::string_view kTableClass =
    "Invalid table-class parameter provided. Please try again with a valid table-class value: [STANDARD, STANDARD_INFREQUENT_ACCESS].";

// Combinations of changes in one UpdateTable.
inline constexpr std::string_view kNoChange =
    "At least one of ProvisionedThroughput, BillingMode, UpdateStreamEnabled, GlobalSecondaryIndexUpdates, SSESpecification, ReplicaUpdates, MultiAccountReplicaReady, ReplicaTransitRoleArn, MultiRegionConsistency, DeletionProtectionEnabled, OnDemandThroughput, WarmThroughput or TableClass is required";
inline constexpr std::string_view kNoChangeBesideConsistency =
    "At least one of ProvisionedThroughput, BillingMode, UpdateStreamEnabled, GlobalSecondaryIndexUpdates, SSESpecification, ReplicaUpdates, MultiAccountReplicaReady, ReplicaTransitRoleArn, DeletionProtectionEnabled, OnDemandThroughput, WarmThroughput or TableClass is required";
std::string change_not_alone(std::string_view change);
inline constexpr std::string_view kWarmBesideIndex =
    "One or more parameter values were invalid: Create global secondary index cannot be specified when updating WarmThroughput";
inline constexpr std::string_view kOnDemandBesideOther =
    "One or more parameter values were invalid: OnDemandThroughput can only be combined with BillingMode in an UpdateTable request";
inline constexpr std::string_view kStreamBesideThroughput =
    "One or more parameter values were invalid: You cannot modify stream status while updating table IOPS";
inline constexpr std::string_view kIndexBesideThroughput =
    "One or more parameter values were invalid: You cannot create or delete index while updating table IOPS";
inline constexpr std::string_view kIndexBesideStream =
    "One or more parameter values were invalid: You cannot create or delete index while changing stream status";

}  // namespace magneto::api::messages
