#pragma once

#include <functional>
#include <stop_token>
#include <string>
#include <vector>

#include "storage/table/catalog.h"
#include "storage/table/item_writer.h"

namespace magneto::storage {

// Fills a new replica with what another one has, while both are written to: items with their stamps,
// so that what was written since wins, and deletions with theirs. Thread-safe.
class ReplicaFill {
 public:
  ReplicaFill(Engine& engine, ItemWriter& writer) : engine_(engine), writer_(writer) {}

  // `from` is a version that sends its changes to the new one. False when `stop` was asked to.
  // Throws what a write throws; to do it again is harmless.
  bool fill(const Table& from, const TablePtr& target, const std::stop_token& stop);

 private:
  bool copy_items(const Table& from, const TablePtr& target, const std::stop_token& stop);
  bool copy_deletions(const Table& from, const TablePtr& target, const std::stop_token& stop);
  void copy(const Table& from, const TablePtr& target, const std::vector<std::string>& keys);

  Engine& engine_;
  ItemWriter& writer_;
};

}  // namespace magneto::storage
