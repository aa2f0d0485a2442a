#include "server/bulk/jobs/job_runner.h"

#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "server/bulk/jobs/messages.h"
#include "storage/engine/memory/memory_engine.h"
#include "tests/server/bulk/jobs/job_process.h"
#include "tests/support/faulty_engine.h"

namespace magneto::server::bulk {
namespace {

TEST_F(JobRunnerTest, ExportsTheMomentOfTheRequest) {
  Process process(root_);
  make_table(process, "books");
  for (int i = 0; i < 10; ++i) put(process, "books", i);
  const std::string arn =
      begin_export(process, "books", R"("S3Bucket":"bucket","S3Prefix":"a/b/")");
  for (int i = 10; i < 20; ++i) put(process, "books", i);
  process.call("DeleteTable", R"({"TableName":"books"})");
  EXPECT_EQ(process.wait(true, arn), "COMPLETED") << process.answer();
  EXPECT_EQ(process.text("ExportDescription", "ItemCount"), "10");
  EXPECT_EQ(process.text("ExportDescription", "BilledSizeBytes"), "40");
  const std::string name = arn.substr(arn.rfind('/') + 1);
  const std::string key = "a/b/AWSDynamoDB/" + name + "/manifest-summary.json";
  EXPECT_EQ(process.text("ExportDescription", "ExportManifest"), key);
  const std::string summary = slurp(bucket_ + "/" + key);
  for (const char* const part :
       {R"("exportArn":")", R"("s3Bucket":"bucket")", R"("s3Prefix":"a/b/")",
        R"("s3SseAlgorithm":"AES256")", R"("itemCount":10)", R"("billedSizeBytes":40)",
        R"("manifestFilesS3Key":"a/b/AWSDynamoDB/)"}) {
    EXPECT_NE(summary.find(part), std::string::npos) << part << summary;
  }
  EXPECT_TRUE(fs::exists(bucket_ + "/a/b/AWSDynamoDB/" + name + "/_started"));
}

TEST_F(JobRunnerTest, TellsWhyAnExportFailed) {
  Process process(root_);
  make_table(process, "books");
  EXPECT_EQ(process.wait(true, begin_export(process, "books", R"("S3Bucket":"none")")), "FAILED");
  EXPECT_EQ(process.text("ExportDescription", "FailureCode"), "S3NoSuchBucket");
  EXPECT_FALSE(process.text("ExportDescription", "EndTime").empty());
  EXPECT_FALSE(fs::exists(root_ + "/none"));
  const std::string outside = directory_.file("outside");
  fs::create_directories(outside);
  fs::create_directory_symlink(outside, bucket_ + "/linked");
  const std::string arn =
      begin_export(process, "books", R"("S3Bucket":"bucket","S3Prefix":"linked")");
  EXPECT_EQ(process.wait(true, arn), "FAILED");
  EXPECT_EQ(process.text("ExportDescription", "FailureCode"), "S3AccessDenied");
  EXPECT_TRUE(fs::is_empty(outside));
}

TEST_F(JobRunnerTest, BeginsOneJobForAToken) {
  Process process(root_);
  make_table(process, "books");
  const std::string rest = R"("S3Bucket":"bucket","ClientToken":"t")";
  const std::string arn = begin_export(process, "books", rest);
  EXPECT_EQ(begin_export(process, "books", rest), arn);
  EXPECT_EQ(process.call("ExportTableToPointInTime",
                         std::string(R"({"TableArn":")") + kTables +
                             R"(books","S3Bucket":"other","ClientToken":"t"})"),
            400);
  EXPECT_NE(process.answer().find("ExportConflictException"), std::string::npos);
  EXPECT_EQ(process.wait(true, arn), "COMPLETED");
  EXPECT_EQ(begin_export(process, "books", rest), arn);
}

TEST_F(JobRunnerTest, ATokenOfOneTableBeginsNoPutsIntoAnother) {
  Process process(root_);
  make_table(process, "books");
  make_table(process, "films");
  const auto begin = [&](std::string_view table) {
    return process.call("StartBulkPutItems",
                        R"({"ClientToken":"t","InputS3Configuration":{"S3Bucket":"bucket",
          "InputFormat":"DYNAMODB_JSON"},"OutputS3Configuration":{"S3Bucket":"bucket",
          "OutputType":["ERROR"]},"TableName":")" +
                            std::string(table) + R"("})");
  };
  EXPECT_EQ(begin("books"), 200) << process.answer();
  const std::string arn = process.text("BulkOperationDescription", "BulkOperationArn");
  EXPECT_EQ(begin("films"), 400);
  EXPECT_NE(process.answer().find("IdempotentParameterMismatch"), std::string::npos)
      << process.answer();
  EXPECT_EQ(begin(std::string(kTables) + "films"), 400);
  for (const std::string& same : {std::string("books"), std::string(kTables) + "books"}) {
    EXPECT_EQ(begin(same), 200) << process.answer();
    EXPECT_EQ(process.text("BulkOperationDescription", "BulkOperationArn"), arn);
  }
}

