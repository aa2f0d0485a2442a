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

// A store and its databases at one moment: a snapshot of its engine, with the state that is in no
// tree. Databases::fork() can start from it any number of times. Immutable. It keeps the engine
// alive after its store has ended, and costs as much as a Snapshot.
struct StoreSnapshot {
  // A fork's read looks through all levels below the fork. If there would be more than this many,
  // they are merged into one.
  static constexpr std::uint32_t kMaxDepth = 16;

  std::shared_ptr<Engine> engine;
  SnapshotPtr records;
  CatalogSnapshot catalog;
  std::vector<BackupPtr> backups;  // the complete ones
  std::shared_ptr<const TokensSnapshot> tokens;
  std::vector<std::pair<std::uint32_t, std::string>> databases;  // those besides the main one
  std::uint32_t last_database_number = 0;
  std::uint32_t depth = 1;  // number of overlays that a fork of it lies above, itself included
  std::uint64_t catalog_changes = 0;  // Catalog::changes() at that moment

  bool is_too_deep() const { return depth > kMaxDepth; }
};
using StoreSnapshotPtr = std::shared_ptr<const StoreSnapshot>;

}  // namespace magneto::storage
