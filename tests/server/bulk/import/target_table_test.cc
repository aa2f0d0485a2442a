#include "server/bulk/import/target_table.h"

#include <gtest/gtest.h>

#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "tests/server/client/endpoint/scripted_endpoint.h"
#include "tests/support/engines.h"

namespace magneto::server::bulk {
namespace {

constexpr const char* kNotFound = R"({"__type":"a#ResourceNotFoundException"})";

std::string described(const std::string& status, const std::string& index) {
  return R"({"Table":{"TableStatus":")" + status +
         R"(","KeySchema":[{"AttributeName":"pk","KeyType":"HASH"}],"GlobalSecondaryIndexes":[{"IndexName":"g")" +
         index + "}]}}";
}

class TargetTableTest : public ::testing::Test {
 protected:
  TargetTableTest() {
    std::ofstream(directory_.file("table.json"))
        << R"({"KeySchema":[{"AttributeName":"pk","KeyType":"HASH"}],"BillingMode":"PAY_PER_REQUEST"})";
  }

  // Answers in turn; which operations were called.
  std::vector<std::string> open(std::vector<std::pair<int, std::string>> answers, bool with_file) {
    std::vector<std::string> called;
    client::ScriptedEndpoint endpoint([&](std::string_view operation, const std::string&) {
      called.emplace_back(operation);
      if (operation == "CreateTable") return client::read_outcome(200, "{}");
      auto [status, body] = answers.at(0);
      answers.erase(answers.begin());
      return client::read_outcome(status, body);
    });
    const formats::KeyNames keys =
        open_target_table(endpoint, "t01", with_file ? directory_.file("table.json") : "");
    EXPECT_EQ(keys, formats::KeyNames{"pk"});
    EXPECT_TRUE(answers.empty());
    return called;
  }

  const storage::TempDirectory directory_;
};

TEST_F(TargetTableTest, WaitsForATableThatIsNotSeenYet) {
  const auto called = open({{400, kNotFound},
                            {400, kNotFound},
                            {200, described("CREATING", "")},
                            {200, described("ACTIVE", R"(,"IndexStatus":"CREATING")")},
                            {200, described("ACTIVE", "")}},
                           true);
  EXPECT_EQ(std::count(called.begin(), called.end(), "CreateTable"), 1);
}

TEST_F(TargetTableTest, TakesATableThatChanges) {
  open({{200, described("UPDATING", R"(,"IndexStatus":"CREATING")")}}, true);
  open({{200, described("CREATING", "")}, {200, described("ACTIVE", "")}}, false);
  EXPECT_THROW(open({{400, kNotFound}}, false), std::runtime_error);
}

}  // namespace
}  // namespace magneto::server::bulk