// A table is found with any partition in its ARN.
TEST_F(JobRunnerTest, KnowsATableByEachOfItsArns) {
  Process process(root_);
  make_table(process, "books");
  const auto begin = [&](const std::string& partition) {
    EXPECT_EQ(process.call("ExportTableToPointInTime",
                           R"({"S3Bucket":"bucket","ClientToken":"t","TableArn":"arn:)" +
                               partition + std::string(kTables).substr(7) + R"(books"})"),
              200)
        << process.answer();
    return process.text("ExportDescription", "ExportArn");
  };
  const std::string arn = begin("aws-cn");
  EXPECT_EQ(begin("aws-cn"), arn);
  EXPECT_EQ(begin("aws"), arn);
  process.call("ListExports",
               R"({"TableArn":"arn:aws-cn)" + std::string(kTables).substr(7) + R"(books"})");
  EXPECT_NE(process.answer().find(arn), std::string::npos) << process.answer();
  EXPECT_EQ(process.wait(true, arn), "COMPLETED");
}

TEST_F(JobRunnerTest, NeedsAFolder) {
  Process process("");
  make_table(process, "books");
  EXPECT_EQ(process.call("ExportTableToPointInTime", std::string(R"({"TableArn":")") + kTables +
                                                         R"(books","S3Bucket":"bucket"})"),
            400);
  EXPECT_NE(process.answer().find("--s3-dir"), std::string::npos);
  EXPECT_NE(process.answer().find("--s3-endpoint"), std::string::npos);
  EXPECT_EQ(process.call("ListExports", "{}"), 200);
}

TEST_F(JobRunnerTest, HasTheJobsOfEachNamespaceApart) {
  Process process(root_);
  process.namespaces().create({.name = "other"});
  make_table(process, "books", "other");
  put(process, "books", 1, "other");
  const std::string arn = begin_export(process, "books", R"("S3Bucket":"bucket")", "other");
  EXPECT_EQ(process.wait(true, arn, "other"), "COMPLETED");
  EXPECT_EQ(process.text("ExportDescription", "ItemCount"), "1");
  EXPECT_EQ(process.call("DescribeExport", R"({"ExportArn":")" + arn + "\"}"), 400);
  EXPECT_EQ(process.call("ListExports", "{}"), 200);
  EXPECT_EQ(process.answer(), R"({"ExportSummaries":[]})");
  process.namespaces().renew("other");
  EXPECT_EQ(process.call("ListExports", "{}", "other"), 200);
  EXPECT_EQ(process.answer(), R"({"ExportSummaries":[]})");
}

TEST_F(JobRunnerTest, ImportsLinesOfJsonAndCountsErrors) {
  std::ofstream(bucket_ + "/in/1.json") << R"({"Item":{"pk":{"S":"a"},"n":{"N":"1"}}})"
                                           "\n"
                                        << "no json\n"
                                        << R"({"Item":{"n":{"N":"1"}}})"
                                           "\n"
                                        << R"({"Item":{"pk":{"S":"b"},"n":{"S":"no number"}}})"
                                           "\n";
  std::ofstream(bucket_ + "/in/2.json") << R"({"Item":{"pk":{"S":"c"}}})";
  std::ofstream(bucket_ + "/innot.json") << R"({"Item":{"pk":{"S":"d"}}})";
  Process process(root_, true);
  const std::string arn = process.import(R"("InputFormat":"DYNAMODB_JSON",)" + table("made"));
  EXPECT_EQ(process.wait(false, arn), "FAILED") << process.answer();
  EXPECT_EQ(process.text("ImportTableDescription", "FailureCode"), kItemsInvalid);
  EXPECT_EQ(process.text("ImportTableDescription", "FailureMessage"), messages::kSomeItemsInvalid);
  EXPECT_EQ(process.text("ImportTableDescription", "ImportedItemCount"), "2");
  EXPECT_EQ(process.text("ImportTableDescription", "ErrorCount"), "3");
  EXPECT_EQ(process.text("ImportTableDescription", "ProcessedItemCount"), "5");
  EXPECT_EQ(process.text("ImportTableDescription", "ProcessedSizeBytes"),
            std::to_string(fs::file_size(bucket_ + "/in/1.json") +
                           fs::file_size(bucket_ + "/in/2.json")));
  EXPECT_EQ(
      process.call(
          "Query",
          R"({"TableName":"made","IndexName":"ByN","KeyConditionExpression":"n = :n","ExpressionAttributeValues":{":n":{"N":"1"}}})"),
      200);
  EXPECT_EQ(process.answer(),
            R"({"Items":[{"n":{"N":"1"},"pk":{"S":"a"}}],"Count":1,"ScannedCount":1})");
}

