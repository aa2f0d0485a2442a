#include <gtest/gtest.h>

#include <atomic>
#include <functional>
#include <string>
#include <string_view>
#include <thread>
#include <utility>

#include "tests/api/authorization/authorized_service.h"

// A table may come, go or change its key between the decision of policies and the work of the
// operation. The operation then works on the table of the decision.
namespace magneto::api {
namespace {

struct Meeting {
  const char* operation;
  const char* body;
};

// Between the decision and the work of the spliced operation; one test runs at a time.
std::function<void()> happens_between;
const Operation* spliced_operation = nullptr;

void work_after_change(Request& request) {
  happens_between();
  spliced_operation->handle(request);
}

class DecidedTablesTest : public AuthorizedService {
 protected:
  DecidedTablesTest() {
    // As in AWS's developer guide, "Using IAM policy conditions for fine-grained access control".
    allow(R"({"Effect":"Allow","Action":"dynamodb:*","Resource":"*","Condition":
              {"ForAllValues:StringEquals":{"dynamodb:LeadingKeys":["ana"]}}})");
  }

  // Runs on a separate thread, since requests of one thread share their JSON document.
  void administrate(std::string_view operation, std::string_view body) {
    std::thread([&] {
      std::string answer;
      EXPECT_EQ(call_as("ADMIN", find_operation(operation), body, answer), 200)
          << operation << ' ' << body << '\n'
          << answer;
    }).join();
  }

  int call_as(std::string_view key, const Operation* operation, std::string_view body,
              std::string& answer) {
    const Caller caller{.account = kOwner,
                        .access_key = key,
                        .principal_arn = "arn:aws:iam::000000000000:user/profile",
                        .address = "10.1.2.3:4711"};
    std::string text(body);
    return service_.call(operation, caller, "id", text, answer);
  }

  // Returns ana's answer if `change` runs right after the decision.
  std::string meet(const Meeting& meeting, std::function<void()> change) {
    happens_between = std::move(change);
    spliced_operation = find_operation(meeting.operation);
    Operation spliced = *spliced_operation;
    spliced.handle = &work_after_change;
    std::string answer;
    call_as("ANA", &spliced, meeting.body, answer);
    return answer;
  }

  void make_empty_table(std::string_view partition, std::string_view sort) {
    std::string body =
        R"({"TableName":"Tab","BillingMode":"PAY_PER_REQUEST","AttributeDefinitions":[
        {"AttributeName":"a","AttributeType":"S"},{"AttributeName":"b","AttributeType":"S"}],
        "KeySchema":[{"AttributeName":")";
    body.append(partition).append(R"(","KeyType":"HASH"},{"AttributeName":")").append(sort);
    administrate("CreateTable", body + R"(","KeyType":"RANGE"}]})");
  }
  void make_table(std::string_view partition, std::string_view sort) {
    make_empty_table(partition, sort);
    administrate("PutItem", kBobsItem);
  }

  std::string everything() {
    std::string answer;
    call_as("ADMIN", find_operation("Scan"), R"({"TableName":"Tab"})", answer);
    return answer;
  }

  static constexpr std::string_view kAllThatBobHas =
      R"({"Items":[{"a":{"S":"ana"},"b":{"S":"bob"},"v":{"S":"SECRET"}}],"Count":1,"ScannedCount":1})";
  // Bob's item under either of the keys (a, b) and (b, a), where its other value is ana's.
  static constexpr const char* kBobsItem =
      R"({"TableName":"Tab","Item":{"a":{"S":"ana"},"b":{"S":"bob"},"v":{"S":"SECRET"}}})";
};

