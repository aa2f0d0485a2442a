#include "tests/storage/backup/backup_fixture.h"

#include <algorithm>

#include "storage/encoding/keyspace.h"

namespace magneto::storage {

bool CopyGate::concerns(const WriteBatch& batch) const {
  const std::string prefix = tree_prefix(number_, 0);
  return std::ranges::any_of(batch.operations(), [&](const WriteBatch::Operation& operation) {
    return operation.tree->family() == ColumnFamily::kItems && !operation.is_delete &&
           operation.key.starts_with(prefix);
  });
}

void CopyGate::await_one() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return met_ > 0; });
}

bool CopyGate::fails(const WriteBatch& batch) {
  std::unique_lock lock(mutex_);
  if (mode_ == Mode::kPass || !concerns(batch) || let_-- > 0) return false;
  ++met_;
  changed_.notify_all();
  if (mode_ == Mode::kFail) return true;
  changed_.wait(lock, [this] { return mode_ != Mode::kHold; });
  --met_;
  return mode_ == Mode::kFail;
}

BackupTest::BackupTest() {
  faults_->fails = [this](const WriteBatch& batch) { return gate_.fails(batch); };
  options_.report_warning = [this](std::string_view warning) {
    const std::lock_guard lock(warnings_mutex_);
    warnings_.emplace_back(warning);
  };
}

void BackupTest::open_gated() { open_with(faults_); }

void BackupTest::kill_and_open(Clock::Duration turned) {
  faults_->commits = true;
  gate_.set(CopyGate::Mode::kFail);
  database_.reset();
  clock_.advance(turned);
  faults_->commits = false;
  gate_.set(CopyGate::Mode::kPass);
  open();
}

TableSchema BackupTest::full_schema(std::string_view name) {
  TableSchema schema = plain_schema(name);
  schema.stream = {true, "NEW_AND_OLD_IMAGES", ""};
  schema.tags = {{"team", "x"}};
  return schema;
}

TableSchema BackupTest::plain_schema(std::string_view name) {
  TableSchema schema = table_schema(name);
  schema.indexes = {index_schema("g", IndexKind::kGlobal, {string_key("g")}, {}),
                    index_schema("l", IndexKind::kLocal, {string_key("pk")}, {number_key("n")})};
  return schema;
}

Item BackupTest::item(const std::string& pk, int n) {
  return make_item({{"pk", pk}, {"sk", 1}, {"g", "g" + std::to_string(n % 7)}, {"n", n}});
}

TablePtr BackupTest::make_table(int items) {
  TablePtr table = database().create_table(full_schema());
  fill(table, 0, items);
  return table;
}

void BackupTest::fill(const TablePtr& table, int first, int last) {
  for (int i = first; i < last; ++i) put(database(), table, item("k" + std::to_string(i), i));
}

BackupPtr BackupTest::back_up(std::string_view name) {
  BackupResult made = database().create_backup(database().find_table("t"), name);
  EXPECT_EQ(made.outcome, BackupOutcome::kDone);
  EXPECT_FALSE(made.backup->schema->is_complete);
  return made.backup;
}

TablePtr BackupTest::restore(const BackupPtr& backup, std::string_view name) {
  const RestoreResult restored = database().restore_table(found(backup), plain_schema(name));
  EXPECT_EQ(restored.outcome, BackupOutcome::kDone);
  if (restored.table == nullptr) return nullptr;
  EXPECT_EQ(restored.table->schema.status, ResourceStatus::kCreating);
  EXPECT_TRUE(restored.table->schema.restored->in_progress);
  expect_consistent(database(), name);
  TablePtr table = database().find_table(name);
  EXPECT_EQ(table->schema.status, ResourceStatus::kActive);
  EXPECT_FALSE(table->schema.restored->in_progress);
  EXPECT_EQ(table->schema.restored->backup_arn, backup->schema->arn());
  EXPECT_EQ(table->statistics->item_count, found(backup)->schema->items);
  EXPECT_EQ(table->statistics->size_bytes, found(backup)->schema->bytes);
  return table;
}

std::vector<std::string> BackupTest::items_of(Database& database, std::string_view table) {
  std::vector<std::string> items;
  for (const auto& [key, text] : contents(database, *database.find_table(table), nullptr)) {
    items.push_back(text);
  }
  return items;
}

std::vector<std::string> BackupTest::listed(const BackupFilter& filter, std::size_t limit) {
  std::vector<std::string> names;
  for (const BackupPtr& backup : database().list_backups(filter, limit)) {
    names.push_back(backup->schema->name);
  }
  return names;
}

bool BackupTest::has_warning(std::string_view part) {
  const std::lock_guard lock(warnings_mutex_);
  return std::ranges::any_of(warnings_, [part](const std::string& warning) {
    return warning.find(part) != std::string::npos;
  });
}

std::size_t BackupTest::keys_under(std::uint32_t number) {
  const auto engine = open_engine(GetParam(), directory_);
  std::size_t keys = 0;
  for (const ColumnFamily family : {ColumnFamily::kItems, ColumnFamily::kIndexes}) {
    const TreePtr all = engine->open_tree(family, "");
    std::string first;
    append_uint32(first, number);
    const auto cursor = engine->scan(*all, first, prefix_successor(first), Direction::kForward);
    while (cursor->next()) ++keys;
  }
  return keys;
}

std::size_t BackupTest::records(std::string_view prefix) {
  const auto engine = open_engine(GetParam(), directory_);
  const TreePtr system = engine->open_tree(ColumnFamily::kSystem, "");
  const std::string first(prefix);
  const auto cursor = engine->scan(*system, first, prefix_successor(first), Direction::kForward);
  std::size_t found = 0;
  while (cursor->next()) ++found;
  return found;
}

}  // namespace magneto::storage
