#include "server/event_sources/event_batch.h"

#include <gtest/gtest.h>

#include <string>

namespace magneto::server {
namespace {

EventBatch batch_of(std::size_t count) {
  EventBatch batch;
  for (std::size_t i = 0; i < count; ++i) batch.entries.push_back({1000 + i, {}});
  return batch;
}

std::string item(std::uint64_t position) {
  return R"({"itemIdentifier":")" + api::SourceStream::sequence_number(position) + "\"}";
}

std::string failures(const std::string& items) {
  return R"({"batchItemFailures":[)" + items + "]}";
}

// AWS Lambda developer guide, "Success and failure conditions".
TEST(EventBatchTest, NothingNamedIsASuccess) {
  const EventBatch batch = batch_of(3);
  for (const char* const answer : {"", "null", "{}", R"({"batchItemFailures":null})",
                                   R"({"batchItemFailures":[]})", R"({"ok":1})"}) {
    EXPECT_EQ(first_failed_item(answer, batch), 3U) << answer;
  }
}

TEST(EventBatchTest, TheFirstOfThoseNamedCounts) {
  const EventBatch batch = batch_of(5);
  EXPECT_EQ(first_failed_item(failures(item(1004) + "," + item(1002)), batch), 2U);
  EXPECT_EQ(first_failed_item(failures(item(1000)), batch), 0U);
  EXPECT_EQ(first_failed_item(failures(item(1004) + "," + item(1004)), batch), 4U);
}

TEST(EventBatchTest, WhatIsNoListOfItsRecordsIsAFailure) {
  const EventBatch batch = batch_of(3);
  const std::string answers[] = {"ok",
                                 "\"ok\"",
                                 "7",
                                 "[]",
                                 R"({"batchItemFailures":{}})",
                                 R"({"batchItemFailures":"1000"})",
                                 failures("7"),
                                 failures("{}"),
                                 failures(R"({"itemIdentifier":""})"),
                                 failures(R"({"itemIdentifier":null})"),
                                 failures(R"({"itemIdentifier":1000})"),
                                 failures(R"({"ItemIdentifier":"1000"})"),
                                 failures(item(1001) + "," + item(7))};
  for (const std::string& answer : answers) {
    EXPECT_EQ(first_failed_item(answer, batch), std::nullopt) << answer;
  }
}

}  // namespace
}  // namespace magneto::server
