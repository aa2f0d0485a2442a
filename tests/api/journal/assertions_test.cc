#include "api/journal/assertions.h"

#include <gtest/gtest.h>

#include "api/control_error.h"
#include "tests/api/test_service.h"

namespace magneto::api {
namespace {

class AssertionsTest : public testing::Test {
 protected:
  AssertionsTest() {
    service_.create_table("tab", true);
    service_.create_table("other", false);
    service_.journal().change({.on = true});
  }

  std::string check(const std::string& assertions, std::uint64_t after = 0) {
    std::string request =
        R"({"after":)" + std::to_string(after) + R"(,"assertions":[)" + assertions + "]}";
    json::Document document;
    std::string answer;
    json::Writer writer(answer);
    check_assertions(service_.journal(), document.parse(request)->object(), writer);
    return answer;
  }
  // The one failure's sentence and records.
  std::string failure(const std::string& assertion) {
    const std::string answer = check(assertion);
    const std::size_t begin = answer.find(R"("sentence")");
    EXPECT_NE(begin, std::string::npos) << answer;
    return begin == std::string::npos ? answer : answer.substr(begin + 11);
  }
  std::string refusal(std::string request) {
    json::Document document;
    std::string answer;
    json::Writer writer(answer);
    try {
      check_assertions(service_.journal(), document.parse(request)->object(), writer);
    } catch (const ControlError& error) {
      return error.sentence();
    }
    return answer;
  }

  void put(std::string_view pk) {
    service_.succeed("PutItem", R"({"TableName":"tab","Item":{"pk":{"S":")" + std::string(pk) +
                                    R"("},"sk":{"S":"1"}}})");
  }
  void get(std::string_view pk) {
    service_.succeed("GetItem", R"({"TableName":"tab","Key":{"pk":{"S":")" + std::string(pk) +
                                    R"("},"sk":{"S":"1"}}})");
  }
  void get_other() {
    service_.succeed("GetItem", R"({"TableName":"other","Key":{"pk":{"S":"x"}}})");
  }

  static constexpr const char* kPassed = R"({"passed":true,"failures":[]})";

  TestService service_;
};

TEST_F(AssertionsTest, HoldOfNothing) {
  EXPECT_EQ(check(R"({"no_scan":true},{"no_errors":true},{"max_units":0},{"max_read_units":0},)"
                  R"({"max_write_units":0},{"max_writes_per_key":0},{"no_n_plus_one":2},)"
                  R"({"max_calls":{"count":0}},{"max_read_per_returned":0},)"
                  R"({"only_tables":["tab"]})"),
            kPassed);
}

TEST_F(AssertionsTest, FindScans) {
  get("a");
  service_.succeed("ExecuteStatement",
                   R"({"Statement":"SELECT * FROM tab WHERE pk IN ['a','b']"})");
  EXPECT_EQ(check(R"({"no_scan":true})"), kPassed);
  service_.succeed("Scan", R"({"TableName":"tab"})");
  EXPECT_EQ(check(R"({"no_scan":true})"),
            R"({"passed":false,"failures":[{"assertion":{"no_scan":true},"sentence":)"
            R"("Scan read the table tab without a partition key.","records":[3]}]})");
  EXPECT_EQ(check(R"({"no_scan":true,"table":"other"})"), kPassed);
  EXPECT_EQ(check(R"({"no_scan":true})", 3), kPassed);
  service_.succeed("ExecuteStatement", R"({"Statement":"SELECT * FROM tab WHERE sk = 'a'"})");
  EXPECT_NE(check(R"({"no_scan":true})", 3).find("ExecuteStatement read the table tab"),
            std::string::npos);
}

TEST_F(AssertionsTest, CountUnits) {
  put("a");
  get("a");
  EXPECT_EQ(check(R"({"max_units":1.5},{"max_read_units":0.5},{"max_write_units":1})"), kPassed);
  EXPECT_EQ(failure(R"({"max_units":1})"),
            R"("The requests consumed 1.5 units, more than 1.","records":[1,2]}]})");
  EXPECT_EQ(failure(R"({"max_read_units":0})"),
            R"("The requests consumed 0.5 units, more than 0.","records":[2]}]})");
}

TEST_F(AssertionsTest, CountWritesOfAKey) {
  put("a");
  put("b");
  EXPECT_EQ(check(R"({"max_writes_per_key":1})"), kPassed);
  service_.succeed("TransactWriteItems",
                   R"({"TransactItems":[{"Delete":{"TableName":"tab","Key":{"pk":{"S":"a"},)"
                   R"("sk":{"S":"1"}}}}]})");
  EXPECT_EQ(failure(R"({"max_writes_per_key":1})"),
            R"("The item {\"pk\":\"a\",\"sk\":\"1\"} of the table tab was written 2 times, more )"
            R"(than 1.","records":[1,3]}]})");
}

