#include "server/tools/copy/request_batch.h"

#include <stdexcept>
#include <utility>

#include "api/json/json_writer.h"
#include "server/bulk/import/messages.h"
#include "server/client/endpoint/batch_write.h"
#include "server/client/endpoint/endpoint_calls.h"
#include "server/tools/copy/messages.h"

namespace magneto::server::tools {
namespace {

constexpr std::size_t kMaxRequests = 25;    // of BatchWriteItem
constexpr std::size_t kMaxBytes = 4 << 20;  // of JSON; a request may have 16 MB
constexpr std::size_t kMostShown = 300;     // of an item, in a message
constexpr double kBytesOfUnit = 1024;

}  // namespace

RequestBatch::RequestBatch(client::Endpoint& target, std::string table, UnitLimit& limit,
                           const StopSignal& stop)
    : target_(target), table_(std::move(table)), limit_(limit), stop_(stop) {
  target_.stop_when([stop] { return stop.is_set(); });
}

void RequestBatch::put(api::json::Value item, const ItemHash& hash) { add(item, true, hash); }

void RequestBatch::remove(api::json::Value key) { add(key, false, {}); }

void RequestBatch::add(api::json::Value value, bool is_put, const ItemHash& hash) {
  if (text_.size() > kMaxBytes) send();
  const std::size_t start = text_.size();
  api::json::append_compact(value, text_);
  requests_.push_back({.start = start, .end = text_.size(), .is_put = is_put, .hash = hash});
  if (requests_.size() == kMaxRequests) send();
}

void RequestBatch::send() {
  if (requests_.empty()) return;
  stop_.check();
  body_.assign(R"({"RequestItems":{)");
  api::json::append_string(body_, table_);
  body_ += ":[";
  for (const Request& request : requests_) {
    if (body_.back() == '}') body_ += ',';
    body_.append(request.is_put ? R"({"PutRequest":{"Item":)" : R"({"DeleteRequest":{"Key":)");
    body_.append(text_of(request)).append("}}");
  }
  body_ += "]}";
  if (limit_.is_set()) body_ += client::kAskForUnits;
  body_ += '}';
  double units = 0;
  const double sent = static_cast<double>(text_.size());
  const client::Outcome outcome =
      client::write_batch(target_, body_, limit_.is_set() ? &units : nullptr);
  if (!outcome.succeeded()) fail(outcome);
  for (const Request& request : requests_) {
    if (request.is_put) written_.add(request.hash);
  }
  requests_.clear();
  text_.clear();
  limit_.spend(units > 0 ? units : sent / kBytesOfUnit, stop_);
}

// Writes each item alone to find the item for which the batch was refused.
void RequestBatch::fail(const client::Outcome& outcome) {
  if (outcome.error_type == "ValidationException") {
    for (const Request& request : requests_) {
      body_.assign(R"({"TableName":)");
      api::json::append_string(body_, table_);
      body_.append(request.is_put ? R"(,"Item":)" : R"(,"Key":)");
      body_.append(text_of(request)).append("}");
      const client::Outcome one = target_.call(request.is_put ? "PutItem" : "DeleteItem", body_);
      if (one.succeeded()) continue;
      throw std::runtime_error(messages::kItemNotTaken(
          target_.name(), table_, text_of(request).substr(0, kMostShown), one.message));
    }
  }
  const std::string why = bulk::messages::kWriteFailed(target_.name(), outcome.reason());
  if (outcome.retryable) throw client::CallGivenUp(why);
  throw std::runtime_error(why);
}

ItemDigest RequestBatch::take_written() { return std::exchange(written_, {}); }

}  // namespace magneto::server::tools
