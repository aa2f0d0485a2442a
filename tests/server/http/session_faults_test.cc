// The effects of fault rules on connections.
#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "api/journal/journal_json.h"
#include "tests/server/main/in_process_server.h"
#include "tests/support/http_client.h"

namespace magneto::server::http {
namespace {

using std::chrono::milliseconds;
using Clock = std::chrono::steady_clock;

// The limit for events that must happen at once: the machine may be busy.
constexpr milliseconds kFaultsPatience{120'000};

std::string table_request() {
  return post_request("CreateTable",
                      R"({"TableName":"tab","BillingMode":"PAY_PER_REQUEST",)"
                      R"("AttributeDefinitions":[{"AttributeName":"id","AttributeType":"S"}],)"
                      R"("KeySchema":[{"AttributeName":"id","KeyType":"HASH"}]})");
}

std::string put_request(std::string_view id, std::size_t length = 1) {
  return post_request("PutItem", R"({"TableName":"tab","Item":{"id":{"S":")" + std::string(id) +
                                     R"("},"text":{"S":")" + std::string(length, 'x') + R"("}}})");
}

std::string get_request(std::string_view id) {
  return post_request("GetItem",
                      R"({"TableName":"tab","Key":{"id":{"S":")" + std::string(id) + R"("}}})");
}

class SessionFaultsTest : public testing::Test {
 protected:
  SessionFaultsTest() { EXPECT_EQ(client_.exchange(table_request()).status, 200); }

  bool has_item(std::string_view id) {
    HttpClient client(server_.port(), false);
    return client.exchange(get_request(id)).body != "{}";
  }

  main::InProcessServer server_;
  HttpClient client_{server_.port(), false};
};

TEST_F(SessionFaultsTest, DropsTheConnectionBeforeTheWrite) {
  server_.add_fault(R"({"operations":["PutItem"],"fault":{"drop":"before"}})");
  client_.send(put_request("a"));
  EXPECT_TRUE(client_.hangs_up_within(kFaultsPatience));
  EXPECT_FALSE(has_item("a"));
}

TEST_F(SessionFaultsTest, DropsTheConnectionAfterTheWrite) {
  server_.add_fault(R"({"operations":["PutItem"],"count":1,"fault":{"drop":"after"}})");
  client_.send(put_request("a"));
  EXPECT_TRUE(client_.hangs_up_within(kFaultsPatience));
  EXPECT_TRUE(has_item("a"));
  HttpClient again(server_.port(), false);
  EXPECT_EQ(again.exchange(put_request("b")).status, 200);
}

