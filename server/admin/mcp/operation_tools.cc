#include <array>

#include "server/admin/mcp/tool.h"

namespace magneto::server::admin::mcp {
namespace {

constexpr Tool operation(std::string_view name, std::string_view operation_name, Effect effect,
                         bool idempotent, std::string_view description) {
  return {name, effect, idempotent, description, operation_name};
}

constexpr std::array kOperationTools = {
    operation("list_tables", "ListTables", Effect::kReads, true, "Lists the names of the tables."),
    operation("describe_table", "DescribeTable", Effect::kReads, true,
              "Describes a table: keys, indexes, stream, status and number of items."),
    operation("create_table", "CreateTable", Effect::kAdds, false,
              "Creates a table. With BillingMode PAY_PER_REQUEST it needs no throughput."),
    operation("update_table", "UpdateTable", Effect::kChanges, true,
              "Changes a table: indexes, stream, throughput, deletion protection."),
    operation("delete_table", "DeleteTable", Effect::kChanges, true,
              "Deletes a table with its items."),
    operation("describe_time_to_live", "DescribeTimeToLive", Effect::kReads, true,
              "Tells the attribute by which the items of a table expire."),
    operation("update_time_to_live", "UpdateTimeToLive", Effect::kChanges, true,
              "Chooses the attribute by which the items of a table expire."),
    operation("get_item", "GetItem", Effect::kReads, true, "Reads one item by its whole key."),
    operation("put_item", "PutItem", Effect::kChanges, true,
              "Writes one item, in place of an item with the same key."),
    operation("update_item", "UpdateItem", Effect::kChanges, false,
              "Changes attributes of one item by an UpdateExpression; creates a missing item."),
    operation("delete_item", "DeleteItem", Effect::kChanges, true, "Deletes one item by its key."),
    operation(
        "query", "Query", Effect::kReads, true,
        "Reads the items of one partition key, of a table or an index. A page has at most 100 items unless Limit is given."),
    operation(
        "scan", "Scan", Effect::kReads, true,
        "Reads the items of a whole table or index. A page has at most 100 items unless Limit is given."),
    operation("batch_get_item", "BatchGetItem", Effect::kReads, true,
              "Reads up to 100 items by their keys."),
    operation("batch_write_item", "BatchWriteItem", Effect::kChanges, true,
              "Puts or deletes up to 25 items."),
    operation("transact_get_items", "TransactGetItems", Effect::kReads, true,
              "Reads up to 100 items of one moment."),
    operation("transact_write_items", "TransactWriteItems", Effect::kChanges, false,
              "Writes up to 100 items, all or none."),
    operation(
        "execute_statement", "ExecuteStatement", Effect::kChanges, false,
        "Runs one PartiQL statement: SELECT, INSERT, UPDATE or DELETE. To run a SELECT on a read-only connection, use explain."),
    operation("batch_execute_statement", "BatchExecuteStatement", Effect::kChanges, false,
              "Runs up to 25 PartiQL statements, each on its own."),
    operation("execute_transaction", "ExecuteTransaction", Effect::kChanges, false,
              "Runs up to 100 PartiQL statements, all or none."),
};

}  // namespace

std::span<const Tool> operation_tools() { return kOperationTools; }

}  // namespace magneto::server::admin::mcp
