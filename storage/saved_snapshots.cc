#include "storage/saved_snapshots.h"

#include <cstdint>
#include <utility>

#include "storage/database_store.h"

namespace magneto::storage {
namespace {

// Memory for the store below a fork. The page cache also holds every item that is read.
constexpr std::uint64_t kMemoryBelowForks = 16ULL << 20;

}  // namespace

std::unique_ptr<SavedSnapshots> SavedSnapshots::of(Databases& store,
                                                   const DatabaseOptions& options) {
  std::shared_ptr<SavedStores> stores = store.saved_stores();
  if (stores == nullptr) return nullptr;
  return std::unique_ptr<SavedSnapshots>(new SavedSnapshots(std::move(stores), options));
}

void SavedSnapshots::save(Databases& store, std::string_view name, std::string_view note) {
  store.save(name, note);
}

StoreSnapshotPtr SavedSnapshots::open(std::string_view name) const {
  const Clock clock;  // never turned meanwhile: histories would record that
  DatabaseOptions options = options_;
  options.is_still = true;
  return Databases::open(options, clock, stores_->open(name, kMemoryBelowForks))->snapshot();
}

std::unique_ptr<Databases> SavedSnapshots::restore(std::string_view name,
                                                   const Clock& clock) const {
  return Databases::open(options_, clock, durable_engine_over(options_, [&](std::uint64_t budget) {
                           return stores_->open(name, budget);
                         }));
}

}  // namespace magneto::storage
