#pragma once

#include <vector>

#include "api/capacity/consumed_capacity.h"
#include "api/json/json_writer.h"
#include "storage/table/table.h"

namespace magneto::api {

// Consumed capacity per table, in the order of first mention. The tables must outlive this object.
class TableCapacities {
 public:
  struct Entry {
    const storage::Table* table;
    ConsumedCapacity capacity;
  };

  ConsumedCapacity& of(const storage::Table& table);
  // nullptr if the table has none.
  ConsumedCapacity* find(const storage::Table& table);
  const std::vector<Entry>& entries() const { return entries_; }
  std::vector<Entry>& entries() { return entries_; }
  // Appends the member "ConsumedCapacity", with one entry per table; `detail` is not kNone.
  void append(json::Writer& writer, CapacityDetail detail, UnitKind kind = UnitKind::kUntold) const;

 private:
  std::vector<Entry> entries_;
};

}  // namespace magneto::api
