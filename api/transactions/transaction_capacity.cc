#include "api/transactions/transaction_capacity.h"

#include <algorithm>

#include "api/capacity/metering.h"
#include "api/capacity/table_capacities.h"
#include "storage/encoding/keyspace.h"
#include "storage/model/narrow.h"

namespace magneto::api {

namespace {

void report_capacity(const Request& request, json::Writer& writer,
                     const TableCapacities& capacities, CapacityDetail detail, UnitUse use) {
  for (const auto& [table, capacity] : capacities.entries()) {
    request.metering.consume(*table, capacity, use);
  }
  if (detail == CapacityDetail::kNone) return;
  capacities.append(writer, detail, use == UnitUse::kRead ? UnitKind::kRead : UnitKind::kWrite);
}

// Appends the units of one table in a receipt: 7 bits per byte, the lowest first; all bytes but the
// last are 0x80 or more.
void append_units(std::uint64_t units, std::string& out) {
  for (; units >= 0x80; units >>= 7) out.push_back(static_cast<char>(units | 0x80));
  out.push_back(static_cast<char>(units));
}

std::uint64_t take_units(std::string_view& receipt) {
  std::uint64_t units = 0;
  for (int shift = 0; !receipt.empty() && shift < 63; shift += 7) {
    const auto byte = static_cast<std::uint8_t>(receipt.front());
    receipt.remove_prefix(1);
    units |= std::uint64_t{byte & 0x7FU} << shift;
    if (byte < 0x80) break;
  }
  return units;
}

// receipt := { units:4 name-size:2 table-name }, as in data directories of format 2.
void read_receipt_of_format_2(std::string_view receipt, std::span<const TransactionAction> actions,
                              TableCapacities& capacities) {
  constexpr std::size_t kFixedSize = 6;
  while (receipt.size() >= kFixedSize) {
    const double units = storage::read_uint32(receipt);
    const std::size_t name_size = storage::read_uint16(receipt.substr(4));
    const std::string_view name = receipt.substr(kFixedSize, name_size);
    const auto action = std::ranges::find_if(
        actions, [name](const TransactionAction& one) { return one.table->schema.name == name; });
    if (action != actions.end()) capacities.of(*action->table).table += units;
    receipt.remove_prefix(kFixedSize + name.size());
  }
}

double transactional_read_units(std::size_t bytes) {
  return kTransactionFactor * read_units(bytes, true);
}

}  // namespace

void report_written_capacity(const Request& request, json::Writer& writer,
                             std::span<const TransactionAction> actions,
                             std::span<const storage::WriteOutcome> outcomes,
                             CapacityDetail detail) {
  TableCapacities capacities;
  for (std::size_t i = 0; i < actions.size(); ++i) {
    ConsumedCapacity capacity;
    add_write(outcomes[i], capacity);
    capacities.of(*actions[i].table).add(capacity, kTransactionFactor);
  }
  report_capacity(request, writer, capacities, detail, UnitUse::kWrite);
}

std::string encode_receipt(std::span<const TransactionAction> actions,
                           std::span<const storage::WriteOutcome> outcomes) {
  TableCapacities capacities;
  for (std::size_t i = 0; i < actions.size(); ++i) {
    capacities.of(*actions[i].table).table +=
        transactional_read_units(charged_write_size(outcomes[i]));
  }
  std::string receipt;
  for (const auto& [table, capacity] : capacities.entries()) {
    append_units(static_cast<std::uint64_t>(capacity.table), receipt);
  }
  return receipt;
}

void report_repeated_capacity(const Request& request, json::Writer& writer,
                              std::span<const TransactionAction> actions, std::string_view receipt,
                              CapacityDetail detail) {
  TableCapacities capacities;
  if (receipt.starts_with('\0')) {
    read_receipt_of_format_2(receipt, actions, capacities);
  } else {
    // A repeat names the same tables as the first request, in the same order.
    for (const TransactionAction& action : actions) capacities.of(*action.table);
    for (auto& [table, capacity] : capacities.entries()) {
      capacity.table = static_cast<double>(take_units(receipt));
    }
  }
  report_capacity(request, writer, capacities, detail, UnitUse::kRead);
}

void report_read_capacity(const Request& request, json::Writer& writer,
                          std::span<const TransactionRead> reads, CapacityDetail detail) {
  TableCapacities capacities;
  for (const TransactionRead& read : reads) {
    capacities.of(read.table).table += read.units;
  }
  report_capacity(request, writer, capacities, detail, UnitUse::kRead);
}

}  // namespace magneto::api
