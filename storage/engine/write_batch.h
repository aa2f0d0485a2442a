#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/container/inlined_vector.h"

namespace magneto::storage {

class Tree;

// Puts and deletes to commit together. A later operation on the same key wins. The batch only
// refers to the trees: the caller keeps a handle to each until the batch is committed or destroyed.
class WriteBatch {
 public:
  struct Operation {
    Tree* tree;
    std::string key;    // whole key
    std::string value;  // puts only
    bool is_delete;
  };

  void put(const std::shared_ptr<Tree>& tree, std::string key, std::string value) {
    operations_.push_back({tree.get(), std::move(key), std::move(value), false});
  }
  void remove(const std::shared_ptr<Tree>& tree, std::string key) {
    operations_.push_back({tree.get(), std::move(key), {}, true});
  }
  void put(std::shared_ptr<Tree>&& tree, std::string key, std::string value) = delete;
  void remove(std::shared_ptr<Tree>&& tree, std::string key) = delete;

  // Adds to the sums under `key` (Engine::counted()). Only for engines with a group.
  struct Count {
    std::string key;
    std::int64_t items;
    std::int64_t bytes;
  };
  void count(std::string key, std::int64_t items, std::int64_t bytes) {
    counts_.push_back({std::move(key), items, bytes});
  }
  std::span<const Count> counts() const { return counts_; }

  // Marks a batch that is committed to free space; a batch without puts always counts as one. Such
  // a batch may use the space that a durable engine reserves for a full disk.
  void set_frees_space() { frees_space_ = true; }
  bool frees_space() const {
    return frees_space_ || std::ranges::all_of(operations_, &Operation::is_delete);
  }

  // Marks a batch whose commit is synced, even if the engine does not sync each commit. The batch and
  // all earlier commits then survive loss of power.
  void set_synced() { is_synced_ = true; }
  bool is_synced() const { return is_synced_; }

  std::span<const Operation> operations() const { return operations_; }
  bool empty() const { return operations_.empty(); }
  std::size_t size() const { return operations_.size(); }
  void clear() {
    operations_.clear();
    counts_.clear();
    frees_space_ = is_synced_ = false;
  }

 private:
  absl::InlinedVector<Operation, 2> operations_;
  std::vector<Count> counts_;
  bool frees_space_ = false;
  bool is_synced_ = false;
};

}  // namespace magneto::storage
