#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "server/bulk/operations.h"

namespace magneto::server::bulk {

// Puts many items into a table of a service in this process, with BatchWriteItem. If the service
// refuses a batch, because of one item or because of a repeated key, the items are put one by one
// with PutItem. So the last of several items with the same key stays. Throws OperationFault.
class ItemBatch {
 public:
  // Called for an item that PutItem refused, with its number in the order of add(), from 0.
  // Operations::message() has the reason.
  using Refused = std::function<void(std::size_t number)>;

  ItemBatch(Operations& operations, const std::string& table, Refused refused);

  // `item` is a JSON object, as in PutItem.
  void add(std::string_view item);
  // Sends the items that were added since the last call. Call this at the end, too.
  void send();

  std::size_t done() const { return done_; }  // items that were stored

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
