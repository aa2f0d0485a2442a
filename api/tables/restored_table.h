#pragma once

#include <string>
#include <string_view>

#include "api/operation.h"
#include "api/tables/table_parameters.h"
#include "api/tables/table_shapes.h"
#include "storage/database.h"

// Tables that are restored, from a backup or to a point in time.
namespace magneto::api {

// The members of a request that say what the table is to be like, in place of what the source has.
inline constexpr MemberShape kRestoreTarget{"TargetTableName", &kResourceNameShape, Required::kYes};
inline constexpr MemberShape kBillingOverride{"BillingModeOverride", &kBillingModeShape};
inline constexpr MemberShape kGlobalOverride{"GlobalSecondaryIndexOverride", &kGlobalIndexesShape};
inline constexpr MemberShape kLocalOverride{"LocalSecondaryIndexOverride", &kLocalIndexesShape};
inline constexpr MemberShape kUnitsOverride{"ProvisionedThroughputOverride",
                                            &kProvisionedThroughputShape};
inline constexpr MemberShape kOnDemandOverride{"OnDemandThroughputOverride",
                                               &kOnDemandThroughputShape};
inline constexpr MemberShape kEncryptionOverride{"SSESpecificationOverride", &kSseShape};
inline constexpr MemberShape kVectorOverride{"VectorIndexOverride", &kVectorIndexesShape};

// The schema of a table that is restored: as CreateTable would make it of what the source had, and
// of the overrides in `wanted`, which come first. Not restored are tags, the stream, time to live,
// point-in-time recovery, deletion protection, policies and the table class (AWS API reference,
// RestoreTableFromBackup; captured from AWS, October 2026). A listed index is one of the source's by its
// key and projection, and may have another name. Throws ValidationException where it is none, for
// throughput that does not go with the billing mode, and for what CreateTable refuses.
storage::TableSchema restored_table_schema(const storage::TableSchema& from,
                                           const TableParameters& wanted, const Caller& caller,
                                           double now);

// ValidationException: what is restored lies in the region of another endpoint, of which nothing is
// copied without SSESpecificationOverride.
void check_restore_region(std::string_view region, const TableParameters& wanted,
                          const Caller& caller);

// Whether or not it is there by now.
[[noreturn]] void fail_restored_exists(const storage::Database& database, std::string_view name);
// Throws that, and LimitExceededException while there is no room for data.
void check_restore_room(storage::Database& database, std::string_view name);
// The whole answer.
void write_restored(std::string& output, const storage::Table& table, double now);

}  // namespace magneto::api
