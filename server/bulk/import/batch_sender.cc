#include "server/bulk/import/batch_sender.h"

#include <algorithm>
#include <utility>

#include "api/json/json_writer.h"
#include "server/bulk/import/messages.h"
#include "server/client/endpoint/batch_write.h"

namespace magneto::server::bulk {
namespace {

constexpr std::size_t kMaxBatchItems = 25;  // of BatchWriteItem
// of JSON, or one larger item; a request may have 16 MB
constexpr std::size_t kMaxBatchBytes = 1 << 20;

// Whether the error concerns one item. Any other error would concern the next item too.
bool is_about_item(const client::Outcome& outcome) {
  return outcome.status >= 400 && outcome.status < 500 &&
         (outcome.error_type == "ValidationException" ||
          outcome.error_type == "SerializationException" ||
          outcome.error_type == "ItemCollectionSizeLimitExceededException");
}

}  // namespace

BatchSender::BatchSender(std::unique_ptr<client::Endpoint> endpoint, std::string table,
                         ImportErrors& errors, std::atomic<std::uint64_t>& put)
    : endpoint_(std::move(endpoint)), table_(std::move(table)), errors_(errors), put_(put) {
  endpoint_->stop_when([&errors] { return errors.is_over(); });
}

bool BatchSender::has_key_of(const ReadItem& item) const {
  return std::ranges::any_of(batch_, [&](const Pending& pending) {
    return pending.item.hash == item.hash && pending.item.key == item.key;
  });
}

void BatchSender::add(const ItemBlock& block, const ReadItem& item) {
  if (errors_.is_over()) return;
  // A batch may contain a key only once. The earlier item is sent now, since the later one may be
  // refused.
  if (bytes_ + item.json.size() > kMaxBatchBytes || has_key_of(item)) send();
  batch_.push_back({.item = item, .file = &block.file, .copy{}});
  bytes_ += item.json.size();
  if (batch_.size() == kMaxBatchItems) send();
}

void BatchSender::release() {
  for (Pending& pending : batch_) {
    if (pending.copy) continue;
    auto copy = std::make_unique<const Copy>(
        Copy{*pending.file, std::string(pending.item.json), std::string(pending.item.key)});
    pending.item.json = copy->json;
    pending.item.key = copy->key;
    pending.file = &copy->file;
    pending.copy = std::move(copy);
  }
}

void BatchSender::send() {
  if (!batch_.empty() && !errors_.is_over()) {
    body_.assign(R"({"RequestItems":{)");
    api::json::append_string(body_, table_);
    body_ += ":[";
    for (const Pending& pending : batch_) {
      if (body_.back() == '}') body_ += ',';
      body_.append(R"({"PutRequest":{"Item":)").append(pending.item.json).append("}}");
    }
    body_ += "]}}";
    const client::Outcome outcome = write();
    if (is_about_item(outcome)) {
      for (const Pending& pending : batch_) put(pending);
    } else if (!outcome.succeeded()) {
      errors_.fail(messages::kWriteFailed(endpoint_->name(), outcome.reason()));
    }
  }
  batch_.clear();
  bytes_ = 0;
}

client::Outcome BatchSender::write() {
  std::size_t left = batch_.size();
  client::Outcome outcome = client::write_batch(*endpoint_, body_, nullptr, [&](std::size_t now) {
    now = std::min(now, left);
    put_.fetch_add(left - now, std::memory_order_relaxed);
    left = now;
  });
  // The items are put again, one by one.
  if (is_about_item(outcome)) put_.fetch_sub(batch_.size() - left, std::memory_order_relaxed);
  return outcome;
}

// Puts one item of a batch that was refused, to find the bad item.
void BatchSender::put(const Pending& pending) {
  if (errors_.is_over()) return;
  body_.assign(R"({"TableName":)");
  api::json::append_string(body_, table_);
  body_.append(R"(,"Item":)").append(pending.item.json).append("}");
  const client::Outcome outcome = endpoint_->call("PutItem", body_);
  if (outcome.succeeded()) {
    put_.fetch_add(1, std::memory_order_relaxed);
  } else if (is_about_item(outcome)) {
    errors_.add(**pending.file, pending.item.line, outcome.message);
  } else {
    errors_.fail(messages::kWriteFailed(endpoint_->name(), outcome.reason()));
  }
}

}  // namespace magneto::server::bulk
