#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "api/capacity/consumed_capacity.h"
#include "api/json/json_writer.h"
#include "api/transactions/transaction.h"
#include "storage/table/item_write.h"

// Capacity of transactions: twice the units of the plain operation, told apart as read or write
// (captured facts, TransactWriteItems and TransactGetItems, "ConsumedCapacity").
namespace magneto::api {

inline constexpr double kTransactionFactor = 2;

// Each takes what was consumed from the tables' throughput, and appends the member
// "ConsumedCapacity", one entry for each table in order of first mention; nothing when `detail` is
// kNone.
void report_written_capacity(const Request& request, json::Writer& writer,
                             std::span<const TransactionAction> actions,
                             std::span<const storage::WriteOutcome> outcomes,
                             CapacityDetail detail);

// What a repeat under the same client token reads, kept with the token, and the entries that tell
// of it. receipt := units of each table in order of first mention; never begins with a zero, as
// each action costs two units at least.
std::string encode_receipt(std::span<const TransactionAction> actions,
                           std::span<const storage::WriteOutcome> outcomes);
void report_repeated_capacity(const Request& request, json::Writer& writer,
                              std::span<const TransactionAction> actions, std::string_view receipt,
                              CapacityDetail detail);

// Reads of a transaction: the table and the size of the item found, 0 for none.
struct TransactionRead {
  const storage::Table& table;
  std::size_t size;
};
void report_read_capacity(const Request& request, json::Writer& writer,
                          std::span<const TransactionRead> reads, CapacityDetail detail);

}  // namespace magneto::api
