#include "server/tools/dynamodb_local/import_progress.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "server/tools/dynamodb_local/dynamodb_local_file.h"
#include "storage/engine/memory/memory_engine.h"
#include "tests/support/faulty_engine.h"

namespace magneto::server::tools {
namespace {

using Names = std::vector<std::string>;

constexpr const char* kImporting = "dynamodb-local/a.db.importing";

class ImportProgressTest : public testing::Test {
 protected:
  const std::shared_ptr<storage::FaultyEngine::Faults> faults_ =
      std::make_shared<storage::FaultyEngine::Faults>();
  storage::Notes notes_{
      std::make_shared<storage::FaultyEngine>(storage::make_memory_engine(), faults_)};
  const ImportProgress progress_{notes_, "a.db"};
};

TEST_F(ImportProgressTest, TablesAreListedUntilAllAreImported) {
  EXPECT_EQ(progress_.begun_tables(), Names());
  progress_.begin({"one", "two"});
  EXPECT_EQ(progress_.begun_tables(), (Names{"one", "two"}));
  EXPECT_FALSE(progress_.is_finished());
  EXPECT_FALSE(ImportProgress(notes_, "b.db").is_finished());
  progress_.finish();
  EXPECT_TRUE(progress_.is_finished());
  EXPECT_EQ(notes_.names(""), Names{"dynamodb-local/a.db.imported"});
}

// The second commit of finish() removes the list.
TEST_F(ImportProgressTest, AKillBeforeTheListGoesIsHarmless) {
  progress_.begin({"one"});
  int commits = 0;
  faults_->fails = [&](const storage::WriteBatch& batch) {
    EXPECT_TRUE(batch.is_synced());
    return ++commits == 2;
  };
  EXPECT_THROW(progress_.finish(), LocalFileError);
  EXPECT_TRUE(progress_.is_finished());
}

TEST_F(ImportProgressTest, ADamagedListEndsTheStart) {
  for (const std::string text : {"one", "one\n\n", "o\x01e\n"}) {
    notes_.put(kImporting, text, storage::Notes::Durability::kProcess);
    try {
      progress_.begun_tables();
      ADD_FAILURE() << text;
    } catch (const LocalFileError& error) {
      EXPECT_STREQ(error.what(),
                   "the progress of the import of DynamoDB Local's tables is damaged: to keep the "
                   "tables that exist and import the others, put an empty file "
                   "dynamodb-local/a.db.importing into the data directory");
    }
  }
  notes_.put(kImporting, "", storage::Notes::Durability::kProcess);  // the empty file, migrated
  EXPECT_EQ(progress_.begun_tables(), Names());
}

TEST_F(ImportProgressTest, AFailureSaysWhy) {
  faults_->commits = true;
  try {
    progress_.begin({"one"});
    ADD_FAILURE();
  } catch (const LocalFileError& error) {
    EXPECT_STREQ(
        error.what(),
        "cannot save the progress of the import of DynamoDB Local's tables: the disk is on "
        "fire");
  }
}

}  // namespace
}  // namespace magneto::server::tools
