#include "server/main/note_files.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "server/bulk/jobs/job_ledger.h"
#include "server/feeds/delivery/delivery_positions.h"
#include "server/tools/dynamodb_local/import_progress.h"
#include "server/tools/schema/unfinished_tables.h"
#include "tests/support/engines.h"
#include "tests/support/faulty_engine.h"

namespace magneto::server::main {
namespace {

namespace fs = std::filesystem;

// The files and their contents as an earlier version wrote them.
constexpr std::pair<const char*, const char*> kFiles[] = {
    {"schema-tables.begun", "region eu-west-1\ntab\nother\n"},
    {"deliveries/00ff.position", "17\n"},
    {"event-sources/m-00ff-1.position", "18446744073709551615 3\n"},
    {"dynamodb-local/a_b.db.imported", "Plain\n"},
    {"dynamodb-local/c_d.db.importing", "Plain\nSecond\n"},
    {"jobs/01790000000123-0a1b2c3d.json",
     R"({"kind":"export","name":"01790000000123-0a1b2c3d","arn":"arn:t/export/01790000000123-0a1b2c3d",)"
     R"("table":"t","tableArn":"arn:t","status":"completed"})"}};

class NoteFilesTest : public testing::Test {
 protected:
  NoteFilesTest() { make_files(); }

  void make_files() const {
    for (const auto& [name, text] : kFiles) make_file(name, text);
  }
  void make_file(const std::string& name, const std::string& text) const {
    fs::create_directories(fs::path(path_of(name)).parent_path());
    std::ofstream(path_of(name), std::ios::binary) << text;
  }
  std::string path_of(const std::string& name) const { return directory_.file(name); }
  std::size_t files() const {
    std::size_t count = 0;
    for (const auto& entry : fs::recursive_directory_iterator(directory_.path())) {
      count += entry.is_regular_file() ? 1 : 0;
    }
    return count;
  }

  // A process of its own: it opens the store of the one before.
  void restart() {
    notes_.reset();
    faults_ = std::make_shared<storage::FaultyEngine::Faults>();
    notes_ = open();
  }
  std::shared_ptr<storage::Notes> open() const {
    return std::make_shared<storage::Notes>(std::make_shared<storage::FaultyEngine>(
        storage::open_engine(storage::EngineKind::kRocksdb, store_), faults_));
  }
  void migrate() { migrate_note_files(directory_.path(), *notes_); }
  // Returns the sentence that ends the start.
  std::string refusal() {
    try {
      migrate();
      return {};
    } catch (const std::runtime_error& error) {
      return error.what();
    }
  }
  void expect_all_migrated() const {
    EXPECT_EQ(files(), 0U);
    EXPECT_EQ(notes_->names("").size(), std::size(kFiles));
    for (const auto& [name, text] : kFiles) EXPECT_EQ(notes_->get(name), text) << name;
  }

