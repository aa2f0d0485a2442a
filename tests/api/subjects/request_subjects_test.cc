#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "api/faults/fault_rule_json.h"
#include "api/faults/faults.h"
#include "api/subjects/subject.h"
#include "tests/api/test_service.h"

namespace magneto::api {
namespace {

constexpr std::string_view kTableArn = "arn:aws:dynamodb:us-east-1:000000000000:table/tab";

// A rule of the table shows which requests name it.
TEST(RequestSubjects, TablesAreFoundUnderTheNamesOfOtherMembers) {
  TestService service;
  for (const char* const table : {"tab", "other"}) service.create_table(table, false);
  json::Document document;
  std::string rule = R"({"table":"tab","fault":{"error":"InternalServerError"}})";
  service.faults().add(read_fault_rule(document.parse(rule)->object()));
  const std::string arn(kTableArn);
  const std::string other = "arn:aws:dynamodb:us-east-1:000000000000:table/other";
  const auto status = [&](std::string_view operation, const std::string& members) {
    return service.call(operation, "{" + members + "}").status;
  };
  const std::string backup = "/backup/01795461195480-d038a535";
  EXPECT_EQ(status("DescribeBackup", R"("BackupArn":")" + arn + backup + "\""), 500);
  EXPECT_EQ(status("DescribeBackup", R"("BackupArn":")" + other + backup + "\""), 400);
  const std::string target = R"("BackupArn":")" + other + backup + R"(","TargetTableName":)";
  EXPECT_EQ(status("RestoreTableFromBackup", target + "\"tab\""), 500);
  EXPECT_EQ(status("RestoreTableFromBackup", target + "\"other\""), 400);
  EXPECT_EQ(status("ListExports", R"("TableArn":")" + arn + "\""), 500);
  EXPECT_EQ(status("ListExports", R"("TableArn":")" + other + "\""), 200);
  const std::string job = R"(/export/01795461195314-2149fd87")";
  EXPECT_EQ(status("DescribeExport", R"("ExportArn":")" + arn + job), 500);
  EXPECT_EQ(status("DescribeImport", R"("ImportArn":")" + arn + job), 500);
  const auto import = [](const std::string& table) {
    return R"("S3BucketSource":{"S3Bucket":"bucket"},"InputFormat":"CSV",)"
           R"("TableCreationParameters":{"TableName":")" +
           table +
           R"(","BillingMode":"PAY_PER_REQUEST",)"
           R"("AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"}],)"
           R"("KeySchema":[{"AttributeName":"pk","KeyType":"HASH"}]})";
  };
  EXPECT_EQ(status("ImportTable", import("tab")), 500);
  EXPECT_EQ(status("ImportTable", import("other")), 400);
  const auto iterator_of = [](const std::string& table) {
    return R"("ShardIterator":")" + table + R"(/stream/2026-01-01T00:00:00.000|1|AAAA")";
  };
  EXPECT_EQ(status("GetRecords", iterator_of(arn)), 500);
  EXPECT_EQ(status("GetRecords", iterator_of(other)), 400);
  EXPECT_EQ(status("DescribeGlobalTable", R"("GlobalTableName":"tab")"), 500);
  EXPECT_EQ(status("DescribeGlobalTable", R"("GlobalTableName":"other")"), 400);
  const std::string bulk = R"(/bulk/01795461195314-2149fd87")";
  EXPECT_EQ(status("DescribeBulkOperation", R"("BulkOperationArn":")" + arn + bulk), 500);
  EXPECT_EQ(status("DescribeBulkOperation", R"("BulkOperationArn":")" + other + bulk), 400);
}

}  // namespace
}  // namespace magneto::api
