#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace magneto::storage {

class Tree;

// Puts and deletes to commit together. A later operation on the same key wins.
class WriteBatch {
 public:
  struct Operation {
    std::shared_ptr<Tree> tree;
    std::string key;    // whole key
    std::string value;  // puts only
    bool is_delete = false;
  };

  void put(std::shared_ptr<Tree> tree, std::string key, std::string value) {
    operations_.push_back({std::move(tree), std::move(key), std::move(value), false});
  }
  void remove(std::shared_ptr<Tree> tree, std::string key) {
    operations_.push_back({std::move(tree), std::move(key), {}, true});
  }

  const std::vector<Operation>& operations() const { return operations_; }
  bool empty() const { return operations_.empty(); }
  void clear() { operations_.clear(); }

 private:
  std::vector<Operation> operations_;
};

}  // namespace magneto::storage
