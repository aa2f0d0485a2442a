#pragma once

#include <string>
#include <vector>

#include "storage/table/catalog.h"
#include "storage/table/item_writer.h"

namespace magneto::storage {

// Fills a new replica with what another one has, while both are written to: items with their stamps,
// so that what was written since wins, and deletions with theirs. A strongly consistent one gets
// each item by ItemWriter::repeat_elsewhere. Thread-safe.
class ReplicaFill {
 public:
  ReplicaFill(Engine& engine, ItemWriter& writer) : engine_(engine), writer_(writer) {}

  // How far one has come.
  struct Progress {
    bool is_begun = false;
    bool has_items = false;  // the deletions follow
    bool is_whole = false;
    std::string next;  // the first key that is not copied
  };
  // Goes on for some chunks, so that others have their turns. `from` is a version that sends its
  // changes to the new one. Throws what a write throws; to do it again is harmless.
  void fill_some(const TablePtr& from, const TablePtr& target, Progress& progress);

 private:
  bool copy_some_items(const TablePtr& from, const TablePtr& target, Progress& progress);
  bool copy_some_deletions(const Table& from, const TablePtr& target, Progress& progress);
  void copy(const Table& from, const TablePtr& target, const std::vector<std::string>& keys);

  Engine& engine_;
  ItemWriter& writer_;
};

}  // namespace magneto::storage
