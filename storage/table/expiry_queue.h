#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>

#include "storage/engine/engine.h"

namespace magneto::storage {

// The items of a table that expire, in the order in which they do: an entry for each in
// ColumnFamily::kExpiry (keyspace.h), written in the batch of the item. Shared by all versions of
// the table from the enabling of time to live to its disabling, which drops the queue.
struct ExpiryQueue {
  std::string attribute;  // holds when an item expires
  std::uint16_t number;   // of the tree's keys
  TreePtr tree;
  // Set once time to live is disabled or the table deleted, before the queue is reclaimed. Whoever
  // holds an item's key and reads false may write to the tree.
  std::shared_ptr<std::atomic<bool>> dropped;
};

}  // namespace magneto::storage
