#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "api/operation.h"
#include "storage/database.h"
#include "storage/table/read_range.h"
#include "storage/table/table.h"

namespace magneto::api {

// What Query and Scan read: a table, or one of its indexes.
struct ReadTarget {
  storage::TablePtr table;
  const storage::Index* index = nullptr;  // nullptr: the table itself

  const storage::KeySchema& key() const {
    return index != nullptr ? index->schema.key : table->schema.key;
  }
  // Where a start that was checked stands.
  storage::EntryKey entry_key_of(storage::ItemView start) const { return {*table, index, start}; }

  bool is_asynchronous() const { return index != nullptr && index->schema.is_asynchronous(); }
  // Whether a read is given attributes that the target itself does not hold.
  bool fetches_from_table() const { return index != nullptr && index->schema.fetches_from_table(); }

  // Then a partition key means one item at most; entries of an index may share theirs.
  bool is_table_without_sort_key() const {
    return index == nullptr && table->schema.key.sort.empty();
  }

  // Whether every entry holds the attribute if its item does.
  bool projects(std::string_view attribute) const;
  // Those of `attributes` the target does not hold, in order.
  std::vector<std::string_view> not_projected(std::span<const std::string_view> attributes) const;
};

// Whether items must be fetched from the table to return these attributes, which a local index does
// not hold. Throws ValidationException when a global index does not (captured facts,
// "proj_gsi_query_nonprojected").
bool needs_whole_items(const ReadTarget& target, std::span<const std::string_view> attributes);

// Filters see what the target holds, never the table's item behind an index entry. A read by key
// refuses a filter on attributes that its index, of either kind, does not hold; a scan takes them
// as missing (captured facts, "Index qualifier"; captured facts 2, "Index reads with a filter
// ..."). To be called for reads by key: Query, and a SELECT that names partition keys. Throws
// ValidationException.
void check_filter_is_projected(const ReadTarget& target,
                               std::span<const std::string_view> attributes);

// Whose words refuse an index: those of Query and Scan, which have parameters, or of SELECT.
enum class ReadWording { kParameters, kStatement };

// Finds the target. Throws ResourceNotFoundException, or ValidationException for an index that does
// not exist, is being back-filled, or is global and read with ConsistentRead. `index_name` is empty
// for the table itself.
ReadTarget pin_read_target(const Request& request, std::string_view name_or_arn,
                           std::string_view index_name, bool consistent,
                           ReadWording wording = ReadWording::kParameters);

}  // namespace magneto::api