// Each names ana as the value of `a`, and bob as that of `b`.
constexpr Meeting kMeetings[] = {
    {"GetItem", R"({"TableName":"Tab","Key":{"a":{"S":"ana"},"b":{"S":"bob"}}})"},
    {"Query", R"({"TableName":"Tab","KeyConditionExpression":"a = :a AND b = :b",
                  "ExpressionAttributeValues":{":a":{"S":"ana"},":b":{"S":"bob"}}})"},
    {"PutItem", R"({"TableName":"Tab","ReturnValues":"ALL_OLD",
                    "Item":{"a":{"S":"ana"},"b":{"S":"bob"}}})"},
    {"UpdateItem",
     R"({"TableName":"Tab","Key":{"a":{"S":"ana"},"b":{"S":"bob"}},"UpdateExpression":"SET w = :w",
         "ExpressionAttributeValues":{":w":{"S":"x"}},"ReturnValues":"ALL_NEW"})"},
    {"DeleteItem", R"({"TableName":"Tab","ReturnValues":"ALL_OLD",
                       "Key":{"a":{"S":"ana"},"b":{"S":"bob"}}})"},
    {"BatchGetItem", R"({"RequestItems":{"Tab":{"Keys":[{"a":{"S":"ana"},"b":{"S":"bob"}}]}}})"},
    {"BatchWriteItem",
     R"({"RequestItems":{"Tab":[{"DeleteRequest":{"Key":{"a":{"S":"ana"},"b":{"S":"bob"}}}}]}})"},
    {"TransactGetItems", R"({"TransactItems":[
        {"Get":{"TableName":"Tab","Key":{"a":{"S":"ana"},"b":{"S":"bob"}}}}]})"},
    {"TransactWriteItems", R"({"TransactItems":[
        {"Delete":{"TableName":"Tab","Key":{"a":{"S":"ana"},"b":{"S":"bob"}}}}]})"},
    {"ExecuteStatement", R"({"Statement":"SELECT * FROM Tab WHERE a = 'ana' AND b = 'bob'"})"},
    {"ExecuteStatement",
     R"({"Statement":"UPDATE Tab SET w = 1 WHERE a = 'ana' AND b = 'bob' RETURNING ALL OLD *"})"},
    {"ExecuteStatement", R"({"Statement":"DELETE FROM Tab WHERE a = 'ana' AND b = 'bob'"})"},
    {"BatchExecuteStatement",
     R"({"Statements":[{"Statement":"SELECT * FROM Tab WHERE a = 'ana' AND b = 'bob'"}]})"},
    {"BatchExecuteStatement",
     R"({"Statements":[{"Statement":"DELETE FROM Tab WHERE a = 'ana' AND b = 'bob'"}]})"},
    {"ExecuteTransaction",
     R"({"TransactStatements":[{"Statement":"SELECT * FROM Tab WHERE a = 'ana' AND b = 'bob'"}]})"},
    {"ExecuteTransaction",
     R"({"TransactStatements":[{"Statement":"DELETE FROM Tab WHERE a = 'ana' AND b = 'bob'"}]})"},
};

// The key of the new table is the other way round, so that its partition key is bob's.
TEST_F(DecidedTablesTest, ANewTableOfTheNameIsNotRead) {
  for (const Meeting& meeting : kMeetings) {
    make_empty_table("a", "b");
    const std::string answer = meet(meeting, [this] {
      administrate("DeleteTable", R"({"TableName":"Tab"})");
      make_table("b", "a");
    });
    EXPECT_EQ(answer.find("SECRET"), std::string::npos) << meeting.body << '\n' << answer;
    EXPECT_EQ(everything(), kAllThatBobHas) << meeting.body;
    administrate("DeleteTable", R"({"TableName":"Tab"})");
  }
}

// Some are refused at once: without a table each value that they name may be that of its key.
TEST_F(DecidedTablesTest, ATableThatComesLaterIsNotFound) {
  for (const Meeting& meeting : kMeetings) {
    bool has_come = false;
    const std::string answer = meet(meeting, [&] {
      make_table("b", "a");
      has_come = true;
    });
    const std::string_view refusal = has_come ? "ResourceNotFound" : "AccessDenied";
    EXPECT_NE(answer.find(refusal), std::string::npos) << meeting.body << '\n' << answer;
    if (!has_come) continue;
    EXPECT_EQ(everything(), kAllThatBobHas) << meeting.body;
    administrate("DeleteTable", R"({"TableName":"Tab"})");
  }
}

constexpr Meeting kReadsOfAnIndex[] = {
    {"Query", R"({"TableName":"Tab","IndexName":"ByB","KeyConditionExpression":"b = :b",
                  "ExpressionAttributeValues":{":b":{"S":"bob"}}})"},
    {"Query",
     R"({"TableName":"Tab","IndexName":"ByB","KeyConditions":{"b":{"ComparisonOperator":"EQ",
                  "AttributeValueList":[{"S":"bob"}]}}})"},
    {"ExecuteStatement", R"({"Statement":"SELECT * FROM \"Tab\".\"ByB\" WHERE b = 'bob'"})"},
};

// The condition fits no key of the table while the index is not there.
TEST_F(DecidedTablesTest, AnIndexThatComesLaterIsNotRead) {
  for (const Meeting& meeting : kReadsOfAnIndex) {
    make_table("a", "b");
    const std::string answer = meet(meeting, [this] {
      administrate("UpdateTable", R"({"TableName":"Tab",
        "AttributeDefinitions":[{"AttributeName":"b","AttributeType":"S"}],
        "GlobalSecondaryIndexUpdates":[{"Create":{"IndexName":"ByB",
          "KeySchema":[{"AttributeName":"b","KeyType":"HASH"}],
          "Projection":{"ProjectionType":"ALL"}}}]})");
      databases_->main().settle();
    });
    EXPECT_EQ(answer.find("SECRET"), std::string::npos) << meeting.body << '\n' << answer;
    // Once it is there, its key counts.
    EXPECT_FALSE(may(meeting.operation, meeting.body)) << meeting.body << '\n' << response_;
    administrate("DeleteTable", R"({"TableName":"Tab"})");
  }
}

