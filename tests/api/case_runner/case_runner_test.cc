#include "tests/api/case_runner/case_runner.h"

#include <gtest/gtest.h>

// The runner must be able to fail: it reports wrong cases with their place.
namespace magneto::api {
namespace {

std::string first_failure(const std::string& text) {
  CaseRunner runner({});
  const auto failures = runner.run(parse_case_file("f.case", text));
  return failures.empty() ? "" : failures.front();
}

TEST(CaseRunner, PassesWhatIsRight) {
  EXPECT_EQ(first_failure(
                "table t-1 (pk:S)\n"
                "# comment\n\n"
                "for i in 1..3: PutItem {\"TableName\":\"t-1\",\n"
                "  \"Item\":{\"pk\":{\"S\":\"k$i\"}}}\n"
                "=> 200 {}\n"
                "ListTables {}\n=> 200 {\"TableNames\":[\"<save name>\"]}\n"
                "DescribeTable {\"TableName\":\"${name}\"}\n"
                "=> 200 contains {\"Table\":{\"TableName\":\"${name}\",\"TableId\":\"<string>\",\n"
                "  \"StreamSpecification\":\"<absent>\",\"ItemCount\":\"<number>\"}}\n"),
            "");
}

TEST(CaseRunner, KnowsTheTimeAndTheCaller) {
  const std::string put_and_get =
      "table t-1 (pk:N)\n"
      "PutItem {\"TableName\":\"t-1\",\"Item\":{\"pk\":{\"N\":\"${now}\"}}}\n=> 200 {}\n"
      "UpdateItem {\"TableName\":\"t-1\",\"Key\":{\"pk\":{\"N\":\"${now}\"}},"
      "\"UpdateExpression\":\"SET a = pk + :a\",\"ReturnValues\":\"UPDATED_NEW\","
      "\"ExpressionAttributeValues\":{\":a\":{\"N\":\"60\"}}}\n"
      "=> 200 {\"Attributes\":{\"a\":{\"N\":\"${now+";
  EXPECT_EQ(first_failure(put_and_get + "60}\"}}}\n"), "");
  EXPECT_NE(first_failure(put_and_get + "61}\"}}}\n"), "");
  EXPECT_EQ(first_failure("caller eu-west-2 111122223333\n"
                          "table t-1 (pk:S)\n"
                          "DescribeTable {\"TableName\":\"t-1\"}\n"
                          "=> 200 contains {\"Table\":{\"TableArn\":"
                          "\"arn:aws:dynamodb:eu-west-2:111122223333:table/t-1\"}}\n"),
            "");
}

TEST(CaseRunner, RefusesEachFirstCommitWhereAskedTo) {
  CaseRunner runner({}, true);
  const auto failures = runner.run(parse_case_file(
      "f.case",
      "table t-1 (pk:S)\nPutItem {\"TableName\":\"t-1\",\"Item\":{\"pk\":{\"S\":\"k\"}}}\n=> 200 {}\n"));
  EXPECT_TRUE(failures.empty());
  EXPECT_EQ(runner.conflict_count(), 1);
}

TEST(CaseRunner, TellsFileLineExpectedAndActual) {
  const std::string failure =
      first_failure("\nListTables {\"Limit\":1}\n=> 200 {\"TableNames\":[\"a\"]}\n");
  EXPECT_NE(failure.find("f.case:2: ListTables"), std::string::npos) << failure;
  EXPECT_NE(failure.find("line 3 differs at $.TableNames"), std::string::npos) << failure;
}

TEST(CaseRunner, FailsWhatIsWrong) {
  for (const char* expected :
       {"200 {}", "200 {\"TableNames\":[],\"More\":1}", "400 {\"TableNames\":[]}",
        "200 contains {\"TableNames\":\"<absent>\"}", "200 <empty>",
        "200 {\"TableNames\":\"<number>\"}", "ValidationException: x", "200 not JSON"}) {
    EXPECT_NE(first_failure("ListTables {}\n=> " + std::string(expected) + "\n"), "") << expected;
  }
  for (const char* expected :
       {"200 {}", "ResourceNotFoundException: x", "SerializationException",
        "ResourceNotFoundException contains: Table: b not found", "ResourceNotFoundException"}) {
    EXPECT_NE(
        first_failure("DescribeTable {\"TableName\":\"aaa\"}\n=> " + std::string(expected) + "\n"),
        "")
        << expected;
  }
}

TEST(CaseRunner, RefusesFilesItCannotRead) {
  for (const char* text :
       {"", "# only a comment\n", "ListTables {}\n", "ListTables {}\n=> nothing to see\n",
        "table\n=> 200 {}\n", "table t-1 (pk)\n", "caller eu-west-2\n", "with magic\n",
        "ListTables {}\n=> 200 {\"TableNames\":[]}\nwith enforce-throughput\n",
        "for i: ListTables {}\n=> 200 {}\n"}) {
    EXPECT_THROW(parse_case_file("f.case", text), CaseFileError) << text;
  }
}

TEST(CaseRunner, ComparesUnorderedLists) {
  SavedTexts saved;
  json::Document a;
  json::Document b;
  const auto compare = [&](std::string expected, std::string actual) {
    return mismatch(*a.parse(expected), *b.parse(actual), false, saved);
  };
  EXPECT_EQ(compare(R"(["<unordered>",1,{"a":2}])", R"([{"a":2},1])"), "");
  EXPECT_NE(compare(R"(["<unordered>",1,1])", R"([1,2])"), "");
  EXPECT_NE(compare(R"([1,2])", R"([2,1])"), "");
  EXPECT_EQ(compare("1", "1.0"), "");
  EXPECT_NE(compare("1", "\"1\""), "");
}

}  // namespace
}  // namespace magneto::api
