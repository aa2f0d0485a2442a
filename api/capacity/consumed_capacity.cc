#include "api/capacity/consumed_capacity.h"

#include <algorithm>

#include "storage/model/limits.h"

namespace magneto::api {

namespace {

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

void append_indexes(json::Writer& writer, std::string_view member, storage::IndexKind index_kind,
                    const ConsumedCapacity& capacity, UnitKind kind) {
  bool any = false;
  for (const auto& [index, value] : capacity.indexes) {
    if (index->schema.kind != index_kind) continue;
    if (!any) {
      writer.key(member);
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

double write_units(std::size_t bytes) { return units(bytes, storage::kWriteUnitSize); }

double ConsumedCapacity::total() const {
  double sum = table;
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

void ConsumedCapacity::add(const ConsumedCapacity& other, double factor) {
  table += factor * other.table;
  for (const auto& [index, value] : other.indexes) add_index(*index, factor * value);
}

void add_write(const storage::WriteOutcome& outcome, ConsumedCapacity& capacity) {
  capacity.table += write_units(std::max(outcome.old_size, outcome.new_size));
  for (const storage::IndexEffect& effect : outcome.index_effects) {
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
    append_indexes(writer, "LocalSecondaryIndexes", storage::IndexKind::kLocal, capacity, kind);
    append_indexes(writer, "GlobalSecondaryIndexes", storage::IndexKind::kGlobal, capacity, kind);
  }
  writer.end_object();
}

}  // namespace magneto::api
