#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "api/json/json_reader.h"
#include "server/bulk/jobs/job_runner.h"
#include "server/client/objects/folder_store.h"
#include "storage/databases.h"
#include "tests/support/engines.h"

namespace magneto::server::bulk {

namespace fs = std::filesystem;

inline constexpr const char* kTables = "arn:aws:dynamodb:us-east-1:000000000000:table/";

// A process with a folder of buckets, one of them "bucket".
class Process {
 public:
  explicit Process(const std::string& objects, bool enforce_throughput = false,
                   std::chrono::milliseconds table_delay = {},
                   std::shared_ptr<storage::Notes> notes = nullptr)
      : runner_({.objects = objects.empty() ? nullptr : client::make_folder_store(objects),
                 .notes = std::move(notes),
                 .data_directory = {},
                 .isolation = api::Isolation::kNone,
                 .servers = {},
                 .log = api::log_fault_to_stderr,
                 .warn = [](std::string_view) {}}),
        namespaces_(storage::Databases::open(delayed(table_delay), settings_->clock), settings_,
                    {.database = {},
                     .main_database = {},
                     .service = {.enforce_throughput = enforce_throughput,
                                 .report_elsewhere = {},
                                 .job_context = {.jobs = &runner_}}}) {
    runner_.attach(namespaces_);
  }
  ~Process() { runner_.stop(); }
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  int call(std::string_view operation, std::string body, std::string_view space = "main") {
    return namespaces_.get(space)->service().call(api::find_operation(operation), api::Caller(),
                                                  "test", body, answer_);
  }
  // A text of the answer at a path of members.
  std::string text(std::string_view outer, std::string_view inner) {
    api::json::Document document;
    std::string copy = answer_;
    const auto value = document.parse(copy)->object().find(outer).object().find(inner);
    if (value.is_string()) return std::string(value.string());
    std::string compact;
    if (value) api::json::append_compact(value, compact);
    return compact;
  }
  // Waits for the end of a job; the answer is its description.
  std::string wait(bool is_export, const std::string& arn, std::string_view space = "main") {
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    const std::string_view outer = is_export ? "ExportDescription" : "ImportTableDescription";
    const std::string_view status = is_export ? "ExportStatus" : "ImportStatus";
    while (std::chrono::steady_clock::now() < deadline) {
      EXPECT_EQ(
          call(is_export ? "DescribeExport" : "DescribeImport",
               std::string("{\"") + (is_export ? "ExportArn" : "ImportArn") + "\":\"" + arn + "\"}",
               space),
          200)
          << answer_;
      if (text(outer, status) != "IN_PROGRESS") return text(outer, status);
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    return "never ended";
  }
  std::string import(const std::string& rest) {
    EXPECT_EQ(call("ImportTable",
                   R"({"S3BucketSource":{"S3Bucket":"bucket","S3KeyPrefix":"in/"},)" + rest + "}"),
              200)
        << answer_;
    return text("ImportTableDescription", "ImportArn");
  }

  const std::string& answer() const { return answer_; }
  api::Namespaces& namespaces() { return namespaces_; }
  JobRunner& runner() { return runner_; }

 private:
  static storage::DatabaseOptions delayed(std::chrono::milliseconds delay) {
    storage::DatabaseOptions options;
    options.control_plane_delay = delay;
    return options;
  }

  const std::shared_ptr<api::ControlSettings> settings_ =
      std::make_shared<api::ControlSettings>("main");
  JobRunner runner_;
  api::Namespaces namespaces_;
  std::string answer_;
};

inline std::string slurp(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

class JobRunnerTest : public testing::Test {
 protected:
  JobRunnerTest() { fs::create_directories(bucket_ + "/in"); }

  static void make_table(Process& process, const std::string& name,
                         std::string_view space = "main") {
    ASSERT_EQ(process.call("CreateTable", R"({"TableName":")" + name + "\"," + kKey + "}", space),
              200)
        << process.answer();
    ASSERT_EQ(
        process.call(
            "UpdateContinuousBackups",
            R"({"TableName":")" + name +
                R"(","PointInTimeRecoverySpecification":{"PointInTimeRecoveryEnabled":true}})",
            space),
        200)
        << process.answer();
  }
  static void put(Process& process, const std::string& table, int number,
                  std::string_view space = "main") {
    ASSERT_EQ(process.call("PutItem",
                           R"({"TableName":")" + table + R"(","Item":{"pk":{"S":"k)" +
                               std::to_string(number) + R"("}}})",
                           space),
              200)
        << process.answer();
  }
  static std::string begin_export(Process& process, const std::string& table,
                                  const std::string& rest = R"("S3Bucket":"bucket")",
                                  std::string_view space = "main") {
    EXPECT_EQ(
        process.call("ExportTableToPointInTime",
                     std::string(R"({"TableArn":")") + kTables + table + "\"," + rest + "}", space),
        200)
        << process.answer();
    return process.text("ExportDescription", "ExportArn");
  }

  static constexpr const char* kKey =
      R"("BillingMode":"PAY_PER_REQUEST","AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"},{"AttributeName":"n","AttributeType":"N"}],"KeySchema":[{"AttributeName":"pk","KeyType":"HASH"}],"GlobalSecondaryIndexes":[{"IndexName":"ByN","KeySchema":[{"AttributeName":"n","KeyType":"HASH"}],"Projection":{"ProjectionType":"ALL"}}])";

  static std::string table(const std::string& name) {
    return R"("TableCreationParameters":{"TableName":")" + name + "\"," + kKey + "}";
  }

  const storage::TempDirectory directory_;
  const std::string root_ = directory_.file("s3");
  const std::string bucket_ = root_ + "/bucket";
};

}  // namespace magneto::server::bulk
