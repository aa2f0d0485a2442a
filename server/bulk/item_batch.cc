#include "server/bulk/item_batch.h"

#include <utility>

#include "api/json/json_writer.h"

namespace magneto::server::bulk {
namespace {

std::string json_string(const std::string& text) {
  std::string json;
  api::json::append_string(json, text);
  return json;
}

}  // namespace

ItemBatch::ItemBatch(Operations& operations, const std::string& table, Refused refused)
    : operations_(operations), table_(json_string(table)), refused_(std::move(refused)) {}

void ItemBatch::add(std::string_view item) {
  if (items_.size() == kMaxItems || size_ + item.size() > kMaxSize) send();
  items_.emplace_back(item);
  size_ += item.size();
}

void ItemBatch::send() {
  if (items_.empty()) return;
  std::string body = "{\"RequestItems\":{" + table_ + ":[";
  for (const std::string& item : items_) {
    if (body.back() == '}') body += ',';
    body += "{\"PutRequest\":{\"Item\":" + item + "}}";
  }
  body += "]}}";
  if (operations_.call("BatchWriteItem", std::move(body)) == 200) {
    done_ += items_.size();
  } else {
    for (std::size_t i = 0; i < items_.size(); ++i) put(sent_ + i, items_[i]);
  }
  sent_ += items_.size();
  items_.clear();
  size_ = 0;
}

// Puts one item of a batch that was refused, to find the bad item.
void ItemBatch::put(std::size_t number, const std::string& item) {
  const std::string body = "{\"TableName\":" + table_ + ",\"Item\":" + item + "}";
  if (operations_.call("PutItem", body) == 200) {
    ++done_;
  } else {
    refused_(number);
  }
}

}  // namespace magneto::server::bulk
