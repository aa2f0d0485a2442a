#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "server/transfer/endpoint/endpoint.h"
#include "server/transfer/import/import_errors.h"
#include "server/transfer/import/item_block.h"

namespace magneto::server {

// Puts items into a table, 25 at a time, in the order in which it gets them. For one thread.
class BatchSender {
 public:
  BatchSender(std::unique_ptr<Endpoint> endpoint, std::string table, ImportErrors& errors,
              std::atomic<std::uint64_t>& put);

  // Copies the item. `file` is for errors.
  void add(const std::shared_ptr<const std::string>& file, const ReadItem& item);
  // Sends what is left.
  void finish() { send(); }

 private:
  struct Pending {
    std::size_t start = 0;  // of the JSON, in text_
    std::size_t key = 0;    // its end
    std::size_t end = 0;    // of the key
    std::size_t hash = 0;
    std::size_t line = 0;
    std::shared_ptr<const std::string> file;
  };

  // An item without a key, which is refused anyway, is like any other such.
  bool has_key_of(const ReadItem& item) const;
  std::string_view json_of(const Pending& pending) const {
    return std::string_view(text_).substr(pending.start, pending.key - pending.start);
  }
  void send();
  // Until none is left of what the endpoint did not take for want of throughput.
  Outcome write_batch();
  void put(const Pending& pending);

  const std::unique_ptr<Endpoint> endpoint_;
  const std::string table_;
  ImportErrors& errors_;
  std::atomic<std::uint64_t>& put_;  // by all senders
  std::vector<Pending> batch_;
  std::string text_;  // of the batch
  std::string body_;
};

}  // namespace magneto::server
