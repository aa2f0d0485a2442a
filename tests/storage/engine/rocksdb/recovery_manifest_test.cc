#include "storage/engine/rocksdb/recovery_manifest.h"

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

class RecoveryManifestTest : public testing::Test {
 protected:
  void make(const std::string& name, std::size_t size) {
    std::ofstream(directory_.file(name)) << std::string(size, 'x');
  }
  void set_current(const std::string& manifest) {
    std::ofstream(directory_.file("CURRENT")) << manifest << "\n";
  }
  std::unique_ptr<RecoveryManifest> open() {
    return std::make_unique<RecoveryManifest>(folder_.file("files"), directory_.path());
  }
  // Returns the error of a new manifest about the files; empty if there is none.
  std::string complaint() {
    try {
      open()->check();
      return "";
    } catch (const EngineError& error) {
      return error.what();
    }
  }

  TempDirectory folder_;
  TempDirectory directory_;
};

TEST_F(RecoveryManifestTest, KnowsNothingAtFirst) { EXPECT_EQ(complaint(), ""); }

TEST_F(RecoveryManifestTest, MissesTheLatestLog) {
  make("1.log", 10);
  make("2.log", 10);
  const auto manifest = open();
  manifest->record_new_log(directory_.file("1.log"));
  EXPECT_EQ(complaint(), "");
  manifest->record_new_log(directory_.file("2.log"));
  fs::remove(directory_.file("1.log"));
  EXPECT_EQ(complaint(), "");
  fs::remove(directory_.file("2.log"));
  EXPECT_EQ(complaint(), "data directory is damaged: cannot find " + directory_.file("2.log") +
                             ": No such file or directory");
}

TEST_F(RecoveryManifestTest, MissesTheEndOfAManifestInUse) {
  make("MANIFEST-1", 100);
  set_current("MANIFEST-1");
  const auto manifest = open();
  manifest->record_manifest(directory_.file("MANIFEST-1"), 100);
  EXPECT_EQ(complaint(), "");
  make("MANIFEST-1", 120);
  EXPECT_EQ(complaint(), "");
  make("MANIFEST-1", 99);
  EXPECT_EQ(complaint(), "data directory is damaged: " + directory_.file("MANIFEST-1") +
                             " has 99 bytes and had 100");
  set_current("MANIFEST-2");
  EXPECT_EQ(complaint(), "");
}

TEST_F(RecoveryManifestTest, MissesTheEndsOfLogsAfterTheirLastEntry) {
  make("1.log", 10);
  make("2.log", 20);
  make("3.sst", 30);
  const auto manifest = open();
  manifest->record_new_log(directory_.file("2.log"));
  manifest->record_end(7);
  make("2.log", 19);
  make("3.sst", 1);
  EXPECT_EQ(complaint(),
            "data directory is damaged: " + directory_.file("2.log") + " has 19 bytes and had 20");
}

TEST_F(RecoveryManifestTest, MissesTheLastChanges) {
  make("1.log", 10);
  open()->record_end(7);
  {
    const auto manifest = open();
    manifest->check_sequence(7);
    manifest->check_sequence(8);
  }
  // Opening begins a log before it is known what the others held; the next start says the same.
  for (int i = 0; i < 2; ++i) {
    const auto manifest = open();
    manifest->check();
    make("2.log", 0);
    manifest->record_new_log(directory_.file("2.log"));
    try {
      manifest->check_sequence(6);
      FAIL() << "the loss went unseen";
    } catch (const EngineError& error) {
      EXPECT_EQ(std::string(error.what()), "data directory is damaged: the records of " +
                                               directory_.file("1.log") +
                                               " end with change 6 and ended with 7");
    }
  }
}

TEST_F(RecoveryManifestTest, UnreadableEntriesCountAsNone) {
  make("1.log", 10);
  open()->record_new_log(directory_.file("1.log"));
  fs::remove(directory_.file("1.log"));
  EXPECT_NE(complaint(), "");
  fs::resize_file(folder_.file("files"), 3);
  EXPECT_EQ(complaint(), "");
  std::ofstream(folder_.file("files")) << std::string(RecoveryManifest::kSize, '\0');
  EXPECT_EQ(complaint(), "");
}

TEST_F(RecoveryManifestTest, ManyLogsDoNotOutgrowTheFile) {
  for (int i = 100; i < 200; ++i) make(std::to_string(i) + ".log", 1);
  open()->record_end(7);
  EXPECT_EQ(fs::file_size(folder_.file("files")), RecoveryManifest::kSize);
  EXPECT_EQ(complaint(), "");
  fs::remove(directory_.file("100.log"));
  EXPECT_NE(complaint(), "");
}

}  // namespace
}  // namespace magneto::storage
