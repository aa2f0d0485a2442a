#include "api/messages/resource_messages.h"

#include <fmt/format.h>

namespace magneto::api::messages {

std::string table_not_found(std::string_view table) {
  return fmt::format("Requested resource not found: Table: {} not found", table);
}

std::string backup_table_not_found(std::string_view table) {
  return fmt::format("Table not found: {}", table);
}

std::string arn_not_found(std::string_view arn) {
  return fmt::format("Requested resource not found: ResourceArn: {} not found", arn);
}

std::string index_of_table_not_found(std::string_view index, std::string_view table) {
  return fmt::format("Requested resource not found: Index {} for table {}", index, table);
}

std::string index_not_found_for_table(std::string_view index, std::string_view table) {
  return fmt::format("Requested resource not found: Index: {} not found for table: {}", index,
                     table);
}

std::string table_exists(std::string_view table) {
  return fmt::format("Table already exists: {}", table);
}

std::string invalid_arn(std::string_view arn) {
  return fmt::format("Invalid TableArn: Invalid ResourceArn provided as input {}", arn);
}

std::string not_an_arn(std::string_view text) {
  return fmt::format("One or more parameter values were invalid: ARNs must start with 'arn:': {}",
                     text);
}

std::string denied(std::string_view account, std::string_view operation, std::string_view arn) {
  return fmt::format(
      "User: arn:aws:iam::{}:root is not authorized to perform: dynamodb:{} on resource: {}",
      account, operation, arn);
}

std::string arn_of_other_region(std::string_view arn) {
  return fmt::format("Invalid AWS region in '{}'", arn);
}

std::string not_of_table_or_stream(std::string_view arn) {
  return fmt::format(
      "One or more parameter values were invalid: Invalid resource arn provided, only table or stream is accepted. Provided resource arn: {}",
      arn);
}

std::string not_a_resource_arn(std::string_view arn) {
  return fmt::format(
      "One or more parameter values were invalid: Provided Arn is not a DynamoDB resource arn: {}",
      arn);
}

std::string foreign_next_token(std::string_view operation) {
  return fmt::format("The NextToken is not one that {} gave", operation);
}

std::string table_being_created(std::string_view table) {
  return fmt::format(
      "Attempt to change a resource which is still in use: Table is being created: {}", table);
}

std::string table_being_updated(std::string_view table) {
  return fmt::format(
      "Attempt to change a resource which is still in use: Table is being updated: {}", table);
}

std::string table_being_deleted(std::string_view table) {
  return fmt::format(
      "Attempt to change a resource which is still in use: Table is being deleted: {}", table);
}

std::string table_in_update(std::string_view table) {
  return fmt::format(
      "Attempt to change a resource which is still in use: Table: {} is in the process of being updated.",
      table);
}

std::string index_being(std::string_view change, std::string_view table, std::string_view index) {
  return fmt::format(
      "Attempt to change a resource which is still in use: Index is being {}. Table: {} Index: {}",
      change, table, index);
}

std::string index_not_filled_yet(std::string_view table, std::string_view index) {
  return fmt::format(
      "Attempt to change a resource which is still in use: Index is being created but is not backfilling yet. Table: {} Index: {}",
      table, index);
}

std::string index_in_allocation(std::string_view table, std::string_view index) {
  return fmt::format(
      "Attempt to change a resource which is still in use: Index creation is in resource allocation phase. Retry deletion during backfilling phase or when the index is active. Table: {} Index: {}",
      table, index);
}

std::string maximum_beside_index(std::string_view change, std::string_view index) {
  return fmt::format(
      "Attempt to change a resource which is still in use: OnDemandThroughput cannot be updated while index {} is in progress for indexes: [{}]",
      change, index);
}

std::string stream_beside_index(std::string_view change, std::string_view table,
                                std::string_view index) {
  return fmt::format(
      "Attempt to change a resource which is still in use: Can't change stream status when an index is being {}. Table: {} Indexes: [{}]",
      change, table, index);
}

std::string units_beside_index(std::string_view change, std::string_view table,
                               std::string_view index) {
  return fmt::format(
      "Attempt to change a resource which is still in use: Can't change table IOPS when an index is being {}. Table: {} Indexes: [{}]",
      change, table, index);
}

std::string backups_being_enabled(std::string_view table) {
  return fmt::format("Backups are being enabled for the table: {}. Please retry later", table);
}

std::string created_before_time_to_live(std::string_view table) {
  return fmt::format(
      "Attempt to change a resource which is still in use: Table {} is being created", table);
}

std::string replica_being_added(std::string_view table, std::string_view region) {
  return fmt::format(
      "Create/Update/Delete of replica is not allowed while the replica is being added to table with name: ‘{}’ in region: ‘{}’.",
      table, region);
}

std::string time_to_live_elsewhere(std::string_view attribute) {
  return fmt::format(
      "TimeToLive is active on a different AttributeName: current AttributeName is {}", attribute);
}

std::string invalid_tag_key(std::string_view key) {
  return fmt::format("The Tag Key provided is invalid, Key: {}", key);
}

std::string reserved_tag_key(std::string_view key) {
  return fmt::format("Tag Key cannot be prefixed with aws:, Key: {}", key);
}

std::string invalid_tag_value(std::string_view value) {
  return fmt::format("The Tag Value provided is invalid, Value: {}", value);
}

std::string duplicate_tag_key(std::string_view key) {
  return fmt::format("Duplicate Tag Keys provided as input: Duplicate Tag Key found {}", key);
}

std::string tags_too_large(std::size_t size, std::size_t most) {
  return fmt::format("Tag set size {} bytes is above max size limit of {} bytes", size, most);
}

std::string long_caller_name(std::size_t most) {
  return fmt::format(
      "Subscriber limit exceeded: with --isolate, an access key and its region must not exceed {} characters together",
      most);
}

std::string too_many_callers(std::size_t most) {
  return fmt::format(
      "Subscriber limit exceeded: with --isolate, only {} callers can have tables of their own. Delete the tables of those that are done, and start the server anew",
      most);
}

}  // namespace magneto::api::messages
