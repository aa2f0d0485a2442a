#include "storage/table/region_claims.h"

#include <algorithm>

namespace magneto::storage {

RegionClaims::Claim RegionClaims::claim(std::vector<Wanted> wanted) {
  const std::lock_guard lock(mutex_);
  const auto is_held_elsewhere = [&](const Wanted& one) {
    const auto found = holders_.find(one.item);
    return found != holders_.end() && found->second.table != one.table;
  };
  if (std::ranges::any_of(wanted, is_held_elsewhere)) throw ReplicatedWriteConflict();
  for (const Wanted& one : wanted) {
    ++holders_.try_emplace(one.item, Holder{one.table, 0}).first->second.writes;
  }
  return {*this, std::move(wanted)};
}

void RegionClaims::release(const std::vector<Wanted>& held) {
  const std::lock_guard lock(mutex_);
  for (const Wanted& one : held) {
    const auto found = holders_.find(one.item);
    if (--found->second.writes == 0) holders_.erase(found);
  }
}

}  // namespace magneto::storage
