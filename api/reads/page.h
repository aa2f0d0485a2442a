#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "absl/functional/function_ref.h"
#include "api/capacity/consumed_capacity.h"
#include "api/json/json_writer.h"
#include "api/operation.h"
#include "api/reads/read_target.h"
#include "api/request/parameters.h"
#include "expressions/condition.h"
#include "expressions/projection.h"
#include "storage/database.h"
#include "storage/model/effort.h"
#include "storage/model/limits.h"
#include "storage/table/read_range.h"

namespace magneto::api {

class KeyNotes;

// Work that one page may take: a filter of 20 operators on as many items as 1 MB can hold stays
// below it. About 0.2 s of a processor.
inline constexpr std::uint64_t kPageSteps = std::uint64_t{1} << 25;

// One call of Query or Scan, after its checks.
struct PageRequest {
  const ReadTarget& target;
  storage::ReadRange range;
  storage::Direction direction = storage::Direction::kForward;
  std::optional<std::int64_t> limit;            // items to evaluate at most
  std::size_t size_limit = storage::kPageSize;  // bytes to read at most
  std::uint64_t step_limit = kPageSteps;        // work after which no further item is read
  const expressions::Condition* filter = nullptr;
  const expressions::Projection* projection = nullptr;
  bool count_only = false;
  // Whether the answer needs the table's item where an index entry does not hold it all (local
  // indexes only). The filter sees the entry.
  bool returns_whole_items = false;
  // Whether what is read of each partition is rounded up to units alone, instead of all together.
  bool rounds_partitions = false;
  bool consistent = false;
  KeyNotes* notes = nullptr;                               // nullptr: nobody counts keys
  std::span<const storage::AttributeView> partition = {};  // a Query's; where it is throttled
};

// What a walk over one page came to.
struct PageOutcome {
  std::int64_t scanned = 0;
  std::int64_t count = 0;  // those that passed the filter
  std::size_t bytes = 0;   // of everything read
  storage::Item last;      // the last item evaluated when the page is full; no bytes at the end
  ConsumedCapacity capacity;

  bool is_full() const { return !last.bytes().empty(); }
};

// Reads one page and calls `found` with each item that passes the filter, not yet projected. A page
// ends after the item with which `limit` items or `size_limit` bytes are reached, both counted
// before the filter, even if nothing follows (AWS developer guide, "Paginating table query
// results"). It also ends, after one item at least, when `step_limit` steps were spent or the
// server is to end.
PageOutcome walk_page(storage::Database& database, const PageRequest& page, storage::Effort& effort,
                      absl::FunctionRef<void(storage::ItemView item)> found);

// Appends the member LastEvaluatedKey for an item or entry of the target.
void append_last_key(json::Writer& writer, const ReadTarget& target, storage::ItemView item);

// Reads one page and appends the response: Items, Count, ScannedCount, LastEvaluatedKey and
// ConsumedCapacity.
void append_page_response(Request& request, const Parameters& parameters, PageRequest page);

}  // namespace magneto::api