TEST_F(JobRunnerTest, ImportsCsvWithTypesOfKeys) {
  std::ofstream(bucket_ + "/in/1.csv") << "pk;n;pk:S\na;1;\"x;y\"\nb;2;\n";
  Process process(root_);
  const std::string options =
      R"("InputFormat":"CSV","InputFormatOptions":{"Csv":{"Delimiter":";"}},)";
  EXPECT_EQ(process.wait(false, process.import(options + table("made"))), "COMPLETED")
      << process.answer();
  process.call("GetItem", R"({"TableName":"made","Key":{"pk":{"S":"a"}}})");
  EXPECT_EQ(process.answer(), R"({"Item":{"n":{"N":"1"},"pk":{"S":"a"},"pk:S":{"S":"x;y"}}})");
  const std::string listed =
      R"("InputFormat":"CSV","InputFormatOptions":{"Csv":{"Delimiter":";","HeaderList":["pk","c","d"]}},)";
  EXPECT_EQ(process.wait(false, process.import(listed + table("listed"))), "COMPLETED")
      << process.answer();
  process.call("GetItem", R"({"TableName":"listed","Key":{"pk":{"S":"pk"}}})");
  EXPECT_EQ(process.answer(), R"({"Item":{"c":{"S":"n"},"d":{"S":"pk:S"},"pk":{"S":"pk"}}})");
  const std::string twice =
      R"("InputFormat":"CSV","InputFormatOptions":{"Csv":{"HeaderList":["pk","pk"]}},)";
  EXPECT_EQ(process.wait(false, process.import(twice + table("twice"))), "FAILED");
  EXPECT_EQ(process.text("ImportTableDescription", "FailureCode"), kInputUnusable);
}

// Each turn may meet the moment between both, in which the import ends anyway.
TEST_F(JobRunnerTest, DoesNotFillAnotherTableOfTheName) {
  {
    std::ofstream lines(bucket_ + "/in/1.json");
    const std::string rest = R"("},"v":{"S":")" + std::string(200, 'x') + "\"}}}\n";
    for (int i = 0; i < 100'000; ++i) lines << R"({"Item":{"pk":{"S":"k)" << i << rest;
  }
  Process process(root_);
  for (int turn = 0; turn < 10; ++turn) {
    const std::string arn = process.import(R"("InputFormat":"DYNAMODB_JSON",)" + table("made"));
    do {
      process.call("DescribeImport", R"({"ImportArn":")" + arn + "\"}");
    } while (process.text("ImportTableDescription", "ImportedItemCount") == "0");
    process.call("DeleteTable", R"({"TableName":"made"})");
    process.call("CreateTable", std::string(R"({"TableName":"made",)") + kKey + "}");
    ASSERT_EQ(process.wait(false, arn), "FAILED");
    EXPECT_EQ(process.text("ImportTableDescription", "FailureCode"), kInputUnusable);
    EXPECT_EQ(process.text("ImportTableDescription", "FailureMessage"), messages::kTableIsGone);
    process.call("Scan", R"({"TableName":"made","Select":"COUNT"})");
    ASSERT_EQ(process.answer(), R"({"Count":0,"ScannedCount":0})");
    process.call("DeleteTable", R"({"TableName":"made"})");
  }
}

