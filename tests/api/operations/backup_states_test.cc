// The operations on backups, and on tables restored from them, while those are being made.
#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <thread>

#include "api/operation_table.h"
#include "api/service.h"

namespace magneto::api {
namespace {

using namespace std::chrono_literals;

constexpr std::chrono::minutes kDelay{1};

class BackupStates : public testing::Test {
 protected:
  // The answer's body; errors too.
  std::string call(std::string_view operation, std::string body) {
    std::string response;
    service_.call(find_operation(operation), Caller{}, "id", body, response);
    return response;
  }
  std::string of_backup(std::string_view operation) {
    return call(operation, R"({"BackupArn":")" + arn_ + "\"}");
  }
  std::string of_table(std::string_view operation, const std::string& name) {
    return call(operation, R"({"TableName":")" + name + "\"}");
  }
  std::string restore() {
    return call("RestoreTableFromBackup",
                R"({"TargetTableName":"restored","BackupArn":")" + arn_ + "\"}");
  }
  // Moves the clock past the delay and waits until the background has seen it.
  template <typename Ask>
  testing::AssertionResult comes_to(std::string_view text, Ask ask) {
    clock_.advance(kDelay);
    std::string answer;
    for (int i = 0; i < 12'000; ++i) {
      answer = ask();
      if (answer.find(text) != std::string::npos) return testing::AssertionSuccess();
      std::this_thread::sleep_for(10ms);
    }
    return testing::AssertionFailure() << "no " << text << " in " << answer;
  }
  // AWS's answers to most operations on a table that is being restored (captured from AWS, October
  // 2026).
  void expect_nothing_of(const std::string& name) {
    const std::string arn = "arn:aws:dynamodb:us-east-1:000000000000:table/" + name;
    const std::string missing = "Requested resource not found: Table: " + name + " not found";
    const std::string table = R"({"TableName":")" + name + "\",";
    const std::string resource = R"({"ResourceArn":")" + arn + "\"";
    expect_in(missing, of_table("DescribeTimeToLive", name));
    expect_in(missing, of_table("DescribeContributorInsights", name));
    expect_in(missing, call("UpdateTable", table + R"("DeletionProtectionEnabled":true})"));
    expect_in(missing,
              call("UpdateTimeToLive",
                   table + R"("TimeToLiveSpecification":{"AttributeName":"ttl","Enabled":true}})"));
    expect_in(missing, call("ListTagsOfResource", resource + "}"));
    expect_in(missing, call("TagResource", resource + R"(,"Tags":[{"Key":"k","Value":"v"}]})"));
    expect_in(missing, call("GetResourcePolicy", resource + "}"));
    expect_in("Table not found: " + name, of_table("DescribeContinuousBackups", name));
    expect_in(
        "Table not found: " + name,
        call("UpdateContinuousBackups",
             table + R"("PointInTimeRecoverySpecification":{"PointInTimeRecoveryEnabled":true}})"));
    expect_in("Table not found: " + name,
              call("CreateBackup", table + R"("BackupName":"backup"})"));
    expect_in("Table is being used: " + name,
              call("CreateTable", table + R"("BillingMode":"PAY_PER_REQUEST",
                "AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"}],
                "KeySchema":[{"AttributeName":"pk","KeyType":"HASH"}]})"));
  }
  static void expect_in(std::string_view text, const std::string& answer) {
    EXPECT_NE(answer.find(text), std::string::npos) << "no " << text << " in " << answer;
  }

  std::string arn_;
  storage::Clock clock_;
  std::unique_ptr<storage::Databases> databases_ =
      storage::Databases::open(storage::DatabaseOptions{.data_directory = {},
                                                        .control_plane_delay = kDelay,
                                                        .global_index_delay = {},
                                                        .report_warning = {}},
                               clock_);
  Service service_{*databases_};
};

TEST_F(BackupStates, PassInTheirOrder) {
  call("CreateTable", R"({"TableName":"tab","BillingMode":"PAY_PER_REQUEST",
    "AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"}],
    "KeySchema":[{"AttributeName":"pk","KeyType":"HASH"}]})");
  const auto create = [this] {
    return call("CreateBackup", R"({"TableName":"tab","BackupName":"backup"})");
  };
  expect_in("#TableNotFoundException", create());
  ASSERT_TRUE(
      comes_to(R"("TableStatus":"ACTIVE")", [&] { return of_table("DescribeTable", "tab"); }));

  const std::string made = create();
  expect_in(R"("BackupStatus":"CREATING")", made);
  constexpr std::string_view kMember = R"("BackupArn":")";
  const std::size_t begin = made.find(kMember) + kMember.size();
  arn_ = made.substr(begin, made.find('"', begin) - begin);
  databases_->settle({});
  expect_in(R"("BackupStatus":"CREATING")", of_backup("DescribeBackup"));
  expect_in("#BackupInUseException", of_backup("DeleteBackup"));
  expect_in("#BackupInUseException", restore());
  ASSERT_TRUE(
      comes_to(R"("BackupStatus":"AVAILABLE")", [&] { return of_backup("DescribeBackup"); }));

  expect_in(R"("RestoreInProgress":true)", restore());
  databases_->settle({});
  // In AWS's words (captured from AWS, October 2026).
  expect_in("Table: restored is already being restored from backup: " + arn_, restore());
  expect_in("#TableInUseException", restore());
  expect_in("Backup is being used to restore another table: " + arn_,
            call("RestoreTableFromBackup",
                 R"({"TargetTableName":"second","BackupArn":")" + arn_ + "\"}"));
  expect_in("Backup is being used to restore table: " + arn_, of_backup("DeleteBackup"));
  expect_in("#BackupInUseException", of_backup("DeleteBackup"));
  expect_nothing_of("restored");
  expect_in("#ResourceInUseException", of_table("DeleteTable", "restored"));
  expect_in("#ResourceNotFoundException", of_table("Scan", "restored"));
  ASSERT_TRUE(
      comes_to(R"("TableStatus":"ACTIVE")", [&] { return of_table("DescribeTable", "restored"); }));
  EXPECT_EQ(of_table("DescribeTable", "restored").find("RestoreSummary"), std::string::npos);
  expect_in(R"("Count":0)", of_table("Scan", "restored"));
  expect_in("#TableAlreadyExistsException", restore());

  of_table("DeleteTable", "restored");
  expect_in("#TableAlreadyExistsException", restore());
  expect_in("#TableNotFoundException",
            call("CreateBackup", R"({"TableName":"restored","BackupName":"backup"})"));
  expect_in(R"("BackupStatus":"DELETED")", of_backup("DeleteBackup"));
}

}  // namespace
}  // namespace magneto::api
