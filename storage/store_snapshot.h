#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "storage/backup/backup.h"
#include "storage/engine/engine.h"
#include "storage/table/catalog_snapshot.h"
#include "storage/transaction/idempotency_tokens.h"

namespace magneto::storage {

// A store and the databases in it at one moment: a snapshot of its engine, with what lies in no
// tree. What Databases::fork() begins with, any number of times. Immutable; keeps the engine alive
// when its store has ended, and costs what Snapshot costs.
struct StoreSnapshot {
  // Reads of a fork look through as many levels as there are below it. Where there would be more, they
  // are merged into one.
  static constexpr std::uint32_t kMaxDepth = 16;

  std::shared_ptr<Engine> engine;
  SnapshotPtr records;
  CatalogSnapshot catalog;
  std::vector<BackupPtr> backups;  // the complete ones
  std::shared_ptr<const TokensSnapshot> tokens;
  std::vector<std::pair<std::uint32_t, std::string>> databases;  // those beside the main one
  std::uint32_t last_database_number = 0;
  std::uint32_t depth = 1;            // forks of it lie above so many others, itself included
  std::uint64_t catalog_changes = 0;  // Catalog::changes() then

  bool is_too_deep() const { return depth > kMaxDepth; }
};
using StoreSnapshotPtr = std::shared_ptr<const StoreSnapshot>;

}  // namespace magneto::storage
