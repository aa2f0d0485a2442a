#include "storage/backup/backup_catalog.h"

#include <algorithm>
#include <chrono>
#include <memory>
#include <random>
#include <utility>

#include "storage/encoding/backup_encoding.h"
#include "storage/encoding/keyspace.h"

namespace magneto::storage {
namespace {

// One tree, since there is no contention.
PartitionMap open_items(Engine& engine, std::uint32_t number) {
  return {engine, ColumnFamily::kItems, number, 0, 1};
}

BackupPtr make_backup(BackupSchema schema, PartitionMap items) {
  return std::make_shared<const Backup>(
      Backup{std::make_shared<const BackupSchema>(std::move(schema)), std::move(items)});
}

}  // namespace

BackupCatalog::BackupCatalog(Engine& engine, const Clock& clock, Catalog& catalog,
                             Reclaimer& reclaimer)
    : engine_(engine), clock_(clock), catalog_(catalog), reclaimer_(reclaimer), records_(engine) {}

void BackupCatalog::load() {
  if (!records_.are_stored()) return;
  const std::lock_guard lock(mutex_);
  const std::string first(kBackupPrefix);
  const auto cursor =
      engine_.scan(*records_.tree(), first, prefix_successor(first), Direction::kForward);
  while (cursor->next()) {
    BackupSchema schema = decode_backup(cursor->value());
    schema.number = number_of_backup(cursor->key());
    schema.table.database = database_of_backup(cursor->key());
    const std::uint32_t number = schema.number;
    BackupPtr backup = make_backup(std::move(schema), open_items(engine_, number));
    entries_.emplace(key_of(*backup), Entry{backup});
  }
}

std::vector<BackupPtr> BackupCatalog::snapshot() const {
  std::vector<BackupPtr> complete;
  const std::lock_guard lock(mutex_);
  for (const auto& [key, entry] : entries_) {
    if (entry.backup->schema->is_complete) complete.push_back(entry.backup);
  }
  return complete;
}

void BackupCatalog::fork_from(const std::vector<BackupPtr>& snapshot,
                              Catalog::OverlayOf overlay_of) {
  const std::lock_guard lock(mutex_);
  for (const BackupPtr& below : snapshot) {
    auto backup = std::make_shared<const Backup>(
        Backup{below->schema, PartitionMap({overlay_of(below->items.tree(0))})});
    entries_.emplace(key_of(*backup), Entry{backup});
  }
}

BackupSchema BackupCatalog::new_schema(const Table& table, std::string_view name,
                                       std::uint32_t number) const {
  BackupSchema schema;
  schema.number = number;
  schema.name = name;
  schema.created =
      std::chrono::floor<std::chrono::milliseconds>(clock_.now()).time_since_epoch().count();
  schema.items = table.statistics->item_count.load();
  schema.bytes = table.statistics->charged_bytes();
  schema.table = table.schema;
  schema.table.tags.clear();
  schema.table.policy.reset();
  schema.table.stream_policy.reset();
  schema.table.contributor_insights.clear();
  std::random_device random;
  const std::lock_guard lock(mutex_);
  do {
    schema.id = backup_id(schema.created, random());
  } while (entries_.contains({schema.database(), schema.id}));
  return schema;
}

BackupCatalog::Begun BackupCatalog::begin(const Table& table, std::string_view name) {
  Begun begun;
  const auto stage = [&](std::uint32_t number, Records::Change& records) {
    begun = {};
    const TablePtr current = catalog_.current(table);
    if (current == nullptr || current->schema.status == ResourceStatus::kDeleting) {
      begun.outcome = BackupOutcome::kNoTable;
      return false;
    }
    {
      const std::lock_guard lock(mutex_);
      const auto being_made = static_cast<std::size_t>(std::ranges::count_if(
          entries_, [](const auto& one) { return !one.second.backup->schema->is_complete; }));
      if (entries_.size() >= kMaxBackups || being_made >= kMostBeingMade) {
        begun.outcome = BackupOutcome::kTooMany;
      }
    }
    if (begun.outcome != BackupOutcome::kDone) return false;
    BackupPtr backup = make_backup(new_schema(*current, name, number), open_items(engine_, number));
    records.put(record_key(*backup), encode_backup(*backup->schema));
    begun.backup = std::move(backup);
    begun.snapshot = engine_.snapshot();
    return true;
  };
  catalog_.add_beside(stage, [&] {
    const std::lock_guard lock(mutex_);
    entries_.emplace(key_of(*begun.backup), Entry{begun.backup});
  });
  return begun;
}

void BackupCatalog::complete(const Backup& backup, std::int64_t items, std::int64_t bytes) {
  BackupSchema schema = *backup.schema;
  schema.items = items;
  schema.bytes = bytes;
  schema.is_complete = true;
  const BackupPtr completed = make_backup(std::move(schema), backup.items);
  const auto stage = [&](Records::Change& records) {
    if (!is_stored(backup, records)) return false;
    records.put(record_key(backup), encode_backup(*completed->schema));
    return true;
  };
  catalog_.change_beside({record_key(backup)}, stage, [&] {
    const std::lock_guard lock(mutex_);
    entries_.at(key_of(backup)).backup = completed;
  });
}

BackupResult BackupCatalog::remove(std::uint32_t database, std::string_view arn) {
  BackupResult result{BackupOutcome::kNoBackup};
  const BackupPtr backup = find(database, arn);
  if (backup == nullptr) return result;
  const auto stage = [&](Records::Change& records) {
    result.outcome = BackupOutcome::kNoBackup;
    if (!is_stored(*backup, records)) return false;
    const std::lock_guard lock(mutex_);
    const Entry& entry = *entry_of(*backup);
    const bool is_idle = entry.backup->schema->is_complete && entry.uses == 0;
    result.outcome = is_idle ? BackupOutcome::kDone : BackupOutcome::kInUse;
    if (is_idle) append_removal(records, *backup);
    return is_idle;
  };
  catalog_.change_beside({record_key(*backup)}, stage, [&] {
    const std::lock_guard lock(mutex_);
    result.backup = entry_of(*backup)->backup;
    entries_.erase(key_of(*backup));
  });
  if (result.backup != nullptr) reclaimer_.reclaim_items(result.backup->items.tree(0));
  return result;
}

void BackupCatalog::drop(const Backup& backup) {
  const auto stage = [&](Records::Change& records) {
    if (!is_stored(backup, records)) return false;
    append_removal(records, backup);
    return true;
  };
  bool is_dropped = false;
  catalog_.change_beside({record_key(backup)}, stage, [&] {
    const std::lock_guard lock(mutex_);
    is_dropped = entries_.erase(key_of(backup)) != 0;
  });
  if (is_dropped) reclaimer_.reclaim_items(backup.items.tree(0));
}

BackupOutcome BackupCatalog::use(const Backup& backup, bool alone) {
  BackupOutcome outcome = BackupOutcome::kNoBackup;
  catalog_.look_beside([&] {
    const std::lock_guard lock(mutex_);
    const auto found = entries_.find(key_of(backup));
    if (found == entries_.end() || !found->second.backup->schema->is_complete) return;
    outcome = alone && found->second.uses != 0 ? BackupOutcome::kInUse : BackupOutcome::kDone;
    if (outcome == BackupOutcome::kDone) ++found->second.uses;
  });
  return outcome;
}

void BackupCatalog::end_use(const Backup& backup) {
  const std::lock_guard lock(mutex_);
  const auto found = entries_.find(key_of(backup));
  if (found != entries_.end()) --found->second.uses;
}

const BackupCatalog::Entry* BackupCatalog::entry_of(const Backup& backup) const {
  const auto found = entries_.find(key_of(backup));
  return found == entries_.end() ? nullptr : &found->second;
}

bool BackupCatalog::has(const Backup& backup) const {
  const std::lock_guard lock(mutex_);
  return entry_of(backup) != nullptr;
}

BackupPtr BackupCatalog::find(std::uint32_t database, std::string_view arn) const {
  const std::string_view id = backup_id_in(arn);
  if (id.empty()) return nullptr;
  const std::lock_guard lock(mutex_);
  const auto found = entries_.find({database, std::string(id)});
  const bool is_it = found != entries_.end() && found->second.backup->schema->arn() == arn;
  return is_it ? found->second.backup : nullptr;
}

std::vector<BackupPtr> BackupCatalog::list(std::uint32_t database, const BackupFilter& filter,
                                           std::size_t limit) const {
  std::vector<BackupPtr> found;
  const std::lock_guard lock(mutex_);
  for (auto at = entries_.upper_bound({database, filter.exclusive_start});
       at != entries_.end() && at->first.first == database && found.size() < limit; ++at) {
    if (filter.matches(*at->second.backup->schema)) found.push_back(at->second.backup);
  }
  return found;
}

std::vector<BackupPtr> BackupCatalog::all(bool used_too) const {
  std::vector<BackupPtr> found;
  const std::lock_guard lock(mutex_);
  for (const auto& [key, entry] : entries_) {
    if (used_too || entry.uses == 0) found.push_back(entry.backup);
  }
  return found;
}

std::string BackupCatalog::record_key(const Backup& backup) {
  return backup_record_key(backup.schema->database(), backup.schema->number);
}

// False if the backup is gone. If another server has removed it, it is forgotten here.
bool BackupCatalog::is_stored(const Backup& backup, Records::Change& records) {
  const bool is_there = !records_.are_stored() || records.get(record_key(backup));
  const std::lock_guard lock(mutex_);
  if (!is_there) entries_.erase(key_of(backup));
  return entry_of(backup) != nullptr;
}

void BackupCatalog::append_removal(Records::Change& records, const Backup& backup) {
  records.remove(record_key(backup));
  records.put(dropped_record_key(backup.schema->number, 0), "");
  records.batch().set_frees_space();
}

}  // namespace magneto::storage