  const storage::TempDirectory directory_;
  const storage::TempDirectory store_;
  std::shared_ptr<storage::FaultyEngine::Faults> faults_ =
      std::make_shared<storage::FaultyEngine::Faults>();
  std::shared_ptr<storage::Notes> notes_ = open();
};

TEST_F(NoteFilesTest, AreReadByTheOwnersOfTheNotes) {
  migrate();
  expect_all_migrated();
  const auto unfinished = tools::schema::UnfinishedTables(*notes_).read();
  ASSERT_TRUE(unfinished);
  EXPECT_EQ(unfinished->region, "eu-west-1");
  EXPECT_EQ(unfinished->names, (std::vector<std::string>{"tab", "other"}));
  const auto warn = [](std::string_view what) { ADD_FAILURE() << what; };
  EXPECT_EQ(feeds::DeliveryPositions(notes_, "deliveries", warn).load("00ff"), 17U);
  EXPECT_EQ(feeds::DeliveryPositions(notes_, "event-sources", warn).load_all("m-00ff-1", 1),
            (std::vector<std::uint64_t>{18446744073709551615U, 3}));
  EXPECT_TRUE(tools::ImportProgress(*notes_, "a_b.db").is_finished());
  const tools::ImportProgress importing(*notes_, "c_d.db");
  EXPECT_FALSE(importing.is_finished());
  EXPECT_EQ(importing.begun_tables(), (std::vector<std::string>{"Plain", "Second"}));
  EXPECT_TRUE(bulk::JobLedger(notes_, "", "main", warn, {}).has("01790000000123-0a1b2c3d"));
}

TEST_F(NoteFilesTest, OtherFilesStay) {
  make_file("jobs/01790000000123-0a1b2c3d.errors", "x");
  make_file("dynamodb-local/copy/x.db", "x");
  make_file("MAGNETO", "x");
  make_file("deliveries/0100.position.new", "4");  // the draft of a killed process
  migrate();
  EXPECT_EQ(files(), 3U);
  EXPECT_EQ(notes_->names("").size(), std::size(kFiles));
  EXPECT_FALSE(fs::exists(path_of("deliveries")));
  migrate();
  EXPECT_EQ(files(), 3U);
}

// Each commit is a point at which a process may be killed.
TEST_F(NoteFilesTest, AKillBeforeAnyCommitLosesNothing) {
  for (int kill = 1; kill <= static_cast<int>(std::size(kFiles)); ++kill) {
    SCOPED_TRACE(kill);
    int commits = 0;
    faults_->fails = [&](const storage::WriteBatch&) { return ++commits == kill; };
    EXPECT_THROW(migrate(), storage::EngineError);
    EXPECT_EQ(files(), std::size(kFiles));
    restart();
    EXPECT_EQ(notes_->names("").size(), static_cast<std::size_t>(kill - 1));
    migrate();
    expect_all_migrated();
    for (const std::string& name : notes_->names("")) {
      notes_->remove(name, storage::Notes::Durability::kProcess);
    }
    make_files();
  }
}

TEST_F(NoteFilesTest, AKillWhileFilesAreDeletedLosesNothing) {
  for (std::size_t deleted = 0; deleted <= std::size(kFiles); ++deleted) {
    SCOPED_TRACE(deleted);
    migrate();
    make_files();
    for (std::size_t i = 0; i < deleted; ++i) fs::remove(path_of(kFiles[i].first));
    restart();
    migrate();
    expect_all_migrated();
    make_files();
  }
}

// The store has the notes on the disk before the first file goes.
TEST_F(NoteFilesTest, TheLastCommitIsSynced) {
  std::vector<bool> synced;
  faults_->fails = [&](const storage::WriteBatch& batch) {
    EXPECT_EQ(files(), std::size(kFiles));
    synced.push_back(batch.is_synced());
    return false;
  };
  migrate();
  ASSERT_EQ(synced.size(), std::size(kFiles));
  EXPECT_TRUE(synced.back());
}

TEST_F(NoteFilesTest, AFullDiskLeavesTheFiles) {
  faults_->commits = true;
  EXPECT_EQ(refusal(), "the disk is on fire");
  EXPECT_EQ(files(), std::size(kFiles));
  EXPECT_TRUE(notes_->names("").empty());
}

TEST_F(NoteFilesTest, AFileReplacesANote) {
  notes_->put("schema-tables.begun", "damaged", storage::Notes::Durability::kProcess);
  EXPECT_THROW(tools::schema::UnfinishedTables(*notes_).read(), std::runtime_error);
  make_file("schema-tables.begun", "everybody\n");
  migrate();
  EXPECT_TRUE(tools::schema::UnfinishedTables(*notes_).read()->names.empty());
}

TEST_F(NoteFilesTest, ADamagedFileEndsTheStart) {
  const std::string tables = "tables that an earlier start left unfinished stay as they are";
  const std::string changes = "the changes of the last day are sent again";
  const std::string job = "the server forgets this export or import";
  const std::vector<std::vector<std::string>> damages = {
      {"schema-tables.begun", "nobody\ntab\n", tables},
      {"schema-tables.begun", "", tables},
      {"dynamodb-local/c_d.db.importing", "Plain\nSec", tables},
      {"deliveries/00ff.position", "", changes},
      {"event-sources/m-00ff-1.position", std::string(8, '\0'), changes},
      {"jobs/01790000000123-0a1b2c3d.json", R"({"kind":"exp)", job},
      {"jobs/other.json", kFiles[5].second, job}};
  for (const std::vector<std::string>& damage : damages) {
    make_file(damage[0], damage[1]);
    EXPECT_EQ(refusal(), path_of(damage[0]) +
                             ", which an earlier version wrote, is damaged: repair it, or delete "
                             "it, and " +
                             damage[2]);
    EXPECT_TRUE(fs::exists(path_of(damage[0])));
    EXPECT_TRUE(notes_->names("").empty());
    fs::remove(path_of(damage[0]));
    make_files();
  }
  migrate();
  expect_all_migrated();
}

TEST_F(NoteFilesTest, AFileThatCannotBeReadEndsTheStart) {
  const std::string path = path_of("jobs/folder.json");
  fs::create_directory(path);
  const std::string sentence = refusal();
  EXPECT_TRUE(sentence.starts_with("cannot read " + path + ", which an earlier version wrote: "))
      << sentence;
  EXPECT_TRUE(sentence.ends_with("; make it readable, and start again")) << sentence;
  EXPECT_EQ(files(), std::size(kFiles));
  fs::remove(path);
  fs::remove_all(path_of("deliveries"));
  make_file("deliveries", "not a folder");
  EXPECT_TRUE(refusal().starts_with("cannot read " + path_of("deliveries"))) << refusal();
  EXPECT_TRUE(notes_->names("").empty());
}

}  // namespace
}  // namespace magneto::server::main
