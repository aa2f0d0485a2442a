#pragma once

#include <cstddef>
#include <string>
#include <string_view>

// Tables and their resources: missing, owned by other accounts, or busy.
namespace magneto::api::messages {

inline constexpr std::string_view kNotFound = "Requested resource not found";
// AWS has three messages for a missing table: kNotFound for items, the first of the next two for
// the table, and the second for its backups.
std::string table_not_found(std::string_view table);
std::string backup_table_not_found(std::string_view table);
std::string arn_not_found(std::string_view arn);
std::string index_of_table_not_found(std::string_view index, std::string_view table);
// For contributor insights of an index.
std::string index_not_found_for_table(std::string_view index, std::string_view table);
std::string table_exists(std::string_view table);

inline constexpr std::string_view kNoArn = "Invalid TableArn";
std::string invalid_arn(std::string_view arn);
std::string not_an_arn(std::string_view text);
std::string denied(std::string_view account, std::string_view operation, std::string_view arn);
// Also for backups, exports and imports under the ARN of another account (captured from AWS,
// October 2026).
inline constexpr std::string_view kAccessDenied = "Access is denied";
// Follows the prefix "1 validation error detected: ".
std::string arn_of_other_region(std::string_view arn);
// For a ResourceArn of a policy or tags: of an index, and of any other resource.
std::string not_of_table_or_stream(std::string_view arn);
std::string not_a_resource_arn(std::string_view arn);
std::string foreign_next_token(std::string_view operation);

std::string table_being_created(std::string_view table);
std::string table_being_updated(std::string_view table);
std::string table_being_deleted(std::string_view table);
// Replaces table_being_updated() if the table is to be deleted.
std::string table_in_update(std::string_view table);
// `change`: "created", "updated" or "deleted".
std::string index_being(std::string_view change, std::string_view table, std::string_view index);
std::string index_not_filled_yet(std::string_view table, std::string_view index);
std::string index_in_allocation(std::string_view table, std::string_view index);
inline constexpr std::string_view kIndexesBusy =
    "Attempt to change a resource which is still in use: Cannot delete table while indexes are being created, updated, or deleted.";
inline constexpr std::string_view kDeletionProtected =
    "Resource cannot be deleted as it is currently protected against deletion. Disable deletion protection first.";
// Changes of a table while `index` is created or deleted. `change`: "created" or "deleted"; for the
// maximum, "creation" or "deletion". Captured from AWS, October 2026.
std::string maximum_beside_index(std::string_view change, std::string_view index);
std::string stream_beside_index(std::string_view change, std::string_view table,
                                std::string_view index);
std::string units_beside_index(std::string_view change, std::string_view table,
                               std::string_view index);
std::string backups_being_enabled(std::string_view table);

// UpdateTimeToLive, DescribeTimeToLive.
std::string created_before_time_to_live(std::string_view table);
std::string replica_being_added(std::string_view table, std::string_view region);
inline constexpr std::string_view kTimeToLiveChanging =
    "Time to live has been modified multiple times within a fixed interval";
std::string time_to_live_elsewhere(std::string_view attribute);
inline constexpr std::string_view kTimeToLiveEnabled = "TimeToLive is already enabled";
inline constexpr std::string_view kTimeToLiveDisabled = "TimeToLive is already disabled";
inline constexpr std::string_view kTimeToLiveOfNewTable =
    "Cannot describe time to live while table is in CREATING state: Current table state is CREATING";
inline constexpr std::string_view kTimeToLiveOfDyingTable =
    "Cannot describe time to live while table is in DELETING state: Current table state is DELETING";

// UpdateContributorInsights, DescribeContributorInsights.
inline constexpr std::string_view kInsightsIndexLength =
    "IndexName must be at least 3 characters long and at most 255 characters long";
inline constexpr std::string_view kInsightsOfUnfinishedTable =
    "Table or Index is not in a valid state to update Key Access Insights: TableStatus must be ACTIVE to enable ContributorInsights.";
inline constexpr std::string_view kInsightsOfUnfinishedIndex =
    "Table or Index is not in a valid state to update Key Access Insights: IndexStatus must be ACTIVE to enable ContributorInsights.";

// Tags. "Atleast" is AWS's own spelling.
inline constexpr std::string_view kNoTags = "Atleast one Tag needs to be provided as Input.";
inline constexpr std::string_view kNoTagKeys = "Atleast one Tag Key needs to be provided as Input.";
inline constexpr std::string_view kTooManyTags =
    "Number of Tags exceed the current limit for the provided ResourceArn";
std::string invalid_tag_key(std::string_view key);
std::string reserved_tag_key(std::string_view key);
std::string invalid_tag_value(std::string_view value);
std::string duplicate_tag_key(std::string_view key);
std::string tags_too_large(std::size_t size, std::size_t most);

// Limits on tables of callers (--isolate).
std::string long_caller_name(std::size_t most);
std::string too_many_callers(std::size_t most);

}  // namespace magneto::api::messages
