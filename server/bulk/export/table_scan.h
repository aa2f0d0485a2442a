#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "api/json/json_reader.h"
#include "server/client/endpoint/endpoint.h"

namespace magneto::server::bulk {

// FilterExpression, the JSON of ExpressionAttributeNames and ExpressionAttributeValues,
// ProjectionExpression and KeyConditionExpression; each empty when there is none.
struct ScanFilter {
  std::string expression;
  std::string names{};
  std::string values{};
  std::string projection{};
  std::string key_condition{};  // it is a Query then, which has one segment
};

// Where a segment is read from.
struct SegmentStart {
  bool is_done = false;  // it is not read any more
  std::string key;       // JSON of ExclusiveStartKey; empty: from its beginning
};

// How a table is read whole.
struct TableScan {
  std::string table;
  bool consistent = false;  // ConsistentRead
  std::size_t workers = 1;
  std::size_t segments = 1;  // of the Scan; each is read by one worker at a time
  ScanFilter filter{};
  bool asks_for_units = false;
  std::vector<SegmentStart> starts{};  // one for each segment; none: all from their beginning
};

// A page of a segment, in the order of the segment's pages.
struct ScanPage {
  std::size_t segment = 0;
  api::json::Array items;
  std::string_view last_key;  // JSON of LastEvaluatedKey; empty: the segment's last page
  double units = 0;           // read units that the endpoint told; 0: none
  std::size_t bytes = 0;      // of the answer
};

// Takes the items of a page, in the thread of its worker; what it throws ends the scan.
class PageTaker {
 public:
  virtual ~PageTaker() = default;
  virtual void take(const ScanPage& page) = 0;
  // After its last page.
  virtual void finish() {}
};

// A request of Scan, or of Query, for the page behind `start_key`, with JSON of a key or empty.
std::string scan_request(const TableScan& scan, std::size_t segment, std::string_view start_key);

// Reads all segments, each worker with an endpoint and a taker of its own, and calls `meanwhile` in
// this thread every now and then. Throws what the first of these threw; std::runtime_error, a
// sentence, when the endpoint fails.
void scan_table(const TableScan& scan, const client::Endpoint& endpoint,
                const std::function<std::unique_ptr<PageTaker>()>& make_taker,
                const std::function<void()>& meanwhile);

}  // namespace magneto::server::bulk