TEST_F(SessionFaultsTest, TruncatesAnswers) {
  EXPECT_EQ(client_.exchange(put_request("a", 1'000)).status, 200);
  const std::size_t size = client_.exchange(get_request("a")).body.size();
  for (const char* const fraction : {"0.5", "1", "0.00001"}) {
    server_.faults().clear();
    server_.add_fault(R"({"count":1,"fault":{"truncate":)" + std::string(fraction) + "}}");
    HttpClient client(server_.port(), false);
    client.send(get_request("a"));
    EXPECT_THROW(client.receive(), std::exception) << fraction;
  }
  EXPECT_EQ(client_.exchange(get_request("a")).body.size(), size);
}

TEST_F(SessionFaultsTest, AsksClientsToWait) {
  server_.add_fault(
      R"({"count":1,"fault":{"error":"ThrottlingException","retry_after":"1s250ms"}})");
  server_.add_fault(R"({"count":1,"fault":{"error":"InternalServerError","retry_after":"0s"}})");
  server_.add_fault(R"({"count":1,"fault":{"error":"InternalServerError"}})");
  const auto header = [this] {
    return client_.exchange(put_request("a")).headers["x-amz-retry-after"];
  };
  EXPECT_EQ(header(), "1250");
  EXPECT_EQ(header(), "0");
  EXPECT_EQ(header(), "");
  EXPECT_EQ(header(), "");
  EXPECT_TRUE(has_item("a"));
}

TEST_F(SessionFaultsTest, DelaysAnswersWhileOthersAreServed) {
  server_.add_fault(
      R"({"operations":["GetItem"],"key":{"pk":"slow"},"fault":{"latency":"500ms"}})");
  std::vector<std::unique_ptr<HttpClient>> slow;
  const Clock::time_point begin = Clock::now();
  for (int i = 0; i < 100; ++i) {
    slow.push_back(std::make_unique<HttpClient>(server_.port(), false));
    slow.back()->send(get_request("slow"));
  }
  for (int i = 0; i < 50; ++i) EXPECT_EQ(client_.exchange(get_request("fast")).body, "{}");
  for (const std::unique_ptr<HttpClient>& client : slow) {
    EXPECT_EQ(client->receive().body, "{}");
    EXPECT_GE(Clock::now() - begin, milliseconds(500));
  }
  // A hundred in turn would take fifty seconds.
  EXPECT_LT(Clock::now() - begin, milliseconds(45'000));
}

TEST_F(SessionFaultsTest, DelaysErrorsAndDroppedConnections) {
  server_.add_fault(R"({"fault":{"latency":"100ms"}})");
  server_.add_fault(R"({"count":1,"fault":{"error":"ThrottlingException"}})");
  server_.add_fault(R"({"count":1,"fault":{"drop":"before"}})");
  Clock::time_point begin = Clock::now();
  EXPECT_EQ(client_.exchange(put_request("a")).status, 400);
  EXPECT_GE(Clock::now() - begin, milliseconds(100));
  begin = Clock::now();
  client_.send(put_request("a"));
  EXPECT_TRUE(client_.hangs_up_within(kFaultsPatience));
  EXPECT_GE(Clock::now() - begin, milliseconds(100));
  EXPECT_FALSE(has_item("a"));
}

// A long body is answered by a worker.
TEST_F(SessionFaultsTest, ConcernWorkersAlike) {
  server_.add_fault(R"({"operations":["PutItem"],"count":1,"fault":{"drop":"after"}})");
  client_.send(put_request("long", 100'000));
  EXPECT_TRUE(client_.hangs_up_within(kFaultsPatience));
  EXPECT_TRUE(has_item("long"));
}

TEST_F(SessionFaultsTest, ForgetClientsThatHaveLeft) {
  server_.add_fault(R"({"operations":["GetItem"],"fault":{"latency":"10m"}})");
  for (int i = 0; i < 10; ++i) {
    HttpClient client(server_.port(), false);
    client.send(get_request("a"));
  }
  const Clock::time_point begin = Clock::now();
  server_.stop();
  EXPECT_LT(Clock::now() - begin, std::chrono::minutes(5));  // of ten
}

TEST_F(SessionFaultsTest, DoNotKeepTheServerFromEnding) {
  server_.add_fault(R"({"operations":["GetItem"],"fault":{"latency":"10m"}})");
  client_.send(get_request("a"));
  std::this_thread::sleep_for(milliseconds(100));  // for the server to read it
  server_.stop();
  EXPECT_TRUE(client_.hangs_up_within(kFaultsPatience));
}

TEST_F(SessionFaultsTest, AnswerPipelinedRequestsInOrder) {
  server_.add_fault(R"({"key":{"pk":"a"},"fault":{"latency":"50ms"}})");
  client_.send(get_request("a") + post_request("ListTables", "{}") + get_request("a"));
  EXPECT_EQ(client_.receive().body, "{}");
  EXPECT_EQ(client_.receive().body, R"({"TableNames":["tab"]})");
  EXPECT_EQ(client_.receive().body, "{}");
}

TEST_F(SessionFaultsTest, AreToldInTheJournal) {
  server_.journal().change({.on = true});
  server_.add_fault(R"({"count":1,"fault":{"drop":"after"}})");
  client_.send(put_request("a"));
  EXPECT_TRUE(client_.hangs_up_within(kFaultsPatience));
  const auto page = server_.journal().read({}, 10);
  ASSERT_EQ(page.records.size(), 1U);
  const api::JournalRecord& record = *page.records.front();
  EXPECT_EQ(record.status, 0);
  EXPECT_EQ(record.faults, std::vector<std::string>{"f1"});
  EXPECT_TRUE(record.address.starts_with("127.0.0.1:")) << record.address;
  EXPECT_EQ(record.access_key, "test");
  EXPECT_EQ(record.request_id.size(), 52U);
}

// A client that has its answer finds its request.
TEST_F(SessionFaultsTest, JournalIsThereBeforeTheAnswer) {
  server_.journal().change({.on = true});
  for (std::uint64_t i = 1; i <= 200; ++i) {
    client_.exchange(get_request("a"));
    EXPECT_EQ(server_.journal().last_number(), i);
  }
}

}  // namespace
}  // namespace magneto::server::http
