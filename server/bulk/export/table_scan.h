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
// ProjectionExpression and KeyConditionExpression; each is empty if there is none.
struct ScanFilter {
  std::string expression;
  std::string names{};
  std::string values{};
  std::string projection{};
  std::string key_condition{};  // if set, the request is a Query, with one segment
};

// The place in a segment from which reading starts.
struct SegmentStart {
  bool is_done = false;  // the segment is complete and not read again
  std::string key;       // JSON of ExclusiveStartKey; empty: from the segment's start
};

// How to read a whole table.
struct TableScan {
  std::string table;
  bool consistent = false;  // ConsistentRead
  std::size_t workers = 1;
  std::size_t segments = 1;  // of the Scan; one worker at a time reads a segment
  ScanFilter filter{};
  bool asks_for_units = false;
  std::vector<SegmentStart> starts{};  // one for each segment; empty: read all from their start
};

// A page of a segment. The pages of a segment are delivered in their order.
struct ScanPage {
  std::size_t segment = 0;
  api::json::Array items;
  std::string_view last_key;  // JSON of LastEvaluatedKey; empty: the segment's last page
  double units = 0;           // read units that the endpoint reported; 0: none
  std::size_t bytes = 0;      // of the answer
};

// Takes the items of each page, on the worker's thread. An exception ends the scan.
class PageTaker {
 public:
  virtual ~PageTaker() = default;
  virtual void take(const ScanPage& page) = 0;
  // Called after the last page.
  virtual void finish() {}
};

// A request of Scan or Query for the page after `start_key`, which is the JSON of a key or empty.
std::string scan_request(const TableScan& scan, std::size_t segment, std::string_view start_key);

// Reads all segments. Each worker has its own endpoint and its own taker. Calls `meanwhile`
// regularly on this thread. Rethrows the first exception of these functions. Throws
// std::runtime_error with a sentence if the endpoint fails.
void scan_table(const TableScan& scan, const client::Endpoint& endpoint,
                const std::function<std::unique_ptr<PageTaker>()>& make_taker,
                const std::function<void()>& meanwhile);

}  // namespace magneto::server::bulk
