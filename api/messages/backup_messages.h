#pragma once

#include <cstddef>
#include <string>
#include <string_view>

// Backups, and tables restored from them. AWS's own words, captured from AWS, October 2026, except
// for the marked messages.
namespace magneto::api::messages {

std::string backup_not_found(std::string_view arn);
inline constexpr std::string_view kNotABackup = "Invalid Backup ARN";
inline constexpr std::string_view kForeignBackup = "Invalid Request: BackupArn is not valid";
// From DeleteBackup, and from another restore.
std::string backup_being_used(std::string_view arn);
std::string backup_being_used_for_another(std::string_view arn);
inline constexpr std::string_view kBackupTimesInverted =
    "One or more parameter values were invalid: Time range lower bound must be less than or equal to upper bound";
inline constexpr std::string_view kBackupPageElsewhere =
    "Invalid Request: The supplied ExclusiveStartBackupArn does not match the region";
inline constexpr std::string_view kRecoveryDaysWhenDisabled =
    "Invalid Request: Cannot specify RecoveryPeriodInDays when disabling point-in-time recovery.";

// ---- restored tables ---------------------------------------------------------------------------

// `backup`: empty for a restore to a point in time; AWS's words for that have not been captured.
std::string table_being_restored(std::string_view table, std::string_view backup);
// From CreateTable.
std::string table_being_used(std::string_view table);
std::string index_not_in_source(std::string_view index);
inline constexpr std::string_view kRestoreElsewhere =
    "Invalid Request: sseSpecificationOverride must be provided for cross-region restores";
// The captured text lacks its beginning.
inline constexpr std::string_view kTwoRestoreSources =
    "Invalid Request: Must provide exactly one of: sourceTableArn, sourceTableName";
inline constexpr std::string_view kRestoreSourceArn =
    "One or more parameter values were invalid: sourceTableArn is not a valid ARN";
inline constexpr std::string_view kNoRestoreTime =
    "Invalid Request: Either one of RestoreDateTime or UseLatestRestorableTime must be specified, but not both";
inline constexpr std::string_view kTwoRestoreTimes =
    "Invalid Request: Both RestoreDateTime and UseLatestRestorableTime cannot be set for point-in-time restore request. Please specify either RestoreDateTime time or UseLatestRestorableTime";
// Times are in seconds since 1970.
std::string restore_time_outside(double time, double earliest, double latest);

// Throughput that overrides the source's. `index`: one of its global indexes; empty: the table.
std::string units_over_on_demand(std::string_view index);
inline constexpr std::string_view kUnitsOfOnDemand =
    "Invalid Request: Cannot override ProvisionedThroughput unless BillingMode is PROVISIONED";
std::string no_units_over_provisioned(std::string_view index);
std::string no_units_of_index(std::string_view index);
// `member`: "MaxReadRequestUnits".
std::string on_demand_of_provisioned(std::string_view member);

// ---- not captured ------------------------------------------------------------------------------

// The first sentence of the API reference on the error.
std::string backup_being_made(std::string_view arn);
// Magneto's own messages.
std::string too_many_backups(std::size_t most);
std::string not_a_backup_arn(std::string_view arn);
// For an index of a table that is restored to a point in time.
std::string warm_of_restored_index(std::string_view index);

}  // namespace magneto::api::messages
