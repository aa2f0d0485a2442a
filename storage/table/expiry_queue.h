#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>

#include "storage/engine/engine.h"

namespace magneto::storage {

// A table's expiring items in the order of their expiry. Each has an entry in ColumnFamily::kExpiry
// (keyspace.h), written in the batch of the item. All versions of the table share the queue, from
// the enabling of time to live until its disabling, which drops the queue.
struct ExpiryQueue {
  std::string attribute;  // the attribute that holds the expiry
  std::uint16_t number;   // the number in the tree's keys
  TreePtr tree;
  // Set once time to live is disabled or the table deleted, before the queue is reclaimed. A thread
  // that holds an item's key and reads false may write to the tree.
  std::shared_ptr<std::atomic<bool>> dropped;
};

}  // namespace magneto::storage
