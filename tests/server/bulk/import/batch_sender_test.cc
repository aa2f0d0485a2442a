#include "server/bulk/import/batch_sender.h"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "tests/server/client/endpoint/scripted_endpoint.h"

namespace magneto::server::bulk {
namespace {

using Clock = std::chrono::steady_clock;

std::size_t count_of(std::string_view text, std::string_view part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string_view::npos;
       at = text.find(part, at + part.size())) {
    ++count;
  }
  return count;
}

// The answer that leaves the last `left` requests of a batch.
std::string answer_leaving(const std::string& body, std::size_t left) {
  if (left == 0) return R"({"UnprocessedItems":{}})";
  std::size_t start = body.size();
  for (std::size_t i = 0; i < left; ++i) start = body.rfind("{\"PutRequest\"", start - 1);
  const std::size_t end = body.rfind(']');
  return R"({"UnprocessedItems":{"t01":[)" + body.substr(start, end - start) + "]}}";
}

client::Outcome denied() {
  return client::read_outcome(400, R"({"__type":"a#AccessDeniedException"})");
}

class BatchSenderTest : public ::testing::Test {
 protected:
  void send(std::size_t items, client::ScriptedEndpoint::Script script) {
    const auto block = std::make_shared<ItemBlock>();
    block->file = std::make_shared<const std::string>("file");
    for (std::size_t i = 0; i < items; ++i) {
      block->text += R"({"pk":{"S":")" + std::string(1, static_cast<char>('a' + i)) + R"("}})";
    }
    const std::size_t size = block->text.size() / items;
    BatchSender sender(std::make_unique<client::ScriptedEndpoint>(std::move(script)), "t01",
                       errors_, put_);
    for (std::size_t i = 0; i < items; ++i) {
      const auto json = std::string_view(block->text).substr(i * size, size);
      sender.add(*block, {.json = json, .key = json, .hash = i, .line = i + 1});
    }
    sender.finish();
  }

  ImportErrors errors_{{}, 0};
  std::atomic<std::uint64_t> put_{0};
};

TEST_F(BatchSenderTest, WaitsForAsLongAsSomeItemIsTaken) {
  std::size_t calls = 0;
  send(20, [&](std::string_view operation, const std::string& body) {
    EXPECT_EQ(operation, "BatchWriteItem");
    ++calls;
    return client::read_outcome(200, answer_leaving(body, count_of(body, "PutRequest") - 1));
  });
  EXPECT_FALSE(errors_.is_over()) << errors_.first();
  EXPECT_EQ(put_, 20U);
  EXPECT_EQ(calls, 20U);
}

TEST_F(BatchSenderTest, CountsWhatWasTakenOfABatchThatFails) {
  bool first = true;
  send(10, [&](std::string_view, const std::string& body) {
    return std::exchange(first, false) ? client::read_outcome(200, answer_leaving(body, 7))
                                       : denied();
  });
  EXPECT_TRUE(errors_.is_over());
  EXPECT_EQ(put_, 3U);
}

TEST_F(BatchSenderTest, PutsTheItemsOfARefusedBatchByThemselves) {
  send(10, [&](std::string_view operation, const std::string& body) {
    const bool bad = body.find(R"({"S":"c"})") != std::string::npos;
    if (bad) return client::read_outcome(400, R"({"__type":"ValidationException","message":"no"})");
    return client::read_outcome(200, operation == "PutItem" ? "{}" : R"({"UnprocessedItems":{}})");
  });
  EXPECT_EQ(errors_.first(), "file:3: no");
  EXPECT_EQ(put_, 2U);
}

TEST_F(BatchSenderTest, TakesNoOtherAnswerForSuccess) {
  for (const char* const body :
       {"<html>please log in</html>", "", "{}", R"({"UnprocessedItems":[]})",
        R"({"UnprocessedItems":{"t01")", "null"}) {
    ImportErrors errors({}, 0);
    send(5, [&](std::string_view, const std::string&) { return client::read_outcome(200, body); });
    EXPECT_TRUE(errors_.is_over()) << body;
    EXPECT_EQ(put_, 0U) << body;
  }
}

TEST_F(BatchSenderTest, EndsSoonWhenAllIsOver) {
  const auto start = Clock::now();
  std::thread other([this] {
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    errors_.fail("over");
  });
  send(5, [&](std::string_view, const std::string& body) {
    return client::read_outcome(200, answer_leaving(body, count_of(body, "PutRequest")));
  });
  other.join();
  EXPECT_LT(Clock::now() - start, std::chrono::seconds(30));
  EXPECT_EQ(errors_.first(), "over");
}

}  // namespace
}  // namespace magneto::server::bulk
