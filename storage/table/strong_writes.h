#pragma once

#include <cstddef>
#include <deque>
#include <span>
#include <vector>

#include "storage/table/catalog.h"
#include "storage/table/item_write.h"
#include "storage/table/region_claims.h"

namespace magneto::storage {

// Whether it is to be made in the tables of several regions, as far as can be told without the key.
bool is_for_all_regions(const Catalog& catalog, const ItemWrite& write);

// Writes, some of them of strongly consistent tables, with what makes each of those in the tables of
// all its regions: it is decided on in its own, and the others do the same. To be committed together.
class StrongWrites {
 public:
  // `given` is to outlive it. Throws TableGone.
  StrongWrites(const Catalog& catalog, std::span<const ItemWrite> given);
  StrongWrites(const StrongWrites&) = delete;
  StrongWrites& operator=(const StrongWrites&) = delete;

  // Those that were given, in their order, and then the others.
  std::span<const ItemWrite> all() const { return all_; }
  // The place among those given that one of all() comes of.
  std::size_t origin(std::size_t place) const { return origins_[place]; }
  const std::vector<RegionClaims::Wanted>& items() const { return items_; }
  // To be asked while the keys are held: whether these are still all tables. Throws TableGone.
  bool is_whole() const;

 private:
  struct Decided {
    Decide decide;
    mutable WriteDecision made;  // again after a conflict

    WriteDecision operator()(const StoredItem& current) const { return made = decide(current); }
  };
  struct Repeated {
    const Decided& first;

    WriteDecision operator()(const StoredItem& /*current*/) const { return first.made; }
  };

  const Catalog& catalog_;
  const std::span<const ItemWrite> given_;
  std::vector<std::vector<TablePtr>> tables_;  // of each that was given, its own first
  std::deque<Decided> decided_;
  std::deque<Repeated> repeated_;
  std::vector<ItemWrite> all_;
  std::vector<std::size_t> origins_;
  std::vector<RegionClaims::Wanted> items_;
};

}  // namespace magneto::storage
