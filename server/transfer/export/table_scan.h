#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>

#include "api/json/json_reader.h"
#include "server/transfer/endpoint/endpoint.h"

namespace magneto::server {

// How a table is read whole.
struct TableScan {
  std::string table;
  bool consistent = false;  // ConsistentRead
  std::size_t workers = 1;
  std::size_t segments = 1;  // of the Scan; each is read by one worker at a time
};

// Takes the items of a page, in the thread of its worker; what it throws ends the scan.
class PageTaker {
 public:
  virtual ~PageTaker() = default;
  virtual void take(api::json::Array items) = 0;
  // After its last page.
  virtual void finish() {}
};

// Reads all segments, each worker with an endpoint and a taker of its own, and calls `meanwhile` in
// this thread every now and then. Throws what the first taker threw; std::runtime_error, a sentence,
// when the endpoint fails.
void scan_table(const TableScan& scan, const Endpoint& endpoint,
                const std::function<std::unique_ptr<PageTaker>()>& make_taker,
                const std::function<void()>& meanwhile);

}  // namespace magneto::server
