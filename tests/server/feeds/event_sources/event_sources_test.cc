#include "server/feeds/event_sources/event_sources.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <fstream>
#include <memory>
#include <set>
#include <string>
#include <thread>

#include "tests/support/engines.h"
#include "tests/support/scripted_server.h"

namespace magneto::server::feeds {
namespace {

class EventSourcesTest : public testing::Test {
 protected:
  EventSourcesTest() {
    const std::string file = directory_.file("mappings.json");
    std::ofstream(file) << R"({"EventSourceMappings":[{"TableName":"tab","FunctionName":"f",)"
                        << R"("StartingPosition":"TRIM_HORIZON","Endpoint":")" << server_.url()
                        << "\"}]}";
    const auto warn = [](std::string_view) {};
    sources_ = std::make_unique<EventSources>(EventSourcesOptions{
        .file = file, .call_memory = 1 << 20, .warn = warn, .warn_left_out = warn});
    create_table();
    sources_->start(namespaces_);
  }
  ~EventSourcesTest() override { sources_->stop(); }

  void call(std::string_view operation, std::string body) {
    std::string answer;
    namespaces_.main()->service().call(api::find_operation(operation), api::Caller(), "ID", body,
                                       answer);
  }
  void create_table() {
    call("CreateTable",
         R"({"TableName":"tab","BillingMode":"PAY_PER_REQUEST",)"
         R"("AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"}],)"
         R"("KeySchema":[{"AttributeName":"pk","KeyType":"HASH"}],)"
         R"("StreamSpecification":{"StreamEnabled":true,"StreamViewType":"KEYS_ONLY"}})");
  }
  // The streams with stored positions: "event-sources/<mapping>-<stream>[-<shard>].position".
  std::set<std::string> streams() {
    std::set<std::string> found;
    for (const std::string& name : namespaces_.main()->databases().notes()->names("")) {
      const std::string stream = name.substr(name.find('-', name.find('/')) + 1);
      found.insert(stream.substr(0, stream.find_first_of("-.")));
    }
    return found;
  }
  template <typename Condition>
  static bool wait_for(const Condition& condition) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::minutes(2);
    while (!condition()) {
      if (std::chrono::steady_clock::now() > end) return false;
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    return true;
  }

  const storage::TempDirectory directory_;
  std::atomic<int> calls_{0};
  ScriptedServer server_{[this](const std::string&) {
    ++calls_;
    return http_answer(200, "null");
  }};
  std::shared_ptr<api::ControlSettings> settings_ = std::make_shared<api::ControlSettings>("main");
  api::Namespaces namespaces_{storage::Databases::open({}, settings_->clock), settings_, {}};
  std::unique_ptr<EventSources> sources_;
};

TEST_F(EventSourcesTest, PositionsOfStreamsThatAreGoneAreForgotten) {
  namespaces_.take_snapshot("empty", "main");
  for (int round = 0; round < 3; ++round) {
    const int calls = calls_;
    call("DeleteTable", R"({"TableName":"tab"})");
    create_table();
    call("PutItem", R"({"TableName":"tab","Item":{"pk":{"S":"a"}}})");
    ASSERT_TRUE(wait_for([&] { return calls_ > calls && !streams().empty(); })) << round;
    namespaces_.restore("main", "empty");
  }
  EXPECT_TRUE(wait_for([&] { return streams().size() <= 1; })) << streams().size();
}

}  // namespace
}  // namespace magneto::server::feeds
