#include "storage/engine/rocksdb/file_ledger.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <string>

#include "storage/engine/engine.h"
#include "tests/support/engines.h"

namespace magneto::storage {
namespace {

namespace fs = std::filesystem;

class FileLedgerTest : public testing::Test {
 protected:
  void make(const std::string& name, std::size_t size) {
    std::ofstream(directory_.file(name)) << std::string(size, 'x');
  }
  void set_current(const std::string& manifest) {
    std::ofstream(directory_.file("CURRENT")) << manifest << "\n";
  }
  std::unique_ptr<FileLedger> open() {
    return std::make_unique<FileLedger>(notes_.file("files"), directory_.path());
  }
  // What a new ledger says to the files; empty when nothing.
  std::string complaint() {
    try {
      open()->check();
      return "";
    } catch (const EngineError& error) {
      return error.what();
    }
  }

  TempDirectory notes_;
  TempDirectory directory_;
};

TEST_F(FileLedgerTest, KnowsNothingAtFirst) { EXPECT_EQ(complaint(), ""); }

TEST_F(FileLedgerTest, MissesTheLatestLog) {
  make("1.log", 10);
  make("2.log", 10);
  const auto ledger = open();
  ledger->start_log(directory_.file("1.log"));
  EXPECT_EQ(complaint(), "");
  ledger->start_log(directory_.file("2.log"));
  fs::remove(directory_.file("1.log"));
  EXPECT_EQ(complaint(), "");
  fs::remove(directory_.file("2.log"));
  EXPECT_EQ(complaint(), "data directory is damaged: cannot find " + directory_.file("2.log") +
                             ": No such file or directory");
}

TEST_F(FileLedgerTest, MissesTheEndOfAManifestInUse) {
  make("MANIFEST-1", 100);
  set_current("MANIFEST-1");
  const auto ledger = open();
  ledger->note_manifest(directory_.file("MANIFEST-1"), 100);
  EXPECT_EQ(complaint(), "");
  make("MANIFEST-1", 120);
  EXPECT_EQ(complaint(), "");
  make("MANIFEST-1", 99);
  EXPECT_EQ(complaint(), "data directory is damaged: " + directory_.file("MANIFEST-1") +
                             " has 99 bytes and had 100");
  set_current("MANIFEST-2");
  EXPECT_EQ(complaint(), "");
}

TEST_F(FileLedgerTest, MissesTheEndsOfLogsAfterTheirLastNote) {
  make("1.log", 10);
  make("2.log", 20);
  make("3.sst", 30);
  const auto ledger = open();
  ledger->start_log(directory_.file("2.log"));
  ledger->note_end(7);
  make("2.log", 19);
  make("3.sst", 1);
  EXPECT_EQ(complaint(),
            "data directory is damaged: " + directory_.file("2.log") + " has 19 bytes and had 20");
}

TEST_F(FileLedgerTest, MissesTheLastChanges) {
  make("1.log", 10);
  open()->note_end(7);
  {
    const auto ledger = open();
    ledger->check_sequence(7);
    ledger->check_sequence(8);
  }
  // Opening begins a log before it is known what the others held; the next start says the same.
  for (int i = 0; i < 2; ++i) {
    const auto ledger = open();
    ledger->check();
    make("2.log", 0);
    ledger->start_log(directory_.file("2.log"));
    try {
      ledger->check_sequence(6);
      FAIL() << "the loss went unseen";
    } catch (const EngineError& error) {
      EXPECT_EQ(std::string(error.what()), "data directory is damaged: the records of " +
                                               directory_.file("1.log") +
                                               " end with change 6 and ended with 7");
    }
  }
}

TEST_F(FileLedgerTest, UnreadableNotesCountAsNone) {
  make("1.log", 10);
  open()->start_log(directory_.file("1.log"));
  fs::remove(directory_.file("1.log"));
  EXPECT_NE(complaint(), "");
  fs::resize_file(notes_.file("files"), 3);
  EXPECT_EQ(complaint(), "");
  std::ofstream(notes_.file("files")) << std::string(FileLedger::kSize, '\0');
  EXPECT_EQ(complaint(), "");
}

TEST_F(FileLedgerTest, ManyLogsDoNotOutgrowTheNotes) {
  for (int i = 100; i < 200; ++i) make(std::to_string(i) + ".log", 1);
  open()->note_end(7);
  EXPECT_EQ(fs::file_size(notes_.file("files")), FileLedger::kSize);
  EXPECT_EQ(complaint(), "");
  fs::remove(directory_.file("100.log"));
  EXPECT_NE(complaint(), "");
}

}  // namespace
}  // namespace magneto::storage
