#include "api/capacity/table_capacities.h"

namespace magneto::api {

ConsumedCapacity& TableCapacities::of(const storage::Table& table) {
  ConsumedCapacity* const known = find(table);
  return known != nullptr ? *known : entries_.emplace_back(Entry{&table, {}}).capacity;
}

ConsumedCapacity* TableCapacities::find(const storage::Table& table) {
  for (Entry& entry : entries_) {
    if (entry.table->schema.name == table.schema.name) return &entry.capacity;
  }
  return nullptr;
}

void TableCapacities::append(json::Writer& writer, CapacityDetail detail, UnitKind kind) const {
  writer.key("ConsumedCapacity");
  writer.begin_array();
  for (const Entry& entry : entries_) {
    append_capacity(writer, entry.table->schema.name, entry.capacity, detail, kind);
  }
  writer.end_array();
}

}  // namespace magneto::api
