#pragma once

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "api/operation.h"
#include "api/tables/table_parameters.h"
#include "api/tables/table_shapes.h"
#include "api/tables/vector_indexes.h"
#include "storage/database.h"

// Tables that are restored from a backup or to a point in time.
namespace magneto::api {

inline constexpr MemberShape kRestoreTarget{"TargetTableName", &kResourceNameShape, Required::kYes};
// The members of a request that replace settings of the source.
inline constexpr auto kRestoreOverrides = std::to_array<MemberShape>({
    {"BillingModeOverride", &kBillingModeShape},
    {"GlobalSecondaryIndexOverride", &kGlobalIndexesShape},
    {"LocalSecondaryIndexOverride", &kLocalIndexesShape},
    {"ProvisionedThroughputOverride", &kProvisionedThroughputShape},
    {"OnDemandThroughputOverride", &kOnDemandThroughputShape},
    {"SSESpecificationOverride", &kSseShape},
    {"VectorIndexOverride", &kVectorIndexesShape},
});
// Returns `own` and kRestoreOverrides.
template <std::size_t N>
constexpr auto with_overrides(const std::array<MemberShape, N>& own) {
  std::array<MemberShape, N + kRestoreOverrides.size()> all{};
  std::ranges::copy(kRestoreOverrides, std::ranges::copy(own, all.begin()).out);
  return all;
}

// Returns the schema that CreateTable would make from the settings of the source. The overrides in
// `wanted` replace them. These are not restored: tags, the stream, time to live, point-in-time
// recovery, deletion protection, policies and the table class (AWS API reference,
// RestoreTableFromBackup; captured from AWS, October 2026).
//
// A listed index must have the key, projection and vector of an index of the source, but may have
// another name. Throws ValidationException if it has not, if the throughput does not match the
// billing mode, and if CreateTable would refuse the table.
storage::TableSchema restored_table_schema(const storage::TableSchema& from,
                                           const TableParameters& wanted, const Caller& caller,
                                           double now);

// On AWS's profile throws ValidationException if the source is in another region than the caller,
// unless `wanted` has SSESpecificationOverride.
void check_restore_region(std::string_view region, const TableParameters& wanted,
                          const Caller& caller);

// Throws TableInUseException if the existing table is being restored, else
// TableAlreadyExistsException.
[[noreturn]] void fail_restored_exists(const storage::Database& database, std::string_view name);
// Throws the same if the table exists, and LimitExceededException if there is no room for data.
void check_restore_room(storage::Database& database, std::string_view name);
// Writes the whole answer.
void write_restored(std::string& output, const storage::Table& table, double now);

}  // namespace magneto::api
