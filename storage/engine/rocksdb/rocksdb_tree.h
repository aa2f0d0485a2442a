#pragma once

#include <string>
#include <utility>

#include "storage/encoding/keyspace.h"
#include "storage/engine/engine.h"

namespace rocksdb {
class ColumnFamilyHandle;
}

namespace magneto::storage {

// A key range of a column family.
class RocksdbTree final : public Tree {
 public:
  // Arguments as in Engine::open_tree().
  RocksdbTree(ColumnFamily family, std::string prefix, std::string lower, std::string upper,
              rocksdb::ColumnFamilyHandle* handle)
      : Tree(family, prefix),
        lower_(lower.empty() ? prefix : std::move(lower)),
        upper_(upper.empty() ? prefix_successor(std::move(prefix)) : std::move(upper)),
        handle_(handle) {}

  static const RocksdbTree& of(const Tree& tree) { return static_cast<const RocksdbTree&>(tree); }

  const std::string& lower() const { return lower_; }
  const std::string& upper() const { return upper_; }  // empty: to the end of the family
  rocksdb::ColumnFamilyHandle* handle() const { return handle_; }

 private:
  const std::string lower_;
  const std::string upper_;
  rocksdb::ColumnFamilyHandle* const handle_;
};

}  // namespace magneto::storage
