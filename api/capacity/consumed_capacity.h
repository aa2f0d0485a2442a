#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>

#include "absl/container/inlined_vector.h"
#include "api/json/json_writer.h"
#include "api/request/parameters.h"
#include "storage/table/item_write.h"
#include "storage/table/table.h"

namespace magneto::api {

// ReturnConsumedCapacity.
enum class CapacityDetail { kNone, kTotal, kIndexes };
CapacityDetail capacity_detail(const Parameters& parameters);

// The units for reading so many bytes: one for each 4 KB begun, at least one; half without
// ConsistentRead.
double read_units(std::size_t bytes, bool consistent);
// The units for reading an item of the table, found or not, as it is charged
// (storage/model/charged_sizes).
double item_read_units(const storage::Table& table, const storage::StoredItem& item,
                       bool consistent);
// The units for writing so many bytes: one for each KB begun, at least one.
double write_units(std::size_t bytes);

// Tables and global indexes have both kinds of units.
enum class UnitUse : std::uint8_t { kRead, kWrite };

// The consumption of a request, on the table and on its indexes.
struct ConsumedCapacity {
  double table = 0;
  absl::InlinedVector<std::pair<const storage::Index*, double>, 4> indexes;
  // Bytes that writes put into vector indexes. They are not units.
  absl::InlinedVector<std::pair<const storage::Index*, double>, 1> vectors{};

  double refused = 0;  // units of refused writes, part of the total alone

  double total() const;  // in units
  void add_index(const storage::Index& index, double units);
  void add_vectors(const storage::Index& index, double bytes);
  // `table_factor` applies to the table's own units (captured facts 3, T1).
  void add(const ConsumedCapacity& other, double table_factor = 1);
};

// The larger of the old and the new item, as a write of it is charged; the old item alone if the
// write was refused.
std::size_t charged_write_size(const storage::WriteOutcome& outcome);

// Adds what one write consumed: the larger of the old and the new item on the table, and on every
// index whose entry changed the larger of the two entries, or both when it moved (captured facts,
// "Consumed capacity"). A vector counts four bytes for each dimension, and a vector index's entry a
// KB at least (captured facts, "Vector capacity").
void add_write(const storage::WriteOutcome& outcome, ConsumedCapacity& capacity);

// Whether an answer names the units ReadCapacityUnits or WriteCapacityUnits. Only transactions do
// (captured facts, "Consumed capacity").
enum class UnitKind { kUntold, kRead, kWrite };

// Appends the structure {"TableName":...,"CapacityUnits":...}; `detail` is not kNone.
void append_capacity(json::Writer& writer, std::string_view table_name,
                     const ConsumedCapacity& capacity, CapacityDetail detail,
                     UnitKind kind = UnitKind::kUntold);
// Appends it as the member ConsumedCapacity, where a request on one table asks for that.
void append_consumed_capacity(json::Writer& writer, const Parameters& parameters,
                              const storage::Table& table, const ConsumedCapacity& capacity);

}  // namespace magneto::api
