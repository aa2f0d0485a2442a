#pragma once

#include <cstddef>
#include <deque>
#include <span>
#include <vector>

#include "storage/table/catalog.h"
#include "storage/table/item_write.h"
#include "storage/table/region_claims.h"

namespace magneto::storage {

// Whether the write must be made in the tables of several regions, as far as this is known without
// the key.
bool is_for_all_regions(const Catalog& catalog, const ItemWrite& write);

// Writes, some of them to strongly consistent tables. For each of those, adds the writes to the
// tables of its other regions: the decision is made in the write's own table, and the others repeat
// it. All must be committed together.
class StrongWrites {
 public:
  // `given` must outlive it. Throws TableGone.
  StrongWrites(const Catalog& catalog, std::span<const ItemWrite> given);
  StrongWrites(const StrongWrites&) = delete;
  StrongWrites& operator=(const StrongWrites&) = delete;

  // The given writes in their order, followed by the added ones.
  std::span<const ItemWrite> all() const { return all_; }
  // The index of the given write from which a write of all() comes.
  std::size_t origin(std::size_t place) const { return origins_[place]; }
  const std::vector<RegionClaims::Wanted>& items() const { return items_; }
  // Whether these still are all tables; call it while the keys are held. Throws TableGone.
  bool is_whole() const;

 private:
  struct Decided {
    Decide decide;
    mutable WriteDecision made;  // made again after a conflict

    WriteDecision operator()(const StoredItem& current) const { return made = decide(current); }
  };
  struct Repeated {
    const Decided& first;

    WriteDecision operator()(const StoredItem& /*current*/) const { return first.made; }
  };

  const Catalog& catalog_;
  const std::span<const ItemWrite> given_;
  std::vector<std::vector<TablePtr>> tables_;  // of each given write, its own table first
  std::deque<Decided> decided_;
  std::deque<Repeated> repeated_;
  std::vector<ItemWrite> all_;
  std::vector<std::size_t> origins_;
  std::vector<RegionClaims::Wanted> items_;
};

}  // namespace magneto::storage
