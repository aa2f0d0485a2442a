#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include "server/bulk/jobs/job_table.h"
#include "server/bulk/jobs/messages.h"
#include "server/client/objects/folder_store.h"
#include "storage/clock.h"
#include "tests/server/bulk/jobs/job_process.h"

namespace magneto::server::bulk {
namespace {

using JobObjectsTest = JobRunnerTest;

// A bad object fails alone, and its items before the fault are put.
TEST_F(JobObjectsTest, PassesOverBadObjects) {
  const auto item = [](const std::string& key) {
    return R"({"Item":{"pk":{"S":")" + key + "\"}}}\n";
  };
  std::ofstream(bucket_ + "/in/1.json") << item("a") << std::string(9 << 20, 'x') << "\n";
  std::ofstream(bucket_ + "/in/2.json") << item("b");
  fs::create_symlink(bucket_ + "/in/2.json", bucket_ + "/in/0.json");
  Process process(root_);
  EXPECT_EQ(
      process.wait(false, process.import(R"("InputFormat":"DYNAMODB_JSON",)" + table("made"))),
      "FAILED");
  EXPECT_EQ(process.text("ImportTableDescription", "FailureCode"), kItemsInvalid);
  EXPECT_EQ(process.text("ImportTableDescription", "ImportedItemCount"), "2");
  EXPECT_EQ(process.text("ImportTableDescription", "ErrorCount"), "1");
  EXPECT_EQ(process.text("ImportTableDescription", "ProcessedSizeBytes"),
            std::to_string(fs::file_size(bucket_ + "/in/1.json") +
                           fs::file_size(bucket_ + "/in/2.json")));
  fs::remove_all(bucket_ + "/in");
  fs::create_directories(bucket_ + "/in");
  std::ofstream(bucket_ + "/in/1.csv") << "pk,pk\nc,d\n";
  std::ofstream(bucket_ + "/in/2.csv") << "pk,v\ne,f\n";
  EXPECT_EQ(process.wait(false, process.import(R"("InputFormat":"CSV",)" + table("csv"))),
            "FAILED");
  EXPECT_EQ(process.text("ImportTableDescription", "FailureCode"), kItemsInvalid);
  EXPECT_EQ(process.text("ImportTableDescription", "ImportedItemCount"), "1");
  EXPECT_EQ(process.text("ImportTableDescription", "ErrorCount"), "1");
}

TEST_F(JobObjectsTest, TellsOfObjectsThatAreGone) {
  std::ofstream(bucket_ + "/in/1.json") << R"({"Item":{"pk":{"S":"a"}}})";
  Process process(root_);
  const auto store = client::make_folder_store(root_);
  const auto opened = store->open({.name = "bucket"}, [] { return false; });
  const std::vector<client::StoredObject> objects = opened->list("in/");
  fs::remove(bucket_ + "/in/1.json");
  try {
    opened->fetch(objects.front());
    ADD_FAILURE() << "it is there";
  } catch (const client::ObjectError& error) {
    EXPECT_EQ(error.kind(), client::ObjectError::Kind::kNoKey);
  }
}

TEST_F(JobObjectsTest, EndsByTheClockOfItsNamespace) {
  Process process(root_, false, std::chrono::milliseconds(0));
  storage::Clock& clock = process.namespaces().find("main")->clock();
  clock.set(storage::Clock::TimePoint(std::chrono::hours(24)), true);
  const std::string arn = process.import(R"("InputFormat":"CSV",)" + table("made"));
  EXPECT_EQ(process.wait(false, arn), "COMPLETED");
  EXPECT_EQ(process.text("ImportTableDescription", "EndTime"), "86400");
}

// A job that waited has waited by that clock too.
TEST_F(JobObjectsTest, EndsWhatWaitedByTheClockOfItsNamespace) {
  Process process(root_, false, std::chrono::hours(1));
  storage::Clock& clock = process.namespaces().find("main")->clock();
  clock.set(storage::Clock::TimePoint(std::chrono::hours(24)), true);
  const std::string arn = process.import(R"("InputFormat":"CSV",)" + table("made"));
  clock.advance(std::chrono::minutes(30));
  process.runner().stop();
  EXPECT_EQ(process.wait(false, arn), "FAILED");
  EXPECT_EQ(process.text("ImportTableDescription", "EndTime"), std::to_string(86'400 + 30 * 60));
}

TEST_F(JobObjectsTest, PutsIntoNoTableThatIsNotActive) {
  Process process(root_, false, std::chrono::hours(1));
  ASSERT_EQ(process.call("CreateTable", std::string(R"({"TableName":"made",)") + kKey + "}"), 200);
  EXPECT_EQ(
      process.call(
          "StartBulkPutItems",
          R"({"TableName":"made","InputS3Configuration":{"S3Bucket":"bucket","InputFormat":"ION"},"OutputS3Configuration":{"S3Bucket":"bucket","OutputType":["ERROR"]}})"),
      400);
  EXPECT_NE(process.answer().find("ResourceInUseException"), std::string::npos) << process.answer();
}

TEST_F(JobObjectsTest, TakesBackNoTableThatHasBeenUsed) {
  Process process(root_);
  const auto take_back = [&](const std::string& id) {
    api::BulkJob job;
    job.table_name = "books";
    job.table_id = id;
    take_back_table(process.namespaces().get("main")->databases().main(), job);
    process.namespaces().get("main")->databases().settle({});
    return process.call("DescribeTable", R"({"TableName":"books"})") == 400;
  };
  EXPECT_TRUE(take_back("of none"));
  make_table(process, "books");
  process.call("DescribeTable", R"({"TableName":"books"})");
  const std::string id = process.text("Table", "TableId");
  EXPECT_FALSE(take_back("another"));
  put(process, "books", 1);
  EXPECT_FALSE(take_back(id));
  process.call("DeleteItem", R"({"TableName":"books","Key":{"pk":{"S":"k1"}}})");
  EXPECT_TRUE(take_back(id));
}

}  // namespace
}  // namespace magneto::server::bulk
