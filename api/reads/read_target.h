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

// The target of Query and Scan: a table, or one of its indexes.
struct ReadTarget {
  storage::TablePtr table;
  const storage::Index* index = nullptr;  // nullptr: the table itself

  const storage::KeySchema& key() const {
    return index != nullptr ? index->schema.key : table->schema.key;
  }
  // The position of a checked start key.
  storage::EntryKey entry_key_of(storage::ItemView start) const { return {*table, index, start}; }

  bool is_asynchronous() const { return index != nullptr && index->schema.is_asynchronous(); }
  // Whether a read returns attributes that the target itself does not hold.
  bool fetches_from_table() const { return index != nullptr && index->schema.fetches_from_table(); }

  // In such a table, a partition key means at most one item; entries of an index may share theirs.
  bool is_table_without_sort_key() const {
    return index == nullptr && table->schema.key.sort.empty();
  }

  // Whether every entry holds the attribute if its item does.
  bool projects(std::string_view attribute) const;
  // The attributes in `attributes` that the target does not hold, in order.
  std::vector<std::string_view> not_projected(std::span<const std::string_view> attributes) const;
};

// Whether items must be fetched from the table, because a local index does not hold all these
// attributes. Throws ValidationException if a global index does not hold them (captured facts,
// "proj_gsi_query_nonprojected").
bool needs_whole_items(const ReadTarget& target, std::span<const std::string_view> attributes);

// Checks the attributes of a filter. Filters see only the attributes of the target, never the
// table's item for an index entry. A read by key refuses a filter on attributes that its index,
// global or local, does not hold. A scan treats them as missing (captured facts, "Index qualifier";
// captured facts 2, "Index reads with a filter ..."). Call this for reads by key: Query, and a
// SELECT that names partition keys. Throws ValidationException.
void check_filter_is_projected(const ReadTarget& target,
                               std::span<const std::string_view> attributes);

// The style of messages that refuse an index: for Query and Scan, which have parameters, or for
// SELECT.
enum class ReadWording { kParameters, kStatement };

// Finds the target. Throws ResourceNotFoundException. Throws ValidationException if the index does
// not exist or is being back-filled, or if a global index is read with ConsistentRead. `index_name`
// is empty for the table itself.
ReadTarget pin_read_target(const Request& request, std::string_view name_or_arn,
                           std::string_view index_name, bool consistent,
                           ReadWording wording = ReadWording::kParameters);

}  // namespace magneto::api
