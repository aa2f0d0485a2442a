#pragma once

#include <string>
#include <vector>

#include "storage/table/catalog.h"
#include "storage/table/item_writer.h"

namespace magneto::storage {

// Fills a new replica from another one, while both are written to. It copies items with their
// stamps, so that later writes win, and deletions with theirs. A strongly consistent replica gets
// each item by ItemWriter::repeat_elsewhere(). Thread-safe.
class ReplicaFill {
 public:
  ReplicaFill(Engine& engine, ItemWriter& writer) : engine_(engine), writer_(writer) {}

  // The progress of one fill.
  struct Progress {
    bool is_begun = false;
    bool has_items = false;  // deletions are next
    bool is_whole = false;
    std::string next;  // the first key that is not copied
  };
  // Copies some chunks, so that other tasks get their turns. `from` is a version that sends its
  // changes to the new replica. Throws the exceptions of a write; repeating it is harmless.
  void fill_some(const TablePtr& from, const TablePtr& target, Progress& progress);

 private:
  bool copy_some_items(const TablePtr& from, const TablePtr& target, Progress& progress);
  bool copy_some_deletions(const Table& from, const TablePtr& target, Progress& progress);
  void copy(const Table& from, const TablePtr& target, const std::vector<std::string>& keys);

  Engine& engine_;
  ItemWriter& writer_;
};

}  // namespace magneto::storage
