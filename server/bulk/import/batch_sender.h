#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "server/bulk/import/import_errors.h"
#include "server/bulk/import/item_block.h"
#include "server/client/endpoint/endpoint.h"

namespace magneto::server::bulk {

// Puts items into a table, 25 at a time, in the order of add(). For one thread.
class BatchSender {
 public:
  BatchSender(std::unique_ptr<client::Endpoint> endpoint, std::string table, ImportErrors& errors,
              std::atomic<std::uint64_t>& put);

  // Adds an item of the block. The block must stay until release().
  void add(const ItemBlock& block, const ReadItem& item);
  // Copies the unsent items, so that the block can be freed.
  void release();
  // Sends the remaining items.
  void finish() { send(); }

 private:
  struct Copy {
    std::shared_ptr<const std::string> file;
    std::string json;
    std::string key;
  };
  struct Pending {
    ReadItem item;
    const std::shared_ptr<const std::string>* file = nullptr;  // for errors
    // nullptr: the text is still in its block
    std::unique_ptr<const Copy> copy;
  };

  // True if a pending item has the same key. All items without a key count as the same; they are
  // refused anyway.
  bool has_key_of(const ReadItem& item) const;
  void send();
  client::Outcome write();
  void put(const Pending& pending);

  const std::unique_ptr<client::Endpoint> endpoint_;
  const std::string table_;
  ImportErrors& errors_;
  std::atomic<std::uint64_t>& put_;  // the count over all senders
  std::vector<Pending> batch_;
  std::size_t bytes_ = 0;  // of its JSON
  std::string body_;
};

}  // namespace magneto::server::bulk
