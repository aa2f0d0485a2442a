#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "server/bulk/operations.h"

namespace magneto::server::bulk {

// Puts many items into a table of a service in this process, by BatchWriteItem. A batch that it
// refuses, for an item or for a key that is there twice, goes on item by item with PutItem, so that
// of items with one key the last one stays. Throws OperationFault.
class ItemBatch {
 public:
  // Is told of an item that PutItem refused, by its number in the order of add(), from 0;
  // Operations::message() tells why.
  using Refused = std::function<void(std::size_t number)>;

  ItemBatch(Operations& operations, const std::string& table, Refused refused);

  // A JSON object, as in PutItem.
  void add(std::string_view item);
  // What was added since the last time; to be called at the end.
  void send();

  std::size_t done() const { return done_; }  // items that are in the store

 private:
  static constexpr std::size_t kMaxItems = 25;      // of BatchWriteItem
  static constexpr std::size_t kMaxSize = 2 << 20;  // bytes of JSON, to keep memory low

  void put(std::size_t number, const std::string& item);

  Operations& operations_;
  const std::string table_;  // as a JSON string
  const Refused refused_;
  std::vector<std::string> items_;
  std::size_t size_ = 0;  // of items_
  std::size_t sent_ = 0;
  std::size_t done_ = 0;
};

}  // namespace magneto::server::bulk
