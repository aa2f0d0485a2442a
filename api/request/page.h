#pragma once

#include <cstddef>
#include <optional>

#include "absl/functional/function_ref.h"
#include "api/json/json_writer.h"
#include "api/operation.h"
#include "api/request/consumed_capacity.h"
#include "api/request/parameters.h"
#include "api/request/read_target.h"
#include "expressions/condition.h"
#include "expressions/projection.h"
#include "storage/database.h"
#include "storage/encoding/key_encoding.h"
#include "storage/model/limits.h"

namespace magneto::api {

// One call of Query or Scan, after its checks.
struct PageRequest {
  const ReadTarget& target;
  storage::KeyRange range;
  storage::Direction direction = storage::Direction::kForward;
  std::optional<std::int64_t> limit;            // items to evaluate at most
  std::size_t size_limit = storage::kPageSize;  // bytes to read at most
  const expressions::Condition* filter = nullptr;
  const expressions::Projection* projection = nullptr;
  bool count_only = false;
  // Whether the filter, and the answer, need the table's item where an index entry does not hold it
  // all (local indexes only).
  bool filters_whole_items = false;
  bool returns_whole_items = false;
  bool consistent = false;
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
// results").
PageOutcome walk_page(storage::Database& database, const PageRequest& page,
                      absl::FunctionRef<void(storage::ItemView item)> found);

// Appends the member LastEvaluatedKey for an item or entry of the target.
void append_last_key(json::Writer& writer, const ReadTarget& target, storage::ItemView item);

// Reads one page and appends the response: Items, Count, ScannedCount, LastEvaluatedKey and
// ConsumedCapacity.
void append_page_response(Request& request, const Parameters& parameters, const PageRequest& page);

}  // namespace magneto::api
