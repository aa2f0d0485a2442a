#include "api/messages/backup_messages.h"

#include <fmt/format.h>

#include "api/times.h"

namespace magneto::api::messages {
namespace {

// A sentence about the table, or about one of its indexes.
std::string of_index(std::string_view sentence, std::string_view index) {
  return index.empty() ? std::string(sentence) : fmt::format("{} for index {}", sentence, index);
}

}  // namespace

std::string backup_not_found(std::string_view arn) {
  return fmt::format("Backup not found: {}", arn);
}

std::string backup_being_made(std::string_view arn) {
  return fmt::format(
      "There is another ongoing conflicting backup control plane operation on the table. The backup is being created: {}",
      arn);
}

std::string backup_being_used(std::string_view arn) {
  return fmt::format("Backup is being used to restore table: {}", arn);
}

std::string backup_being_used_for_another(std::string_view arn) {
  return fmt::format("Backup is being used to restore another table: {}", arn);
}

std::string table_being_restored(std::string_view table, std::string_view backup) {
  if (backup.empty()) return fmt::format("Table: {} is already being restored", table);
  return fmt::format("Table: {} is already being restored from backup: {}", table, backup);
}

std::string table_being_used(std::string_view table) {
  return fmt::format("Table is being used: {}", table);
}

std::string too_many_backups(std::size_t most) {
  return fmt::format(
      "Subscriber limit exceeded: only {} backups can be kept, and a few hundred made at a time. Delete some first, or wait for those that are CREATING",
      most);
}

std::string not_a_backup_arn(std::string_view arn) {
  return fmt::format(
      "One or more parameter values were invalid: ExclusiveStartBackupArn is not the ARN of a backup: {}",
      arn);
}

std::string index_not_in_source(std::string_view index) {
  return fmt::format(
      "Invalid Request: Index {} does not match a secondary index that existed in the source table and cannot be created during the restore operation",
      index);
}

std::string restore_time_outside(double time, double earliest, double latest) {
  return fmt::format(
      "RestoreDateTime '{}' must be within EarliestRestorableDateTime '{}' and LatestRestorableDateTime '{}'",
      seconds_text(time), seconds_text(earliest), seconds_text(latest));
}

std::string units_over_on_demand(std::string_view index) {
  return of_index(
      "Invalid Request: Cannot override ProvisionedThroughput if BillingMode is overridden to PAY_PER_REQUEST",
      index);
}

std::string no_units_over_provisioned(std::string_view index) {
  return of_index(
      "Invalid Request: Must override ProvisionedThroughput if BillingMode is overridden to PROVISIONED",
      index);
}

std::string no_units_of_index(std::string_view index) {
  return of_index("Invalid Request: Must specify provisioned throughput", index);
}

std::string on_demand_of_provisioned(std::string_view member) {
  return fmt::format(
      "Invalid Request: Cannot override {} for OnDemandThroughput unless BillingModeOverride is PAY_PER_REQUEST",
      member);
}

std::string warm_of_restored_index(std::string_view index) {
  return fmt::format(
      "One or more parameter values were invalid: WarmThroughput is not supported for index {} of a table that is restored to a point in time",
      index);
}

}  // namespace magneto::api::messages
