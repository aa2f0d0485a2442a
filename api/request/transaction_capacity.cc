#include "api/request/transaction_capacity.h"

#include <algorithm>

#include "api/request/admission.h"
#include "api/request/table_capacities.h"
#include "storage/encoding/keyspace.h"

namespace magneto::api {

namespace {

constexpr double kFactor = 2;

void account(const Request& request, json::Writer& writer, const TableCapacities& capacities,
             CapacityDetail detail, UnitUse use) {
  for (const auto& [table, capacity] : capacities.entries()) {
    charge(request, *table, capacity, use);
  }
  if (detail == CapacityDetail::kNone) return;
  capacities.append(writer, detail, use == UnitUse::kRead ? UnitKind::kRead : UnitKind::kWrite);
}

bool is_wanted(const Request& request, CapacityDetail detail) {
  return detail != CapacityDetail::kNone || request.limiter != nullptr;
}

double transactional_read_units(std::size_t bytes) { return kFactor * read_units(bytes, true); }

}  // namespace

void account_written(const Request& request, json::Writer& writer,
                     std::span<const TransactionAction> actions,
                     std::span<const storage::WriteOutcome> outcomes, CapacityDetail detail) {
  if (!is_wanted(request, detail)) return;
  TableCapacities capacities;
  for (std::size_t i = 0; i < actions.size(); ++i) {
    ConsumedCapacity capacity;
    add_write(outcomes[i], capacity);
    capacities.of(*actions[i].table).add(capacity, kFactor);
  }
  account(request, writer, capacities, detail, UnitUse::kWrite);
}

std::string encode_receipt(std::span<const TransactionAction> actions,
                           std::span<const storage::WriteOutcome> outcomes) {
  std::string receipt;
  for (std::size_t i = 0; i < actions.size(); ++i) {
    const std::string& name = actions[i].table->schema.name;
    const double units =
        transactional_read_units(std::max(outcomes[i].old_size, outcomes[i].new_size));
    storage::append_uint32(receipt, static_cast<std::uint32_t>(units));
    storage::append_uint16(receipt, static_cast<std::uint16_t>(name.size()));
    receipt += name;
  }
  return receipt;
}

void account_repeated(const Request& request, json::Writer& writer,
                      std::span<const TransactionAction> actions, std::string_view receipt,
                      CapacityDetail detail) {
  if (!is_wanted(request, detail)) return;
  TableCapacities capacities;
  while (!receipt.empty()) {
    const double units = storage::read_uint32(receipt);
    const std::size_t name_size = storage::read_uint16(receipt.substr(4));
    const std::string_view name = receipt.substr(6, name_size);
    // A repeat names the tables of the first time.
    const auto action = std::ranges::find_if(
        actions, [name](const TransactionAction& one) { return one.table->schema.name == name; });
    if (action != actions.end()) capacities.of(*action->table).table += units;
    receipt.remove_prefix(6 + name_size);
  }
  account(request, writer, capacities, detail, UnitUse::kRead);
}

void account_read(const Request& request, json::Writer& writer,
                  std::span<const TransactionRead> reads, CapacityDetail detail) {
  if (!is_wanted(request, detail)) return;
  TableCapacities capacities;
  for (const TransactionRead& read : reads) {
    capacities.of(read.table).table += transactional_read_units(read.size);
  }
  account(request, writer, capacities, detail, UnitUse::kRead);
}

}  // namespace magneto::api