TEST_F(AssertionsTest, FindReadsThatOnlyDifferInTheKey) {
  for (const char* const pk : {"a", "b", "c", "d"}) {
    get(pk);
    get_other();
  }
  EXPECT_EQ(check(R"({"no_n_plus_one":5})"), kPassed);
  EXPECT_EQ(
      failure(R"({"no_n_plus_one":4})"),
      R"("GetItem was called in a row for 4 keys of the table tab, which one request for all )"
      R"(of them could do.","records":[1,3,5,7]}]})");
  service_.journal().clear();
  for (const char* const pk : {"a", "b", "a", "b"}) get(pk);
  EXPECT_EQ(check(R"({"no_n_plus_one":3})"), kPassed);
  put("x");
  get("c");
  get("d");
  EXPECT_EQ(check(R"({"no_n_plus_one":3})"), kPassed);
}

TEST_F(AssertionsTest, CountCalls) {
  put("a");
  get("a");
  EXPECT_EQ(check(R"({"max_calls":{"operation":"PutItem","count":1}},{"max_calls":{"count":2}})"),
            kPassed);
  EXPECT_EQ(failure(R"({"max_calls":{"operation":"PutItem","count":0}})"),
            R"("PutItem was called 1 times, more than 0.","records":[1]}]})");
  EXPECT_EQ(failure(R"({"max_calls":{"count":1}})"),
            R"("There were 2 calls, more than 1.","records":[1,2]}]})");
}

TEST_F(AssertionsTest, NameTablesErrorsAndWaste) {
  put("a");
  put("b");
  get_other();
  EXPECT_EQ(check(R"({"only_tables":["tab","other"]},{"no_errors":true})"), kPassed);
  EXPECT_EQ(failure(R"({"only_tables":["tab"]})"),
            R"("The table other was used.","records":[3]}]})");
  service_.fail("GetItem", R"({"TableName":"none","Key":{"pk":{"S":"x"}}})");
  EXPECT_EQ(failure(R"({"no_errors":true})"),
            R"("GetItem ended with ResourceNotFoundException (status 400).","records":[4]}]})");
  service_.succeed("Scan", R"({"TableName":"tab","FilterExpression":"pk = :p",)"
                           R"("ExpressionAttributeValues":{":p":{"S":"a"}}})");
  EXPECT_EQ(check(R"({"max_read_per_returned":2})"), kPassed);
  EXPECT_EQ(failure(R"({"max_read_per_returned":1.5})"),
            R"("Scan on the table tab read 2 items and returned 1.","records":[5]}]})");
}

TEST_F(AssertionsTest, FailWhereRecordsWereDropped) {
  service_.journal().change({.on = true, .bytes = Journal::kLeastBytes});
  for (int i = 0; i < 1'000; ++i) get_other();
  const std::string answer = check(R"({"no_scan":true})");
  EXPECT_NE(answer.find(R"({"passed":false,"failures":[{"assertion":null,"sentence":)"),
            std::string::npos)
      << answer;
  EXPECT_EQ(check(R"({"no_scan":true})", 990), kPassed);
}

TEST_F(AssertionsTest, RefuseWhatIsNone) {
  const std::string one = R"(Exactly one assertion is expected in each member of 'assertions', )"
                          R"(like {"no_scan": true}.)";
  EXPECT_EQ(refusal("{}"), "'assertions' must be a list of 1 to 100 members.");
  EXPECT_EQ(refusal(R"({"assertions":[{}]})"), one);
  EXPECT_EQ(refusal(R"({"assertions":[{"no_scan":true,"no_errors":true}]})"), one);
  EXPECT_EQ(refusal(R"({"assertions":["no_scan"]})"),
            "A JSON object is expected for the assertion.");
  EXPECT_EQ(refusal(R"({"assertions":[{"no_scans":true}]})"),
            "There is no member 'no_scans' in the assertion. The members are table, no_scan, "
            "no_errors, max_units, max_read_units, max_write_units, max_writes_per_key, "
            "max_calls, no_n_plus_one, max_read_per_returned, only_tables.");
  EXPECT_EQ(refusal(R"({"assertions":[{"no_scan":false}]})"), "'no_scan' can only be true.");
  EXPECT_EQ(refusal(R"({"assertions":[{"no_scan":1}]})"), "'no_scan' must be true or false.");
  EXPECT_EQ(refusal(R"({"assertions":[{"no_n_plus_one":1}]})"),
            "'no_n_plus_one' must be a whole number from 2 to 1000000000000.");
  EXPECT_EQ(refusal(R"({"assertions":[{"max_calls":2}]})"),
            "A JSON object is expected for 'max_calls'.");
  EXPECT_EQ(refusal(R"({"assertions":[{"max_calls":{"operation":"Put","count":1}}]})"),
            "There is no operation 'Put'.");
  EXPECT_EQ(refusal(R"({"assertions":[{"only_tables":"t"}]})"),
            "'only_tables' must be a list of 1 to 1000 members.");
  EXPECT_EQ(refusal(R"({"after":-1,"assertions":[{"no_scan":true}]})"),
            "'after' must be a whole number from 0 to 9223372036854775807.");
}

}  // namespace
}  // namespace magneto::api
