#include "server/feeds/event_sources/mapping_file.h"

#include <gtest/gtest.h>

#include <string>

#include "tests/support/engines.h"

namespace magneto::server::feeds {
namespace {

const std::string kLeast =
    R"("TableName":"Orders","FunctionName":"f","StartingPosition":"TRIM_HORIZON")";

std::vector<EventSourceMapping> read(const std::string& members) {
  return read_mappings(
      R"({"Endpoint":"http://localhost:9001","EventSourceMappings":[{)" + members + "}]}",
      "maps.json");
}

std::string problem_of(const std::string& text) {
  try {
    read_mappings(text, "maps.json");
  } catch (const MappingFileError& error) {
    return error.what();
  }
  return "none";
}

std::string problem_with(const std::string& member) {
  return problem_of(R"({"Endpoint":"http://localhost:9001","EventSourceMappings":[{)" + kLeast +
                    "," + member + "}]}");
}

TEST(MappingFileTest, HasLambdasDefaults) {
  const auto mappings = read(kLeast);
  ASSERT_EQ(mappings.size(), 1U);
  const EventSourceMapping& mapping = mappings.front();
  EXPECT_EQ(mapping.table_name, "Orders");
  EXPECT_EQ(mapping.endpoint.text(), "http://localhost:9001");
  EXPECT_EQ(mapping.batch_size, 100U);
  EXPECT_EQ(mapping.window.count(), 0);
  EXPECT_FALSE(mapping.from_latest);
  EXPECT_FALSE(mapping.bisects);
  EXPECT_EQ(mapping.max_retries, -1);
  EXPECT_EQ(mapping.max_age_seconds, -1);
  EXPECT_EQ(mapping.lanes, 1U);
  EXPECT_TRUE(mapping.is_enabled);
  EXPECT_EQ(mapping.timeout.count(), 60);
  EXPECT_EQ(mapping.id().size(), 16U);
  EXPECT_NE(
      mapping.id(),
      read(R"("TableName":"Orders2","FunctionName":"f","StartingPosition":"LATEST")").front().id());
}

TEST(MappingFileTest, ReadsAllMembers) {
  const auto mappings = read(
      R"("EventSourceArn":"arn:aws:dynamodb:us-east-1:000000000000:table/Orders/stream/2026-01-01T00:00:00.000",)"
      R"("FunctionName":"arn:aws:lambda:us-east-1:123456789012:function:f:$LATEST","Endpoint":"https://other:1",)"
      R"("BatchSize":10000,"MaximumBatchingWindowInSeconds":300,"StartingPosition":"LATEST",)"
      R"("FilterCriteria":{"Filters":[{"Pattern":"{\"eventName\":[\"INSERT\"]}"}]},)"
      R"("BisectBatchOnFunctionError":true,"MaximumRetryAttempts":0,"MaximumRecordAgeInSeconds":60,)"
      R"("ParallelizationFactor":10,"TumblingWindowInSeconds":0,"FunctionResponseTypes":["ReportBatchItemFailures"],)"
      R"("DestinationConfig":{"OnFailure":{"Destination":"http://localhost:9002/a/b"}},"Enabled":false,"TimeoutInSeconds":900)");
  const EventSourceMapping& mapping = mappings.front();
  EXPECT_TRUE(mapping.table_name.empty());
  EXPECT_EQ(mapping.endpoint.text(), "https://other:1");
  EXPECT_EQ(mapping.batch_size, 10'000U);
  EXPECT_EQ(mapping.window.count(), 300);
  EXPECT_TRUE(mapping.from_latest);
  EXPECT_EQ(mapping.filters.size(), 1U);
  EXPECT_TRUE(mapping.bisects);
  EXPECT_EQ(mapping.max_retries, 0);
  EXPECT_EQ(mapping.max_age_seconds, 60);
  EXPECT_EQ(mapping.lanes, 10U);
  EXPECT_TRUE(mapping.reports_item_failures);
  ASSERT_TRUE(mapping.on_failure.url);
  EXPECT_EQ(mapping.on_failure.url->text(), "http://localhost:9002");
  EXPECT_EQ(mapping.on_failure.url_path, "/a/b");
  EXPECT_FALSE(mapping.is_enabled);
  EXPECT_EQ(mapping.timeout.count(), 900);
  EXPECT_EQ(
      read(kLeast + R"(,"DestinationConfig":{"OnFailure":{"Destination":"file:///a/b.jsonl"}})")
          .front()
          .on_failure.file,
      "/a/b.jsonl");
}

TEST(MappingFileTest, EmptyObjectsAreNone) {
  for (const char* const member :
       {R"("DestinationConfig":{})", R"("DestinationConfig":{"OnFailure":{}})",
        R"("FilterCriteria":{})"}) {
    const auto mappings = read(kLeast + "," + member);
    EXPECT_TRUE(mappings.front().on_failure.file.empty()) << member;
    EXPECT_FALSE(mappings.front().on_failure.url) << member;
    EXPECT_TRUE(mappings.front().filters.empty()) << member;
  }
}

TEST(MappingFileTest, NamesWhatIsWrongAndWhere) {
  const std::string place = "maps.json (--event-sources): EventSourceMappings[0].";
  for (const char* const member :
       {R"("BatchSize":0)",
        R"("BatchSize":10001)",
        R"("BatchSize":"5")",
        R"("BatchSize":1.5)",
        R"("MaximumBatchingWindowInSeconds":301)",
        R"("MaximumRetryAttempts":-2)",
        R"("MaximumRecordAgeInSeconds":59)",
        R"("ParallelizationFactor":11)",
        R"("TumblingWindowInSeconds":30)",
        R"("TimeoutInSeconds":0)",
        R"("Enabled":"true")",
        R"("BisectBatchOnFunctionError":1)",
        R"("FunctionResponseTypes":["Other"])",
        R"("FunctionResponseTypes":7)",
        R"("FilterCriteria":[])",
        R"("FilterCriteria":{"Filter":[]})",
        R"("FilterCriteria":{"Filters":[7]})",
        R"("FilterCriteria":{"Filters":[{"Pattern":"{}"}]})",
        R"("DestinationConfig":7)",
        R"("DestinationConfig":{"OnFailure":7})",
        R"("DestinationConfig":{"OnFailure":{"Destination":null}})",
        R"("DestinationConfig":{"OnFailure":{},"OnFailure":{}})",
        R"("FilterCriteria":{"Filters":null})",
        R"("FilterCriteria":{"Filters":[],"Filters":[]})",
        R"("DestinationConfig":{"OnSuccess":{}})",
        R"("DestinationConfig":{"OnFailure":{"Destination":"arn:aws:sqs:us-east-1:1:q"}})",
        R"("DestinationConfig":{"OnFailure":{"Destination":"file://a"}})",
        R"("DestinationConfig":{"OnFailure":{"Destination":"ftp://a/b"}})",
        R"("Endpoint":"nowhere")",
        R"("StartingPosition":"LATEST")",
        R"("KMSKeyArn":"k")",
        R"("Queues":["q"])"}) {
    const std::string name = std::string(member).substr(1, std::string(member).find('"', 1) - 1);
    const std::string problem = problem_with(member);
    EXPECT_NE(problem.find(place + name), std::string::npos) << member << ": " << problem;
  }
}

TEST(MappingFileTest, RefusesWhatIsNoFileOfMappings) {
  for (const char* const text :
       {"", "{", "[]", "{}", R"({"EventSourceMappings":{}})", R"({"EventSourceMappings":[7]})",
        R"({"EventSourceMappings":[],"Region":"us-east-1"})",
        R"({"EventSourceMappings":[],"EventSourceMappings":[]})",
        R"({"Endpoint":"http://a:1","Endpoint":"http://a:1","EventSourceMappings":[]})",
        R"({"Endpoint":7,"EventSourceMappings":[]})"}) {
    EXPECT_NE(problem_of(text), "none") << text;
  }
  EXPECT_EQ(problem_of(R"({"EventSourceMappings":[]})"), "none");
  const std::string one = "{" + kLeast + R"(,"Endpoint":"http://a:1"})";
  EXPECT_NE(
      problem_of(R"({"EventSourceMappings":[{)" + kLeast + "}]}").find("Endpoint: it is missing"),
      std::string::npos);
  EXPECT_NE(problem_of(R"({"EventSourceMappings":[)" + one + "," + one + "]}").find("[1]: another"),
            std::string::npos);
  EXPECT_NE(problem_of(R"({"EventSourceMappings":[{"FunctionName":"f"}]})").find("one source"),
            std::string::npos);
  std::string many;
  for (std::size_t i = 0; i <= kMaxMappings; ++i) many += (i == 0 ? "" : ",") + one;
  EXPECT_NE(problem_of(R"({"EventSourceMappings":[)" + many + "]}").find("1,000"),
            std::string::npos);
  const storage::TempDirectory directory;
  EXPECT_THROW(read_mapping_file(directory.file("missing.json")), MappingFileError);
}

}  // namespace
}  // namespace magneto::server::feeds
