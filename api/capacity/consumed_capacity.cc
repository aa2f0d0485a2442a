#include "api/capacity/consumed_capacity.h"

#include <algorithm>

#include "api/index_lists.h"
#include "storage/model/charged_sizes.h"
#include "storage/model/limits.h"

namespace magneto::api {

namespace {

constexpr std::size_t kLeastVectorWrite = 1'024;

double units(std::size_t bytes, std::size_t unit_size) {
  return static_cast<double>(std::max<std::size_t>(1, (bytes + unit_size - 1) / unit_size));
}

void append_unit_members(json::Writer& writer, double value, UnitKind kind) {
  writer.key("CapacityUnits");
  writer.number(value);
  if (kind == UnitKind::kUntold) return;
  writer.key(kind == UnitKind::kRead ? "ReadCapacityUnits" : "WriteCapacityUnits");
  writer.number(value);
}

void append_units(json::Writer& writer, double value, UnitKind kind) {
  writer.begin_object();
  append_unit_members(writer, value, kind);
  writer.end_object();
}

void append_vectors(json::Writer& writer, const ConsumedCapacity& capacity) {
  if (capacity.vectors.empty()) return;
  writer.key(list_of(storage::IndexKind::kVector));
  writer.begin_object();
  for (const auto& [index, bytes] : capacity.vectors) {
    writer.key(index->schema.name);
    writer.begin_object();
    writer.key("VectorWriteRequestBytes");
    writer.number(bytes);
    writer.end_object();
  }
  writer.end_object();
}

void append_indexes(json::Writer& writer, storage::IndexKind index_kind,
                    const ConsumedCapacity& capacity, UnitKind kind) {
  bool any = false;
  for (const auto& [index, value] : capacity.indexes) {
    if (index->schema.kind != index_kind) continue;
    if (!any) {
      writer.key(list_of(index_kind));
      writer.begin_object();
      any = true;
    }
    writer.key(index->schema.name);
    append_units(writer, value, kind);
  }
  if (any) writer.end_object();
}

}  // namespace

CapacityDetail capacity_detail(const Parameters& parameters) {
  const std::string_view detail = parameters.string_or_empty("ReturnConsumedCapacity");
  if (detail == "TOTAL") return CapacityDetail::kTotal;
  return detail == "INDEXES" ? CapacityDetail::kIndexes : CapacityDetail::kNone;
}

double read_units(std::size_t bytes, bool consistent) {
  return units(bytes, storage::kReadUnitSize) * (consistent ? 1.0 : 0.5);
}

double item_read_units(const storage::Table& table, const storage::StoredItem& item,
                       bool consistent) {
  return read_units(storage::charged_size(table.schema, item.view(), item.size()), consistent);
}

double write_units(std::size_t bytes) { return units(bytes, storage::kWriteUnitSize); }

double ConsumedCapacity::total() const {
  double sum = table + refused;
  for (const auto& [index, value] : indexes) sum += value;
  return sum;
}

void ConsumedCapacity::add_index(const storage::Index& index, double value) {
  for (auto& [known, sum] : indexes) {
    if (known == &index) {
      sum += value;
      return;
    }
  }
  indexes.emplace_back(&index, value);
}

void ConsumedCapacity::add_vectors(const storage::Index& index, double bytes) {
  for (auto& [known, sum] : vectors) {
    if (known == &index) {
      sum += bytes;
      return;
    }
  }
  vectors.emplace_back(&index, bytes);
}

void ConsumedCapacity::add(const ConsumedCapacity& other, double table_factor) {
  table += table_factor * other.table;
  for (const auto& [index, value] : other.indexes) add_index(*index, value);
  for (const auto& [index, bytes] : other.vectors) add_vectors(*index, bytes);
}

std::size_t charged_write_size(const storage::WriteOutcome& outcome) {
  if (outcome.table == nullptr) return std::max(outcome.old_size, outcome.new_size);
  const storage::TableSchema& schema = outcome.table->schema;
  if (schema.indexes.empty()) return std::max(outcome.old_size, outcome.new_size);
  const storage::ChargedSizes sizes(schema);
  return std::max(sizes.of(outcome.old_item.view(), outcome.old_size),
                  sizes.of(outcome.new_item.view(), outcome.new_size));
}

void add_write(const storage::WriteOutcome& outcome, ConsumedCapacity& capacity) {
  capacity.table += write_units(charged_write_size(outcome));
  for (const storage::IndexEffect& effect : outcome.index_effects) {
    if (effect.index->schema.kind == storage::IndexKind::kVector) {
      const std::size_t bytes = std::max(effect.old_size, effect.new_size);
      capacity.add_vectors(*effect.index, static_cast<double>(std::max(bytes, kLeastVectorWrite)));
      continue;
    }
    const double value = effect.moved ? write_units(effect.old_size) + write_units(effect.new_size)
                                      : write_units(std::max(effect.old_size, effect.new_size));
    capacity.add_index(*effect.index, value);
  }
}

void append_capacity(json::Writer& writer, std::string_view table_name,
                     const ConsumedCapacity& capacity, CapacityDetail detail, UnitKind kind) {
  writer.begin_object();
  writer.key("TableName");
  writer.string(table_name);
  append_unit_members(writer, capacity.total(), kind);
  if (detail == CapacityDetail::kIndexes) {
    writer.key("Table");
    append_units(writer, capacity.table, kind);
    append_indexes(writer, storage::IndexKind::kLocal, capacity, kind);
    append_indexes(writer, storage::IndexKind::kGlobal, capacity, kind);
    append_vectors(writer, capacity);
  }
  writer.end_object();
}

void append_consumed_capacity(json::Writer& writer, const Parameters& parameters,
                              const storage::Table& table, const ConsumedCapacity& capacity) {
  const CapacityDetail detail = capacity_detail(parameters);
  if (detail == CapacityDetail::kNone) return;
  writer.key("ConsumedCapacity");
  append_capacity(writer, table.schema.name, capacity, detail);
}

}  // namespace magneto::api