// The process was killed between the summary and the record of the end. The bucket decides.
TEST_F(JobRunnerTest, AnExportWhoseSummaryIsThereIsDoneAfterAKill) {
  const auto notes = std::make_shared<storage::Notes>(storage::make_memory_engine());
  std::string arn;
  std::string key;
  {
    Process process(root_, false, {}, notes);
    make_table(process, "books");
    for (int i = 0; i < 3; ++i) put(process, "books", i);
    arn = begin_export(process, "books", R"("S3Bucket":"bucket")");
    ASSERT_EQ(process.wait(true, arn), "COMPLETED");
    key = process.text("ExportDescription", "ExportManifest");
  }
  const std::string record = "jobs/" + arn.substr(arn.rfind('/') + 1) + ".json";
  const std::string summary = bucket_ + "/" + key;
  std::ifstream file(summary);
  const std::string whole(std::istreambuf_iterator<char>(file), {});
  std::string running = notes->get(record).value();
  const std::string status = R"("status":"completed")";
  ASSERT_NE(running.find(status), std::string::npos);
  running.replace(running.find(status), status.size(), R"("status":"inProgress")");
  const auto end_after_kill = [&](const std::string& objects) {
    notes->put(record, running, storage::Notes::Durability::kProcess);
    Process process(objects, false, {}, notes);
    const std::string end = process.wait(true, arn);
    EXPECT_EQ(process.text("ExportDescription", "ItemCount"), end == "COMPLETED" ? "3" : "");
    if (end == "FAILED") {
      EXPECT_EQ(process.text("ExportDescription", "FailureCode"), kServerEnded);
    }
    return end;
  };
  EXPECT_EQ(end_after_kill(root_), "COMPLETED");
  // The end is known from then on, without the bucket.
  {
    Process process({}, false, {}, notes);
    EXPECT_EQ(process.wait(true, arn), "COMPLETED");
  }
  EXPECT_EQ(end_after_kill({}), "FAILED");
  std::ofstream(summary, std::ios::trunc) << whole.substr(0, whole.size() / 2);
  EXPECT_EQ(end_after_kill(root_), "FAILED");
  std::string other = whole;
  other.replace(other.find(arn), arn.size(), arn.substr(0, arn.size() - 1) + "x");
  std::ofstream(summary, std::ios::trunc) << other;
  EXPECT_EQ(end_after_kill(root_), "FAILED");
  fs::remove(summary);
  EXPECT_EQ(end_after_kill(root_), "FAILED");
  fs::remove_all(bucket_);
  EXPECT_EQ(end_after_kill(root_), "FAILED");
}

TEST_F(JobRunnerTest, LeavesNoTableOfAnImportThatCannotBegin) {
  const auto faults = std::make_shared<storage::FaultyEngine::Faults>();
  Process process(root_, false, {},
                  std::make_shared<storage::Notes>(std::make_shared<storage::FaultyEngine>(
                      storage::make_memory_engine(), faults)));
  faults->commits = true;
  const std::string request = R"({"S3BucketSource":{"S3Bucket":"bucket","S3KeyPrefix":"in/"},)"
                              R"("InputFormat":"DYNAMODB_JSON",)" +
                              table("made") + "}";
  EXPECT_EQ(process.call("ImportTable", request), 500);
  EXPECT_EQ(process.call("DescribeTable", R"({"TableName":"made"})"), 400);
  faults->commits = false;
  EXPECT_EQ(process.call("ImportTable", request), 200) << process.answer();
}

TEST_F(JobRunnerTest, MakesAnEmptyTableOfNoObjects) {
  Process process(root_);
  const std::string arn = process.import(R"("InputFormat":"CSV",)" + table("made"));
  EXPECT_EQ(process.wait(false, arn), "COMPLETED");
  EXPECT_EQ(process.text("ImportTableDescription", "ImportedItemCount"), "0");
  EXPECT_EQ(process.call("DescribeTable", R"({"TableName":"made"})"), 200);
}

TEST_F(JobRunnerTest, MakesNoTableOfNoBucket) {
  Process process(root_);
  const auto import = [&](std::string_view bucket) {
    process.call("ImportTable", R"({"S3BucketSource":{"S3Bucket":")" + std::string(bucket) +
                                    R"("},"InputFormat":"CSV",)" + table("made") + "}");
    return process.text("ImportTableDescription", "ImportArn");
  };
  EXPECT_EQ(process.wait(false, import("none")), "FAILED");
  EXPECT_EQ(process.text("ImportTableDescription", "FailureCode"), "S3NoSuchBucket");
  process.namespaces().find("main")->databases().settle({});
  EXPECT_EQ(process.call("DescribeTable", R"({"TableName":"made"})"), 400);
  EXPECT_EQ(process.wait(false, import("bucket")), "COMPLETED") << process.answer();
}

