#include "server/feeds/event_sources/function_answer.h"

#include <gtest/gtest.h>

#include <string>
#include <thread>
#include <vector>

namespace magneto::server::feeds {
namespace {

using Items = std::set<std::string>;

constexpr std::size_t kMost = 3;

std::string failures(const std::string& items) {
  return R"({"batchItemFailures":[)" + items + "]}";
}

std::string answered_item(const std::string& number) {
  return R"({"itemIdentifier":")" + number + "\"}";
}

// AWS Lambda developer guide, "Success and failure conditions".
TEST(FunctionAnswerTest, NothingNamedIsASuccess) {
  for (const char* const answer : {"", "null", "{}", R"({"batchItemFailures":null})",
                                   R"({"batchItemFailures":[]})", R"({"ok":1})"}) {
    EXPECT_EQ(read_function_answer(answer, kMost).failed_items, Items()) << answer;
  }
}

TEST(FunctionAnswerTest, TellsWhatIsNamed) {
  const std::string named =
      failures(answered_item("104") + "," + answered_item("102") + "," + answered_item("104"));
  EXPECT_EQ(read_function_answer(named, kMost).failed_items, (Items{"102", "104"}));
  EXPECT_EQ(read_function_answer(named, 2).failed_items, (Items{"102", "104"}));
  EXPECT_EQ(read_function_answer(named, 1).failed_items, std::nullopt);
  EXPECT_EQ(read_function_answer(failures(answered_item(std::string(40, '1'))), 1).failed_items,
            Items{std::string(40, '1')});
}

TEST(FunctionAnswerTest, WhatIsNoListIsTold) {
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
                                 failures(answered_item(std::string(41, '1')))};
  for (const std::string& answer : answers) {
    EXPECT_EQ(read_function_answer(answer, kMost).failed_items, std::nullopt) << answer;
    EXPECT_EQ(read_function_answer(answer, 0).failed_items, Items()) << answer;
  }
}

TEST(FunctionAnswerTest, TellsErrorsOfTheEmulator) {
  for (const std::size_t most : {std::size_t{0}, kMost}) {
    EXPECT_TRUE(
        read_function_answer(R"({"errorMessage":"a","errorType":"b"})", most).tells_of_error);
    EXPECT_TRUE(read_function_answer("Task timed out after 3.00 seconds", most).tells_of_error);
    EXPECT_FALSE(
        read_function_answer(R"({"errorMessage":7,"errorType":"b"})", most).tells_of_error);
    EXPECT_FALSE(read_function_answer(R"({"errorMessage":"a",)", most).tells_of_error);
  }
}

TEST(FunctionAnswerTest, LongOnesAreReadByManyThreads) {
  std::string answer = R"({"a":[)";
  for (int i = 0; i < 100'000; ++i) answer += "1,";
  answer += R"(0],"errorMessage":"a","errorType":"b"})";
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      const FunctionAnswer read = read_function_answer(answer, kMost);
      EXPECT_TRUE(read.tells_of_error);
      EXPECT_EQ(read.failed_items, Items());
    });
  }
  for (std::thread& thread : threads) thread.join();
}

}  // namespace
}  // namespace magneto::server::feeds
