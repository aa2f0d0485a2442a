#include "server/transfer/import/batch_sender.h"

#include <algorithm>
#include <chrono>
#include <thread>
#include <utility>

#include "api/json/json_reader.h"
#include "api/json/json_writer.h"
#include "server/transfer/endpoint/retry_delays.h"
#include "server/transfer/import/messages.h"

namespace magneto::server {
namespace {

using api::json::Value;

constexpr std::size_t kMaxBatchItems = 25;       // of BatchWriteItem
constexpr std::size_t kMaxBatchBytes = 4 << 20;  // of JSON; a request may have 16 MB
constexpr std::string_view kNothingLeft = R"("UnprocessedItems":{})";

// What is about one item; anything else would be said of the next one too.
bool is_about_item(const Outcome& outcome) {
  return outcome.status >= 400 && outcome.status < 500 &&
         (outcome.error_type == "ValidationException" ||
          outcome.error_type == "SerializationException" ||
          outcome.error_type == "ItemCollectionSizeLimitExceededException");
}

}  // namespace

BatchSender::BatchSender(std::unique_ptr<Endpoint> endpoint, std::string table,
                         ImportErrors& errors, std::atomic<std::uint64_t>& put)
    : endpoint_(std::move(endpoint)), table_(std::move(table)), errors_(errors), put_(put) {}

bool BatchSender::has_key_of(const ReadItem& item) const {
  return std::ranges::any_of(batch_, [&](const Pending& pending) {
    return pending.hash == item.hash &&
           std::string_view(text_).substr(pending.key, pending.end - pending.key) == item.key;
  });
}

void BatchSender::add(const std::shared_ptr<const std::string>& file, const ReadItem& item) {
  if (errors_.is_over()) return;
  // A batch may name a key once. The earlier item is put by itself, as the later may be refused.
  if (text_.size() + item.json.size() > kMaxBatchBytes || has_key_of(item)) send();
  batch_.push_back({.start = text_.size(),
                    .key = text_.size() + item.json.size(),
                    .end = text_.size() + item.json.size() + item.key.size(),
                    .hash = item.hash,
                    .line = item.line,
                    .file = file});
  text_.append(item.json).append(item.key);
  if (batch_.size() == kMaxBatchItems) send();
}

void BatchSender::send() {
  if (!batch_.empty() && !errors_.is_over()) {
    body_.assign(R"({"RequestItems":{)");
    api::json::append_string(body_, table_);
    body_ += ":[";
    for (const Pending& pending : batch_) {
      if (body_.back() == '}') body_ += ',';
      body_.append(R"({"PutRequest":{"Item":)").append(json_of(pending)).append("}}");
    }
    body_ += "]}}";
    const Outcome outcome = write_batch();
    if (outcome.succeeded()) {
      put_.fetch_add(batch_.size(), std::memory_order_relaxed);
    } else if (!is_about_item(outcome)) {
      errors_.fail(messages::write_failed(endpoint_->name(), outcome.error_type, outcome.message));
    } else {
      for (const Pending& pending : batch_) put(pending);
    }
  }
  batch_.clear();
  text_.clear();
}

Outcome BatchSender::write_batch() {
  RetryDelays delays;
  while (true) {
    Outcome outcome = endpoint_->call("BatchWriteItem", body_);
    if (!outcome.succeeded() || outcome.body.find(kNothingLeft) != std::string::npos) {
      return outcome;
    }
    api::json::Document document;
    const Value answer = document.parse(outcome.body).value_or(Value());
    const Value left = answer.object().find("UnprocessedItems");
    if (left.object().empty()) return outcome;
    body_.assign(R"({"RequestItems":)");
    api::json::append_compact(left, body_);
    body_ += '}';
    const auto delay = delays.next();
    if (!delay) return no_answer(messages::kAlwaysThrottled, true);
    std::this_thread::sleep_for(*delay);
  }
}

// For a batch with an item that the endpoint refuses, to find out which.
void BatchSender::put(const Pending& pending) {
  if (errors_.is_over()) return;
  body_.assign(R"({"TableName":)");
  api::json::append_string(body_, table_);
  body_.append(R"(,"Item":)").append(json_of(pending)).append("}");
  const Outcome outcome = endpoint_->call("PutItem", body_);
  if (outcome.succeeded()) {
    put_.fetch_add(1, std::memory_order_relaxed);
  } else if (is_about_item(outcome)) {
    errors_.add(*pending.file, pending.line, outcome.message);
  } else {
    errors_.fail(messages::write_failed(endpoint_->name(), outcome.error_type, outcome.message));
  }
}

}  // namespace magneto::server
