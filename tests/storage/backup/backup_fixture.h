#pragma once

#include <gtest/gtest.h>

#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "tests/storage/database_fixture.h"

// The common parts of tests of backups and restores.
namespace magneto::storage {

// Holds up or fails the commits that put items under one table number: of a backup, or of a table.
class CopyGate {
 public:
  enum class Mode { kPass, kHold, kFail };

  // The first `let` of them pass.
  void set(Mode mode, std::uint32_t number = 0, int let = 0) {
    {
      const std::lock_guard lock(mutex_);
      mode_ = mode;
      number_ = number;
      let_ = let;
    }
    changed_.notify_all();
  }
  void await_one();  // until one is held up, or has failed
  // Whether the commit is to fail; waits while it is held up.
  bool fails(const WriteBatch& batch);

 private:
  bool concerns(const WriteBatch& batch) const;

  std::mutex mutex_;  // guards what follows
  std::condition_variable changed_;
  Mode mode_ = Mode::kPass;
  std::uint32_t number_ = 0;
  int let_ = 0;
  int met_ = 0;  // held up now, or failed so far
};

class BackupTest : public DatabaseTest {
 protected:
  BackupTest();

  // Opens the store over an engine whose commits pass the gate, and that fails when told to.
  void open_gated();
  // Acts as after a kill: nothing more is committed, and another process opens the directory, with
  // its clock changed by `turned`.
  void kill_and_open(Clock::Duration turned = Clock::Duration(0));

  // With a global and a local index, a stream and time to live.
  static TableSchema full_schema(std::string_view name = "t");
  // The table that a backup of such a one is restored into.
  static TableSchema plain_schema(std::string_view name);
  static Item item(const std::string& pk, int n);
  // Items k0 ... of a table made by full_schema().
  TablePtr make_table(int items);
  void fill(const TablePtr& table, int first, int last);

  BackupPtr back_up(std::string_view name = "backup");
  BackupPtr found(const BackupPtr& backup) { return database().find_backup(backup->schema->arn()); }
  // Restores the whole backup, also after a restart, and checks the table.
  TablePtr restore(const BackupPtr& backup, std::string_view name);
  static std::vector<std::string> items_of(Database& database, std::string_view table);
  std::vector<std::string> listed(const BackupFilter& filter = {}, std::size_t limit = 100'000);
  bool has_warning(std::string_view part);
  // Keys in the store, which must not be open, that belong to a number, and records with a prefix.
  std::size_t keys_under(std::uint32_t number);
  std::size_t records(std::string_view prefix);

  static constexpr int kSeveralChunks = 2'000;

  std::shared_ptr<FaultyEngine::Faults> faults_ = std::make_shared<FaultyEngine::Faults>();
  CopyGate gate_;
  std::mutex warnings_mutex_;  // guards warnings_
  std::vector<std::string> warnings_;
};

}  // namespace magneto::storage
