#pragma once

#include <cstddef>
#include <optional>

#include "api/operation.h"
#include "api/request/parameters.h"
#include "api/request/read_target.h"
#include "expressions/condition.h"
#include "expressions/projection.h"
#include "storage/database.h"
#include "storage/encoding/key_encoding.h"

namespace magneto::api {

// One call of Query or Scan, after its checks.
struct PageRequest {
  const ReadTarget& target;
  storage::KeyRange range;
  storage::Direction direction = storage::Direction::kForward;
  std::optional<std::int64_t> limit;  // items to evaluate at most
  const expressions::Condition* filter = nullptr;
  const expressions::Projection* projection = nullptr;
  bool count_only = false;
  // Whether the filter, and the answer, need the table's item where an index entry does not hold it
  // all (local indexes only).
  bool filters_whole_items = false;
  bool returns_whole_items = false;
  bool consistent = false;
};

// Reads one page and appends the response: Items, Count, ScannedCount, LastEvaluatedKey and
// ConsumedCapacity. A page ends after the item with which `limit` items or 1 MB are reached, both
// counted before the filter; it has a LastEvaluatedKey then, even if nothing follows (AWS developer
// guide, "Paginating table query results").
void append_page_response(Request& request, const Parameters& parameters, const PageRequest& page);

}  // namespace magneto::api
