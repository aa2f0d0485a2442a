#include "server/feeds/event_sources/connection_pool.h"

#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <string>
#include <thread>
#include <vector>

namespace magneto::server::feeds {
namespace {

// The tests send nothing, so nothing connects.
class ConnectionPoolTest : public testing::Test {
 protected:
  static ConnectionPool::Purpose purpose(const std::string& port) {
    return {.url = client::parse_endpoint_url("http://localhost:" + port).value(),
            .timeouts = {},
            .longest_answer = 1};
  }
  const client::HttpConnection* use(const std::string& port) {
    ConnectionPool::Use used(pool_, purpose(port));
    used.keep();
    return &used.connection();
  }

  ConnectionPool pool_;
};

TEST_F(ConnectionPoolTest, WhatIsKeptIsUsedAgainForItsPurpose) {
  const client::HttpConnection* const first = use("1");
  EXPECT_EQ(pool_.kept(), 1U);
  EXPECT_NE(use("2"), first);
  EXPECT_EQ(use("1"), first);
  EXPECT_EQ(pool_.kept(), 2U);
  { const ConnectionPool::Use thrown_away(pool_, purpose("1")); }
  EXPECT_EQ(pool_.kept(), 1U);
}

TEST_F(ConnectionPoolTest, NoMoreAreKeptThanThereMayBe) {
  for (std::size_t i = 0; i < ConnectionPool::kMost + 10; ++i) use(std::to_string(i + 1));
  EXPECT_EQ(pool_.kept(), ConnectionPool::kMost);
  std::vector<std::unique_ptr<ConnectionPool::Use>> used;
  for (std::size_t i = 0; i < ConnectionPool::kMost; ++i) {
    used.push_back(std::make_unique<ConnectionPool::Use>(pool_, purpose("1000")));
    EXPECT_EQ(pool_.kept() + used.size(), ConnectionPool::kMost);
  }
}

TEST_F(ConnectionPoolTest, WhatNobodyUsesIsDropped) {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point begin = Clock::now();
  use("1");
  pool_.drop_old();
  if (pool_.kept() == 0) {
    EXPECT_GE(Clock::now() - begin, ConnectionPool::kKeepTime);
  }
  while (pool_.kept() > 0 && Clock::now() < begin + std::chrono::minutes(2)) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    pool_.drop_old();
  }
  EXPECT_EQ(pool_.kept(), 0U);
  EXPECT_GE(Clock::now() - begin, ConnectionPool::kKeepTime);
}

}  // namespace
}  // namespace magneto::server::feeds
