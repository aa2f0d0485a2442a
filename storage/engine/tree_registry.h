#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <tuple>
#include <utility>

#include "storage/engine/engine.h"

namespace magneto::storage {

// The trees in use, so that opening a range again finds its tree. A handle that outlives the engine
// keeps the registry alive. Thread-safe.
class TreeRegistry : public std::enable_shared_from_this<TreeRegistry> {
 public:
  using Range =
      std::tuple<ColumnFamily, std::string, std::string, std::string>;  // prefix, lower, upper

  // The tree of the range. If no handle to it exists, `make` creates it with plain `new`.
  template <typename Make>
  TreePtr open(Range range, const Make& make) {
    std::lock_guard lock(mutex_);
    std::weak_ptr<Tree>& known = trees_[range];
    if (TreePtr tree = known.lock()) return tree;
    TreePtr tree(make(), Forget{shared_from_this(), std::move(range)});
    known = tree;
    return tree;
  }

 private:
  // Called when the last handle to a tree is released: frees the tree and its registry entry.
  struct Forget {
    std::shared_ptr<TreeRegistry> registry;
    Range range;

    void operator()(Tree* tree) const {
      {
        std::lock_guard lock(registry->mutex_);
        const auto known = registry->trees_.find(range);
        if (known != registry->trees_.end() && known->second.expired()) {
          registry->trees_.erase(known);
        }
      }
      delete tree;
    }
  };

  std::mutex mutex_;  // guards trees_
  std::map<Range, std::weak_ptr<Tree>> trees_;
};

}  // namespace magneto::storage
