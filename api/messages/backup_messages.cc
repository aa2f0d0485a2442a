#include "api/messages/backup_messages.h"

#include <fmt/format.h>

namespace magneto::api::messages {

std::string backup_not_found(std::string_view arn) {
  return fmt::format("Backup not found: {}", arn);
}

std::string backup_being_made(std::string_view arn) {
  return fmt::format(
      "There is another ongoing conflicting backup control plane operation on the table. The backup is being created: {}",
      arn);
}

std::string backup_being_used(std::string_view arn) {
  return fmt::format(
      "There is another ongoing conflicting backup control plane operation on the table. The backup is being restored to a table: {}",
      arn);
}

std::string table_being_made_or_deleted(std::string_view table) {
  return fmt::format(
      "A target table with the specified name is either being created or deleted: {}", table);
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

std::string index_not_in_source(std::string_view source, std::string_view index,
                                std::string_view kind) {
  return fmt::format(
      "One or more parameter values were invalid: The {} has no {} index {} with this key schema and projection",
      source, kind, index);
}

}  // namespace magneto::api::messages