// An object that is not what the request says.
TEST_F(JobRunnerTest, FailsAnImportOfAnUnreadableObject) {
  std::ofstream(bucket_ + "/in/1.json") << R"({"Item":{"pk":{"S":"a"}}})";
  std::ofstream(bucket_ + "/in/2.json");
  Process process(root_);
  const std::string arn = process.import(
      R"("InputFormat":"DYNAMODB_JSON","InputCompressionType":"GZIP",)" + table("made"));
  EXPECT_EQ(process.wait(false, arn), "FAILED");
  EXPECT_EQ(process.text("ImportTableDescription", "FailureCode"), kItemsInvalid);
  EXPECT_EQ(process.text("ImportTableDescription", "ErrorCount"), "1");
  EXPECT_EQ(process.call("DescribeTable", R"({"TableName":"made"})"), 200);
}

TEST_F(JobRunnerTest, BringsBackWhatItExported) {
  Process process(root_);
  make_table(process, "books");
  for (int i = 0; i < 300; ++i) put(process, "books", i);
  const std::string arn = begin_export(process, "books");
  ASSERT_EQ(process.wait(true, arn), "COMPLETED");
  const std::string data = bucket_ + "/AWSDynamoDB/" + arn.substr(arn.rfind('/') + 1) + "/data";
  fs::remove_all(bucket_ + "/in");
  fs::rename(data, bucket_ + "/in");
  const std::string back = process.import(
      R"("InputFormat":"DYNAMODB_JSON","InputCompressionType":"GZIP",)" + table("back"));
  EXPECT_EQ(process.wait(false, back), "COMPLETED") << process.answer();
  EXPECT_EQ(process.text("ImportTableDescription", "ImportedItemCount"), "300");
  EXPECT_EQ(process.text("ImportTableDescription", "ErrorCount"), "0");
}

// Imports into tables that stay CREATING leave their turns to others.
TEST_F(JobRunnerTest, WaitsForTablesBesideOtherJobs) {
  Process process(root_, false, std::chrono::hours(1));
  std::ofstream(bucket_ + "/in/1.json") << R"({"Item":{"pk":{"S":"c"}}})";
  for (const char* const name : {"made1", "made2", "made3"}) {
    process.import(R"("InputFormat":"DYNAMODB_JSON",)" + table(name));
  }
  process.namespaces().create({.name = "other"});
  make_table(process, "books", "other");
  const std::string arn = begin_export(process, "books", R"("S3Bucket":"bucket")", "other");
  EXPECT_EQ(process.wait(true, arn, "other"), "COMPLETED") << process.answer();
  EXPECT_EQ(process.call("DescribeTable", R"({"TableName":"made1"})"), 200);
  EXPECT_EQ(process.text("Table", "TableStatus"), "CREATING");
}

// Imports into tables that stay CREATING wait for them.
TEST_F(JobRunnerTest, RefusesMoreThanItsBoundAndEndsWhatWaits) {
  Process process(root_, false, std::chrono::hours(1));
  std::ofstream(bucket_ + "/in/1.json") << R"({"Item":{"pk":{"S":"c"}}})";
  const std::string format = R"("InputFormat":"DYNAMODB_JSON",)";
  std::vector<std::string> begun;
  for (std::size_t i = 0; i < JobRunner::kMostUnended; ++i) {
    begun.push_back(process.import(format + table("made" + std::to_string(i))));
  }
  const std::string more =
      R"({"S3BucketSource":{"S3Bucket":"bucket"},)" + format + table("more") + "}";
  EXPECT_EQ(process.call("ImportTable", more), 400);
  EXPECT_NE(process.answer().find("LimitExceededException"), std::string::npos);
  EXPECT_EQ(process.call("DescribeTable", R"({"TableName":"more"})"), 400);
  // A forgotten job, as after a reset, ends.
  process.runner().forget("main", 0);
  EXPECT_EQ(process.call("DescribeImport", R"({"ImportArn":")" + begun.front() + "\"}"), 400);
  begun.clear();
  for (int i = 0; i < 3; ++i)
    begun.push_back(process.import(format + table("other" + std::to_string(i))));
  process.runner().stop();
  for (const std::string& arn : begun) {
    ASSERT_EQ(process.wait(false, arn), "FAILED");
    EXPECT_EQ(process.text("ImportTableDescription", "FailureCode"), kServerEnded);
  }
  EXPECT_EQ(process.call("ImportTable", more), 503);
}

}  // namespace
}  // namespace magneto::server::bulk
