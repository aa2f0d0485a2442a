#include "storage/table/published_tables.h"

#include <algorithm>
#include <atomic>
#include <utility>

#include "storage/engine/processors.h"

namespace magneto::storage {
namespace {

constexpr std::size_t kMaxSlots = 16;
constexpr std::size_t kLine = 64;  // bytes of a cache line

// Keeps a table for the copies of one slot. Its alignment is that of the memory with their reference
// count. Otherwise the counts of two slots could be in one line, which all requests would write.
struct alignas(kLine) Keeper {
  TablePtr table;
  void operator()(const Table* /*table*/) const {}
};

std::size_t thread_slot() {
  static std::atomic<std::size_t> threads{0};
  thread_local const std::size_t slot = threads.fetch_add(1, std::memory_order_relaxed);
  return slot;
}

}  // namespace

PublishedTables::PublishedTables(std::size_t slots)
    : slots_(slots != 0 ? slots : std::min(processor_count(), kMaxSlots)) {}

TablePtr PublishedTables::find(std::uint32_t database, std::string_view name) const {
  const Slot& slot = slots_[thread_slot() % slots_.size()];
  const std::lock_guard lock(slot.mutex);
  const auto found = slot.tables.find(Name{database, name});
  return found == slot.tables.end() ? nullptr : found->second;
}

std::vector<std::unique_lock<std::mutex>> PublishedTables::lock_all() const {
  std::vector<std::unique_lock<std::mutex>> locks;
  locks.reserve(slots_.size());
  for (const Slot& slot : slots_) locks.emplace_back(slot.mutex);
  return locks;
}

void PublishedTables::publish(const TablePtr& table) {
  std::vector<TablePtr> copies;  // after the swap below: the replaced ones, released without a lock
  copies.reserve(slots_.size());
  for (std::size_t i = 0; i < slots_.size(); ++i) {
    copies.emplace_back(table.get(), Keeper{table});
  }
  const Name name{table->schema.database, table->schema.name};
  const auto locks = lock_all();
  for (std::size_t i = 0; i < slots_.size(); ++i) {
    auto& tables = slots_[i].tables;
    if (auto node = tables.extract(name)) {
      tables.emplace(name, std::exchange(copies[i], std::move(node.mapped())));
    } else {
      tables.emplace(name, std::move(copies[i]));
    }
  }
}

void PublishedTables::withdraw(const TableName& name) {
  std::vector<TablePtr> withdrawn;  // released after the locks
  withdrawn.reserve(slots_.size());
  const auto locks = lock_all();
  for (Slot& slot : slots_) {
    if (auto node = slot.tables.extract(Name{name.database, name.name}))
      withdrawn.push_back(std::move(node.mapped()));
  }
}

}  // namespace magneto::storage
