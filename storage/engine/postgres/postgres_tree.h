#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "storage/encoding/keyspace.h"
#include "storage/engine/engine.h"

namespace magneto::storage {

// A key range of a relation.
class PostgresTree final : public Tree {
 public:
  // Arguments as in Engine::open_tree().
  PostgresTree(ColumnFamily family, std::string prefix, std::string lower, std::string upper)
      : Tree(family, prefix),
        lower_(lower.empty() ? prefix : std::move(lower)),
        upper_(upper.empty() ? prefix_successor(std::move(prefix)) : std::move(upper)) {}

  static const PostgresTree& of(const Tree& tree) { return static_cast<const PostgresTree&>(tree); }

  const std::string& lower() const { return lower_; }
  const std::string& upper() const { return upper_; }  // empty: to the end of the family

  // The bounds of a scan, within those of the tree.
  std::string_view lower_within(std::string_view lower) const {
    return std::max(lower, std::string_view(lower_));
  }
  std::string_view upper_within(std::string_view upper) const {
    if (upper.empty()) return upper_;
    return upper_.empty() ? upper : std::min(upper, std::string_view(upper_));
  }

 private:
  const std::string lower_;
  const std::string upper_;
};

}  // namespace magneto::storage
