#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "storage/engine/engine.h"
#include "storage/engine/partition_map.h"
#include "storage/index/vector/indexed_vectors.h"
#include "storage/model/table_schema.h"

namespace magneto::storage {

// Reads the vectors of many items of one table, in the order of the items' keys and by several
// threads. Takes some microseconds of a processor for each item.
class ItemVectors {
 public:
  struct Wanted {
    std::string key;  // of the item
    IndexedVectors::Place place;
    bool is_found = false;
  };

  // All arguments must outlive this object.
  ItemVectors(const Engine& engine, const PartitionMap& items,
              const VectorSpecification& specification)
      : engine_(engine), items_(items), specification_(specification) {}

  // Sets the vectors at the places of all items that have one, and `is_found`. Each item is read
  // once, and not before the call. Sorts `wanted`. Throws EngineError, and NeedsWorker if the server
  // is ending.
  void read(std::vector<Wanted>& wanted) const;

 private:
  class Pieces;

  void read_piece(std::span<Wanted> piece, Pieces& pieces) const;

  const Engine& engine_;
  const PartitionMap& items_;
  const VectorSpecification& specification_;
};

}  // namespace magneto::storage
