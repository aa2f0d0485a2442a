#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "api/capacity/consumed_capacity.h"
#include "api/json/json_writer.h"
#include "api/transactions/transaction.h"
#include "storage/table/item_write.h"

// Capacity of transactions: a table's units twice, an index's units once, reported as read or write
// units (captured facts 3, T1; captured facts, TransactGetItems, "ConsumedCapacity").
namespace magneto::api {

inline constexpr double kTransactionFactor = 2;

// Each function subtracts the consumed units from the tables' throughput. It appends the member
// "ConsumedCapacity", with one entry per table in order of first mention; nothing if `detail` is
// kNone.
void report_written_capacity(const Request& request, json::Writer& writer,
                             std::span<const TransactionAction> actions,
                             std::span<const storage::WriteOutcome> outcomes,
                             CapacityDetail detail);

// A receipt holds the read units of a repeat under the same client token. It is stored with the
// token; report_repeated_capacity() makes the entries from it. receipt := units of each table in
// order of first mention. It never begins with a zero, because each action costs at least two
// units.
std::string encode_receipt(std::span<const TransactionAction> actions,
                           std::span<const storage::WriteOutcome> outcomes);
void report_repeated_capacity(const Request& request, json::Writer& writer,
                              std::span<const TransactionAction> actions, std::string_view receipt,
                              CapacityDetail detail);

// A read of a transaction: the table and the units.
struct TransactionRead {
  const storage::Table& table;
  double units;
};
void report_read_capacity(const Request& request, json::Writer& writer,
                          std::span<const TransactionRead> reads, CapacityDetail detail);

}  // namespace magneto::api
