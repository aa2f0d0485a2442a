#include "api/request/transaction_capacity.h"

#include <algorithm>
#include <utility>

#include "storage/encoding/keyspace.h"

namespace magneto::api {

namespace {

constexpr double kFactor = 2;

// Sums by table, in order of first mention.
class TableSums {
 public:
  ConsumedCapacity& of(std::string_view table_name) {
    for (auto& [name, capacity] : sums_) {
      if (name == table_name) return capacity;
    }
    return sums_.emplace_back(table_name, ConsumedCapacity{}).second;
  }

  void append(json::Writer& writer, CapacityDetail detail, UnitKind kind) const {
    if (detail == CapacityDetail::kNone) return;
    writer.key("ConsumedCapacity");
    writer.begin_array();
    for (const auto& [name, capacity] : sums_)
      append_capacity(writer, name, capacity, detail, kind);
    writer.end_array();
  }

 private:
  std::vector<std::pair<std::string_view, ConsumedCapacity>> sums_;
};

double transactional_read_units(std::size_t bytes) { return kFactor * read_units(bytes, true); }

}  // namespace

void append_written_capacity(json::Writer& writer, std::span<const TransactionAction> actions,
                             std::span<const storage::WriteOutcome> outcomes,
                             CapacityDetail detail) {
  if (detail == CapacityDetail::kNone) return;
  TableSums sums;
  for (std::size_t i = 0; i < actions.size(); ++i) {
    ConsumedCapacity capacity;
    add_write(outcomes[i], capacity);
    ConsumedCapacity& sum = sums.of(actions[i].table->schema.name);
    sum.table += kFactor * capacity.table;
    for (const auto& [index, units] : capacity.indexes) sum.add_index(*index, kFactor * units);
  }
  sums.append(writer, detail, UnitKind::kWrite);
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

void append_repeated_capacity(json::Writer& writer, std::string_view receipt,
                              CapacityDetail detail) {
  TableSums sums;
  while (!receipt.empty()) {
    const double units = storage::read_uint32(receipt);
    const std::size_t name_size = storage::read_uint16(receipt.substr(4));
    sums.of(receipt.substr(6, name_size)).table += units;
    receipt.remove_prefix(6 + name_size);
  }
  sums.append(writer, detail, UnitKind::kRead);
}

void append_read_capacity(json::Writer& writer, std::span<const TransactionRead> reads,
                          CapacityDetail detail) {
  TableSums sums;
  for (const TransactionRead& read : reads) {
    sums.of(read.table_name).table += transactional_read_units(read.size);
  }
  sums.append(writer, detail, UnitKind::kRead);
}

}  // namespace magneto::api
