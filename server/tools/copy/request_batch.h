#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "api/json/json_reader.h"
#include "server/client/endpoint/endpoint.h"
#include "server/tools/copy/item_digest.h"
#include "server/tools/copy/stop_signal.h"
#include "server/tools/copy/unit_limit.h"

namespace magneto::server::tools {

// Puts and deletes of one table for the target, sent in batches of 25, the limit of BatchWriteItem.
// For one thread. Calls to the target are not repeated once the copy was asked to end. Throws
// Stopped, and std::runtime_error with a sentence if the target refuses a request or does not
// answer.
class RequestBatch {
 public:
  RequestBatch(client::Endpoint& target, std::string table, UnitLimit& limit,
               const StopSignal& stop);

  // Use each key at most once between two calls of send(). `hash` is added to the written items
  // when the target has acknowledged the item.
  void put(api::json::Value item, const ItemHash& hash = {});
  void remove(api::json::Value key);
  void send();

  // The items that were acknowledged since the last call.
  ItemDigest take_written();

 private:
  struct Request {
    std::size_t start = 0;  // of its item or key, in text_
    std::size_t end = 0;
    bool is_put = false;
    ItemHash hash;
  };

  void add(api::json::Value value, bool is_put, const ItemHash& hash);
  std::string_view text_of(const Request& request) const {
    return std::string_view(text_).substr(request.start, request.end - request.start);
  }
  [[noreturn]] void fail(const client::Outcome& outcome);

  client::Endpoint& target_;
  const std::string table_;
  UnitLimit& limit_;
  const StopSignal& stop_;
  std::vector<Request> requests_;
  std::string text_;
  std::string body_;
  ItemDigest written_;
};

}  // namespace magneto::server::tools
