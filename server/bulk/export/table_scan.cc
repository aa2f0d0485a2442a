#include "server/bulk/export/table_scan.h"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <new>
#include <stdexcept>
#include <system_error>
#include <thread>
#include <vector>

#include "api/json/json_writer.h"
#include "server/bulk/export/messages.h"
#include "server/bulk/messages.h"

namespace magneto::server::bulk {
namespace {

using api::json::Value;
using api::json::Writer;

constexpr std::chrono::milliseconds kMeanwhile{200};

class Scanning {
 public:
  explicit Scanning(const TableScan& scan) : scan_(scan), working_(scan.workers) {}

  void work(client::Endpoint& endpoint, PageTaker& taker) {
    try {
      endpoint.stop_when([this] { return stopped_.load(); });
      while (!stopped_) {
        const std::size_t segment = next_.fetch_add(1);
        if (segment >= scan_.segments) break;
        read(segment, endpoint, taker);
      }
      if (!stopped_) taker.finish();
    } catch (...) {
      stopped_ = true;
      const std::lock_guard lock(mutex_);
      if (!thrown_) thrown_ = std::current_exception();
    }
    const std::lock_guard lock(mutex_);
    --working_;
    changed_.notify_all();
  }

  void wait(const std::function<void()>& meanwhile) {
    std::unique_lock lock(mutex_);
    while (working_ > 0) {
      changed_.wait_for(lock, kMeanwhile);
      lock.unlock();
      meanwhile();
      lock.lock();
    }
  }

  void stop() { stopped_ = true; }

  void rethrow() const {
    if (thrown_) std::rethrow_exception(thrown_);
  }

 private:
  void read(std::size_t segment, client::Endpoint& endpoint, PageTaker& taker) {
    api::json::Document document;
    const SegmentStart start = scan_.starts.empty() ? SegmentStart() : scan_.starts.at(segment);
    if (start.is_done) return;
    std::string start_key = start.key;
    const std::string_view operation = scan_.filter.key_condition.empty() ? "Scan" : "Query";
    do {
      std::string body = scan_request(scan_, segment, start_key);
      client::Outcome outcome = endpoint.call(operation, body);
      if (!outcome.succeeded()) {
        throw std::runtime_error(messages::read_failed(endpoint.name(), outcome.reason()));
      }
      const Value page = document.parse(outcome.body).value_or(Value());
      if (!page.object().find("Items").is_array()) {
        throw std::runtime_error(messages::read_failed(endpoint.name(), messages::kNoPage));
      }
      const Value last = page.object().find("LastEvaluatedKey");
      start_key.clear();
      if (last) api::json::append_compact(last, start_key);
      taker.take(
          {.segment = segment,
           .items = page.object().find("Items").array(),
           .last_key = start_key,
           .units = page.object().find("ConsumedCapacity").object().find("CapacityUnits").number(),
           .bytes = outcome.body.size()});
    } while (!start_key.empty() && !stopped_);
  }

  const TableScan& scan_;
  std::atomic<std::size_t> next_{0};  // segment
  std::atomic<bool> stopped_{false};
  std::mutex mutex_;  // guards the rest
  std::condition_variable changed_;
  std::size_t working_;
  std::exception_ptr thrown_;
};

void start(Scanning& scanning, std::size_t workers, const client::Endpoint& endpoint,
           const std::function<std::unique_ptr<PageTaker>()>& make_taker,
           std::vector<std::thread>& threads) {
  try {
    for (std::size_t i = 0; i < workers; ++i) {
      threads.emplace_back([&scanning, taker = std::shared_ptr<PageTaker>(make_taker()),
                            own = std::shared_ptr<client::Endpoint>(endpoint.another())] {
        scanning.work(*own, *taker);
      });
    }
  } catch (const std::system_error& error) {
    throw std::runtime_error(messages::no_threads(error.what()));
  } catch (const std::bad_alloc&) {
    throw std::runtime_error(messages::no_threads(messages::kNoMemory));
  }
}

void write_raw(Writer& writer, std::string_view name, std::string_view json) {
  if (json.empty()) return;
  writer.key(name);
  writer.raw().append(json);
}

}  // namespace

std::string scan_request(const TableScan& scan, std::size_t segment, std::string_view start_key) {
  std::string body;
  Writer writer(body);
  writer.begin_object();
  writer.text("TableName", scan.table);
  if (scan.consistent) {
    writer.key("ConsistentRead");
    writer.boolean(true);
  }
  if (scan.segments > 1) {
    writer.integer("Segment", static_cast<std::int64_t>(segment));
    writer.integer("TotalSegments", static_cast<std::int64_t>(scan.segments));
  }
  if (!scan.filter.expression.empty()) writer.text("FilterExpression", scan.filter.expression);
  if (!scan.filter.projection.empty()) {
    writer.text("ProjectionExpression", scan.filter.projection);
  }
  if (!scan.filter.key_condition.empty()) {
    writer.text("KeyConditionExpression", scan.filter.key_condition);
  }
  write_raw(writer, "ExpressionAttributeNames", scan.filter.names);
  write_raw(writer, "ExpressionAttributeValues", scan.filter.values);
  if (scan.asks_for_units) writer.text("ReturnConsumedCapacity", "TOTAL");
  write_raw(writer, "ExclusiveStartKey", start_key);
  writer.end_object();
  return body;
}

void scan_table(const TableScan& scan, const client::Endpoint& endpoint,
                const std::function<std::unique_ptr<PageTaker>()>& make_taker,
                const std::function<void()>& meanwhile) {
  Scanning scanning(scan);
  std::vector<std::thread> threads;
  const auto join = [&] {
    for (std::thread& thread : threads) thread.join();
  };
  try {
    start(scanning, scan.workers, endpoint, make_taker, threads);
    scanning.wait(meanwhile);
  } catch (...) {
    scanning.stop();
    join();
    throw;
  }
  join();
  scanning.rethrow();
}

}  // namespace magneto::server::bulk
