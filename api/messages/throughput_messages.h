#pragma once

#include <cstdint>
#include <string>
#include <string_view>

// Provisioned, on-demand and warm throughput of tables and indexes.
namespace magneto::api::messages {

inline constexpr std::string_view kTableExceeded =
    "The level of configured provisioned throughput for the table was exceeded. Consider increasing your provisioning level with the UpdateTable API.";
inline constexpr std::string_view kIndexExceeded =
    "The level of configured provisioned throughput for one or more global secondary indexes of the table was exceeded. Consider increasing your provisioning level for the under-provisioned global secondary indexes with the UpdateTable API.";

// For on-demand tables (AWS API reference, "CancellationReason"; those for the maximum and the
// account as SDKs report them).
inline constexpr std::string_view kTableIsScaling =
    "Throughput exceeds the current capacity of your table or index. DynamoDB is automatically scaling your table or index so please try again shortly. If exceptions persist, check if you have a hot key: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-partition-key-design.html";
inline constexpr std::string_view kIndexIsScaling =
    "Throughput exceeds the current capacity for one or more global secondary indexes. DynamoDB is automatically scaling your index so please try again shortly.";
inline constexpr std::string_view kOnDemandMaximum =
    "Throughput exceeds the maximum OnDemandThroughput configured on table or index";
inline constexpr std::string_view kAccountLimit =
    "Throughput exceeds the current throughput limit for your account. Please contact AWS Support at https://aws.amazon.com/support request a limit increase";

inline constexpr std::string_view kUnitsOnDemand =
    "One or more parameter values were invalid: Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when BillingMode is PAY_PER_REQUEST";
inline constexpr std::string_view kNoUnits =
    "One or more parameter values were invalid: ReadCapacityUnits and WriteCapacityUnits must both be specified when BillingMode is PROVISIONED";
inline constexpr std::string_view kNoProvisionedThroughput =
    "One or more parameter values were invalid: ProvisionedThroughput must be specified when BillingMode is PROVISIONED";
// From UpdateTable with both (captured from AWS, October 2026).
inline constexpr std::string_view kUnitsBesideOnDemand =
    "One or more parameter values were invalid: ProvisionedThroughput cannot be specified when BillingMode is PAY_PER_REQUEST";
std::string units_out_of_bounds(std::int64_t units, std::string_view member);

// For an index: in CreateTable, in its creation by UpdateTable, in a change of the index, and in a
// change of its table.
std::string index_units_on_demand(std::string_view index);
std::string no_index_units(std::string_view index);
std::string new_index_units_on_demand(std::string_view index);
std::string no_new_index_units(std::string_view index);
std::string changed_index_units_on_demand(std::string_view index);
std::string index_units_of_provisioned_table(std::string_view index);

std::string table_units_unchanged(std::int64_t read_units, std::int64_t write_units);
std::string index_units_unchanged(std::string_view index, std::int64_t read_units,
                                  std::int64_t write_units);

// `member`: "MaxReadRequestUnits" or "MaxWriteRequestUnits". Compared with CreateTable, UpdateTable
// uses another article, no full stop, and a space after "index".
std::string on_demand_of_new_table(std::string_view member);
std::string on_demand_of_new_index(std::string_view member, std::string_view index);
std::string on_demand_of_table(std::string_view member);
std::string on_demand_of_index(std::string_view member, std::string_view index);
// `scope`: "table" or "index : name".
std::string on_demand_out_of_range(std::string_view member, std::string_view scope);

// `member`: "ReadUnitsPerSecond" or "WriteUnitsPerSecond"; `scope`: "table" or "index name".
std::string warm_below_current(std::string_view member, std::string_view scope);
std::string warm_below_provisioned(std::string_view member, std::string_view scope,
                                   std::string_view units);
std::string warm_below_initial(std::string_view member, std::string_view scope);

}  // namespace magneto::api::messages
