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

class KeyUsage;

// The work that one page may take, about 0.2 s of a processor. A filter of 20 operators on all
// items that fit in 1 MB takes less.
inline constexpr std::uint64_t kPageSteps = std::uint64_t{1} << 25;

// One call of Query or Scan, after its checks.
struct PageRequest {
  const ReadTarget& target;
  storage::ReadRange range;
  storage::Direction direction = storage::Direction::kForward;
  std::optional<std::int64_t> limit;            // maximum number of items to evaluate
  std::size_t size_limit = storage::kPageSize;  // maximum number of bytes to read
  std::uint64_t step_limit = kPageSteps;        // after this much work, no further item is read
  const expressions::Condition* filter = nullptr;
  const expressions::Projection* projection = nullptr;
  bool count_only = false;
  // Whether to fetch the table's item if an index entry does not hold every needed attribute (local
  // indexes only). The filter sees the entry.
  bool returns_whole_items = false;
  // Whether to round the bytes read up to units for each partition, instead of for all together.
  bool rounds_partitions = false;
  bool consistent = false;
  KeyUsage* notes = nullptr;                               // nullptr: keys are not counted
  std::span<const storage::AttributeView> partition = {};  // of a Query; used for throttling
};

// The result of a walk over one page.
struct PageOutcome {
  std::int64_t scanned = 0;
  std::int64_t count = 0;  // items that passed the filter
  std::size_t bytes = 0;   // size of everything read
  storage::Item last;      // the last item evaluated, if the page is full; otherwise empty
  ConsumedCapacity capacity;

  bool is_full() const { return !last.bytes().empty(); }
};

// Reads one page and calls `found` with each item that passes the filter, not yet projected. A page
// ends after the item that reaches `limit` or `size_limit`, even if nothing follows. Both are
// counted before the filter (AWS developer guide, "Paginating table query results"). After at least
// one item, it also ends when `step_limit` steps have been spent or the server is stopping.
PageOutcome walk_page(storage::Database& database, const PageRequest& page, storage::Effort& effort,
                      absl::FunctionRef<void(storage::ItemView item)> found);

// Appends the member LastEvaluatedKey for an item or entry of the target.
void append_last_key(json::Writer& writer, const ReadTarget& target, storage::ItemView item);

// Reads one page and appends the response: Items, Count, ScannedCount, LastEvaluatedKey and
// ConsumedCapacity.
void append_page_response(Request& request, const Parameters& parameters, PageRequest page);

}  // namespace magneto::api
