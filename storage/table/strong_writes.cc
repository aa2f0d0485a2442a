#include "storage/table/strong_writes.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "storage/encoding/keyspace.h"
#include "storage/model/global_table.h"
#include "storage/table/replica_members.h"

namespace magneto::storage {
namespace {

// The key of the same item in another table.
std::string key_in(const Table& table, std::string_view key) {
  return tree_prefix(table.schema.number, 0).append(key.substr(kTreePrefixSize));
}

// The tables in which a write is made, in their newest versions: its own, and the existing other
// tables of a strongly consistent one.
std::vector<TablePtr> tables_of(const Catalog& catalog, const ItemWrite& write) {
  TablePtr own = catalog.current(*write.table);
  if (own == nullptr || own->schema.status == ResourceStatus::kDeleting) throw TableGone();
  std::vector<TablePtr> tables = {own};
  if (!is_strong(own->schema)) return tables;
  for (const Replica& replica : own->schema.global_table->replicas) {
    TablePtr other = partner_of(catalog, own->schema, replica);
    const bool takes_it = other != nullptr && is_strong(other->schema) &&
                          other->schema.status != ResourceStatus::kDeleting;
    if (takes_it) tables.push_back(std::move(other));
  }
  return tables;
}

}  // namespace

bool is_for_all_regions(const Catalog& catalog, const ItemWrite& write) {
  if (!write.table->superseded.load(std::memory_order_acquire)) [[likely]]
    return is_strong(write.table->schema);
  const TablePtr newest = catalog.current(*write.table);
  return newest != nullptr && is_strong(newest->schema);
}

StrongWrites::StrongWrites(const Catalog& catalog, std::span<const ItemWrite> given)
    : catalog_(catalog), given_(given) {
  for (const ItemWrite& write : given) tables_.push_back(tables_of(catalog, write));
  for (std::size_t i = 0; i < given.size(); ++i) {
    const bool is_for_all = is_strong(tables_[i].front()->schema);
    if (is_for_all) decided_.push_back({given[i].decide, {}});
    all_.push_back({.table = tables_[i].front(),
                    .key = given[i].key,
                    .decide = is_for_all ? Decide(decided_.back()) : given[i].decide,
                    .by_time_to_live = given[i].by_time_to_live,
                    .stamp = given[i].stamp});
    origins_.push_back(i);
  }
  auto decided = decided_.begin();
  for (std::size_t i = 0; i < given.size(); ++i) {
    if (!is_strong(tables_[i].front()->schema)) continue;
    repeated_.push_back({*decided++});
    const Table* first = tables_[i].front().get();
    for (auto other = tables_[i].begin() + 1; other != tables_[i].end(); ++other) {
      all_.push_back({.table = *other,
                      .key = key_in(**other, given[i].key),
                      .decide = repeated_.back(),
                      .by_time_to_live = given[i].by_time_to_live});
      origins_.push_back(i);
      if ((*other)->schema.number < first->schema.number) first = other->get();
    }
    items_.push_back({key_in(*first, given[i].key), tables_[i].front()->schema.number});
  }
}

bool StrongWrites::is_whole() const {
  for (std::size_t i = 0; i < given_.size(); ++i) {
    if (tables_of(catalog_, given_[i]) != tables_[i]) return false;
  }
  return true;
}

}  // namespace magneto::storage
