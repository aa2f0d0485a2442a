#include "server/bulk/export/table_scan.h"

#include <atomic>
#include <stdexcept>
#include <utility>

#include "api/json/json_writer.h"
#include "server/bulk/export/messages.h"
#include "server/bulk/export/segment_threads.h"

namespace magneto::server::bulk {
namespace {

using api::json::Value;
using api::json::Writer;

class ScanReader final : public SegmentReader {
 public:
  ScanReader(const TableScan& scan, std::unique_ptr<client::Endpoint> endpoint,
             std::unique_ptr<PageTaker> taker)
      : scan_(scan), endpoint_(std::move(endpoint)), taker_(std::move(taker)) {}

  void read(std::size_t segment, const std::atomic<bool>& stopped) override {
    endpoint_->stop_when([&stopped] { return stopped.load(); });
    const SegmentStart start = scan_.starts.empty() ? SegmentStart() : scan_.starts.at(segment);
    if (start.is_done) return;
    std::string start_key = start.key;
    do {
      start_key = read_page(segment, start_key);
    } while (!start_key.empty() && !stopped);
  }
  void finish() override { taker_->finish(); }

 private:
  // Returns the JSON of the page's last key; empty after the last page.
  std::string read_page(std::size_t segment, std::string_view start_key) {
    const std::string_view operation = scan_.filter.key_condition.empty() ? "Scan" : "Query";
    std::string body = scan_request(scan_, segment, start_key);
    client::Outcome outcome = endpoint_->call(operation, body);
    if (!outcome.succeeded()) {
      throw std::runtime_error(messages::kReadFailed(endpoint_->name(), outcome.reason()));
    }
    const Value page = document_.parse(outcome.body).value_or(Value());
    if (!page.object().find("Items").is_array()) {
      throw std::runtime_error(messages::kReadFailed(endpoint_->name(), messages::kNoPage));
    }
    std::string last_key;
    if (const Value last = page.object().find("LastEvaluatedKey")) {
      api::json::append_compact(last, last_key);
    }
    taker_->take(
        {.segment = segment,
         .items = page.object().find("Items").array(),
         .last_key = last_key,
         .units = page.object().find("ConsumedCapacity").object().find("CapacityUnits").number(),
         .bytes = outcome.body.size()});
    return last_key;
  }

  const TableScan& scan_;
  const std::unique_ptr<client::Endpoint> endpoint_;
  const std::unique_ptr<PageTaker> taker_;
  api::json::Document document_;
};

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
  const auto make_reader = [&] {
    auto taker = make_taker();
    return std::make_unique<ScanReader>(scan, endpoint.another(), std::move(taker));
  };
  read_segments(scan.segments, scan.workers, make_reader, meanwhile);
}

}  // namespace magneto::server::bulk
