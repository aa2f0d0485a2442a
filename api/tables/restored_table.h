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

// Tables that are restored, from a backup or to a point in time.
namespace magneto::api {

inline constexpr MemberShape kRestoreTarget{"TargetTableName", &kResourceNameShape, Required::kYes};
// The members of a request that say what the table is to be like, in place of what the source has.
inline constexpr auto kRestoreOverrides = std::to_array<MemberShape>({
    {"BillingModeOverride", &kBillingModeShape},
    {"GlobalSecondaryIndexOverride", &kGlobalIndexesShape},
    {"LocalSecondaryIndexOverride", &kLocalIndexesShape},
    {"ProvisionedThroughputOverride", &kProvisionedThroughputShape},
    {"OnDemandThroughputOverride", &kOnDemandThroughputShape},
    {"SSESpecificationOverride", &kSseShape},
    {"VectorIndexOverride", &kVectorIndexesShape},
});
// `own` and those.
template <std::size_t N>
constexpr auto with_overrides(const std::array<MemberShape, N>& own) {
  std::array<MemberShape, N + kRestoreOverrides.size()> all{};
  std::ranges::copy(kRestoreOverrides, std::ranges::copy(own, all.begin()).out);
  return all;
}

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
