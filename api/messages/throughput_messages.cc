#include "api/messages/throughput_messages.h"

#include <fmt/format.h>

namespace magneto::api::messages {

std::string units_out_of_bounds(std::int64_t units, std::string_view member) {
  return fmt::format("Given value {} for {} is out of bounds", units, member);
}

std::string index_units_on_demand(std::string_view index) {
  return fmt::format(
      "One or more parameter values were invalid: ProvisionedThroughput should not be specified for index: {} when BillingMode is PAY_PER_REQUEST",
      index);
}

std::string no_index_units(std::string_view index) {
  return fmt::format(
      "One or more parameter values were invalid: ProvisionedThroughput is not specified for index: {}",
      index);
}

std::string new_index_units_on_demand(std::string_view index) {
  return fmt::format(
      "One or more parameter values were invalid: Neither ReadCapacityUnits nor WriteCapacityUnits can be specified for index: {} when BillingMode is PAY_PER_REQUEST",
      index);
}

std::string no_new_index_units(std::string_view index) {
  return fmt::format(
      "One or more parameter values were invalid: Both ReadCapacityUnits and WriteCapacityUnits must be specified for index: {}",
      index);
}

std::string changed_index_units_on_demand(std::string_view index) {
  return fmt::format(
      "One or more parameter values were invalid: The only Updates for index: {} when TableThroughputMode is PAY_PER_REQUEST can be to OnDemandThroughput, WarmThroughput",
      index);
}

std::string index_units_of_provisioned_table(std::string_view index) {
  return fmt::format(
      "One or more parameter values were invalid: ProvisionedThroughput must be specified for index: {}",
      index);
}

std::string table_units_unchanged(std::int64_t read_units, std::int64_t write_units) {
  return fmt::format(
      "The provisioned throughput for the table will not change. The requested value equals the current value. Current ReadCapacityUnits provisioned for the table: {0}. Requested ReadCapacityUnits: {0}. Current WriteCapacityUnits provisioned for the table: {1}. Requested WriteCapacityUnits: {1}. Refer to the Amazon DynamoDB Developer Guide for current limits and how to request higher limits.",
      read_units, write_units);
}

std::string index_units_unchanged(std::string_view index, std::int64_t read_units,
                                  std::int64_t write_units) {
  return fmt::format(
      "The provisioned throughput for the index {0} will not change. The requested value equals the current value. Current ReadCapacityUnits provisioned for index {0}: {1}. Requested ReadCapacityUnits: {1}. Current WriteCapacityUnits provisioned for index {0}: {2}. Requested WriteCapacityUnits: {2}. Refer to the Amazon DynamoDB Developer Guide for current limits and how to request higher limits.",
      index, read_units, write_units);
}

std::string on_demand_of_new_table(std::string_view member) {
  return fmt::format(
      "One or more parameter values were invalid: {} for OnDemandThroughput cannot be specified when table BillingMode is PROVISIONED.",
      member);
}

std::string on_demand_of_new_index(std::string_view member, std::string_view index) {
  return fmt::format(
      "One or more parameter values were invalid: {} for OnDemandThroughput for index: {} cannot be specified when table BillingMode is PROVISIONED.",
      member, index);
}

std::string on_demand_of_table(std::string_view member) {
  return fmt::format(
      "One or more parameter values were invalid: {} for OnDemandThroughput cannot be specified when the table BillingMode is PROVISIONED",
      member);
}

std::string on_demand_of_index(std::string_view member, std::string_view index) {
  return fmt::format(
      "One or more parameter values were invalid: {} for OnDemandThroughput for index : {} cannot be specified when the table BillingMode is PROVISIONED",
      member, index);
}

std::string on_demand_out_of_range(std::string_view member, std::string_view scope) {
  return fmt::format(
      "One or more parameter values were invalid: Requested {} for OnDemandThroughput for {} is outside of valid range",
      member, scope);
}

std::string warm_below_current(std::string_view member, std::string_view scope) {
  return fmt::format(
      "One or more parameter values were invalid: Requested {} for WarmThroughput for {} is lower than current WarmThroughput, decreasing WarmThroughput is not supported",
      member, scope);
}

std::string warm_below_provisioned(std::string_view member, std::string_view scope,
                                   std::string_view units) {
  return fmt::format(
      "One or more parameter values were invalid: Requested {} for WarmThroughput for {} is lower than {} of ProvisionedThroughput",
      member, scope, units);
}

std::string warm_below_initial(std::string_view member, std::string_view scope) {
  return fmt::format(
      "One or more parameter values were invalid: Requested {} for WarmThroughput for {} is lower than initial throughput for OnDemand. See: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/on-demand-capacity-mode.html#on-demand-capacity-mode-initial",
      member, scope);
}

}  // namespace magneto::api::messages