// An administrator is held to the policies of tables, so the table that none spoke for is not read.
TEST_F(DecidedTablesTest, ATableThatComesLaterIsNotFoundByAdministratorsEither) {
  const Meeting meeting{"GetItem",
                        R"({"TableName":"Tab","Key":{"a":{"S":"ana"},"b":{"S":"bob"}}})"};
  journal_.change({.on = false});
  happens_between = [this] { make_table("a", "b"); };
  spliced_operation = find_operation(meeting.operation);
  const Operation spliced{.name = spliced_operation->name,
                          .input = spliced_operation->input,
                          .handle = &work_after_change};
  std::string answer;
  EXPECT_EQ(call_as("ADMIN", &spliced, meeting.body, answer), 400);
  EXPECT_NE(answer.find("ResourceNotFoundException"), std::string::npos) << answer;
}

constexpr Meeting kChanges[] = {
    {"DeleteTable", R"({"TableName":"Tab"})"},
    {"UpdateTable", R"({"TableName":"Tab","DeletionProtectionEnabled":true})"},
    {"TagResource", R"({"ResourceArn":"arn:aws:dynamodb:us-east-1:000000000000:table/Tab",
                        "Tags":[{"Key":"k","Value":"v"}]})"},
    {"UpdateTimeToLive", R"({"TableName":"Tab",
        "TimeToLiveSpecification":{"AttributeName":"v","Enabled":true}})"},
    {"UpdateContinuousBackups", R"({"TableName":"Tab",
        "PointInTimeRecoverySpecification":{"PointInTimeRecoveryEnabled":true}})"},
    {"UpdateContributorInsights", R"({"TableName":"Tab","ContributorInsightsAction":"ENABLE"})"},
};

TEST_F(DecidedTablesTest, ANewTableOfTheNameIsNotChanged) {
  for (const Meeting& meeting : kChanges) {
    make_table("a", "b");
    const std::string answer = meet(meeting, [this] {
      administrate("DeleteTable", R"({"TableName":"Tab"})");
      make_table("b", "a");
    });
    EXPECT_NE(answer.find("NotFoundException"), std::string::npos) << meeting.operation << '\n'
                                                                   << answer;
    const storage::TablePtr table = databases_->main().find_table("Tab");
    ASSERT_NE(table, nullptr) << meeting.operation;
    const storage::TableSchema& schema = table->schema;
    EXPECT_FALSE(schema.deletion_protection);
    EXPECT_TRUE(schema.tags.empty());
    EXPECT_TRUE(schema.time_to_live.attribute.empty());
    EXPECT_FALSE(schema.point_in_time_recovery.enabled);
    administrate("DeleteTable", R"({"TableName":"Tab"})");
  }
}

// Like a test suite that creates its tables again and again, while another user reads.
TEST_F(DecidedTablesTest, TablesMadeAnewGiveNothingAway) {
  constexpr int kTables = 300;
  constexpr Meeting kReads[] = {
      {"Query", R"({"TableName":"Tab","KeyConditionExpression":"b = :b",
                    "ExpressionAttributeValues":{":b":{"S":"bob"}}})"},
      {"ExecuteStatement", R"({"Statement":"SELECT * FROM Tab WHERE b = 'bob'"})"},
      {"GetItem", R"({"TableName":"Tab","Key":{"a":{"S":"ana"},"b":{"S":"bob"}}})"},
      {"BatchExecuteStatement",
       R"({"Statements":[{"Statement":"SELECT * FROM Tab WHERE b = 'bob' AND a = 'ana'"}]})"}};
  journal_.change({.on = false});
  std::atomic<bool> ends{false};
  std::thread reader([&] {
    std::string answer;
    for (std::size_t i = 0; !ends.load(); ++i) {
      const Meeting& read = kReads[i % std::size(kReads)];
      const int status = call_as("ANA", find_operation(read.operation), read.body, answer);
      ASSERT_NE(status, 500) << answer;
      ASSERT_EQ(answer.find("SECRET"), std::string::npos) << read.body << '\n' << answer;
    }
  });
  for (int i = 0; i < kTables; ++i) {
    make_table("b", "a");
    administrate("DeleteTable", R"({"TableName":"Tab"})");
  }
  ends.store(true);
  reader.join();
}

}  // namespace
}  // namespace magneto::api
