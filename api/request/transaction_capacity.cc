#include "api/request/transaction_capacity.h"

#include <algorithm>

#include "api/request/admission.h"
#include "storage/encoding/keyspace.h"

namespace magneto::api {

namespace {

constexpr double kFactor = 2;

// What was consumed of each table, in order of first mention.
class TableSums {
 public:
  ConsumedCapacity& of(const storage::Table& table) {
    for (Sum& sum : sums_) {
      if (sum.table->schema.name == table.schema.name) return sum.capacity;
    }
    return sums_.emplace_back(Sum{&table, {}}).capacity;
  }

  void account(const Request& request, json::Writer& writer, CapacityDetail detail,
               UnitUse use) const {
    for (const Sum& sum : sums_) charge(request, *sum.table, sum.capacity, use);
    if (detail == CapacityDetail::kNone) return;
    const UnitKind kind = use == UnitUse::kRead ? UnitKind::kRead : UnitKind::kWrite;
    writer.key("ConsumedCapacity");
    writer.begin_array();
    for (const Sum& sum : sums_) {
      append_capacity(writer, sum.table->schema.name, sum.capacity, detail, kind);
    }
    writer.end_array();
  }

 private:
  struct Sum {
    const storage::Table* table;
    ConsumedCapacity capacity;
  };
  std::vector<Sum> sums_;
};

bool is_wanted(const Request& request, CapacityDetail detail) {
  return detail != CapacityDetail::kNone || request.limiter != nullptr;
}

double transactional_read_units(std::size_t bytes) { return kFactor * read_units(bytes, true); }

}  // namespace

void account_written(const Request& request, json::Writer& writer,
                     std::span<const TransactionAction> actions,
                     std::span<const storage::WriteOutcome> outcomes, CapacityDetail detail) {
  if (!is_wanted(request, detail)) return;
  TableSums sums;
  for (std::size_t i = 0; i < actions.size(); ++i) {
    ConsumedCapacity capacity;
    add_write(outcomes[i], capacity);
    sums.of(*actions[i].table).add(capacity, kFactor);
  }
  sums.account(request, writer, detail, UnitUse::kWrite);
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
  TableSums sums;
  while (!receipt.empty()) {
    const double units = storage::read_uint32(receipt);
    const std::size_t name_size = storage::read_uint16(receipt.substr(4));
    const std::string_view name = receipt.substr(6, name_size);
    // A repeat names the tables of the first time.
    const auto action = std::ranges::find_if(
        actions, [name](const TransactionAction& one) { return one.table->schema.name == name; });
    if (action != actions.end()) sums.of(*action->table).table += units;
    receipt.remove_prefix(6 + name_size);
  }
  sums.account(request, writer, detail, UnitUse::kRead);
}

void account_read(const Request& request, json::Writer& writer,
                  std::span<const TransactionRead> reads, CapacityDetail detail) {
  if (!is_wanted(request, detail)) return;
  TableSums sums;
  for (const TransactionRead& read : reads) {
    sums.of(read.table).table += transactional_read_units(read.size);
  }
  sums.account(request, writer, detail, UnitUse::kRead);
}

}  // namespace magneto::api
