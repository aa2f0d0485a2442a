// Thousands of clients that are idle or slow: the others are served, and memory is bounded.
#include "server/http/session_group.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "tests/support/http_client.h"
#include "tests/support/server_process.h"

namespace magneto::server::http {
namespace {

constexpr std::size_t kConnections = 5'000;
constexpr std::string_view kHealthOfGroup = "GET / HTTP/1.1\r\n\r\n";

// 5,000, or fewer with a message if the hard limit of descriptors allows only that.
std::size_t connections_allowed() {
  rlimit limit{};
  EXPECT_EQ(::getrlimit(RLIMIT_NOFILE, &limit), 0);
  limit.rlim_cur = limit.rlim_max;
  EXPECT_EQ(::setrlimit(RLIMIT_NOFILE, &limit), 0);
  // The server keeps 512 for itself.
  const std::size_t allowed = std::min<std::size_t>(kConnections, limit.rlim_cur - 600);
  if (allowed < kConnections) {
    std::cout << "only " << allowed << " connections: the hard limit of descriptors is "
              << limit.rlim_max << "\n";
  }
  return allowed;
}

std::size_t resident_bytes(pid_t process) {
  std::ifstream file("/proc/" + std::to_string(process) + "/statm");
  std::size_t pages = 0;
  file >> pages >> pages;
  return pages * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
}
// 0 if it shrank: a server gives back the pages that only its start needed.
std::size_t growth_since(std::size_t at_first, pid_t process) {
  return std::max(resident_bytes(process), at_first) - at_first;
}

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
// Sanitizers keep a shadow of all memory, and freed memory for a while.
constexpr std::size_t resident_for(std::size_t bytes) { return 8 * bytes + (1U << 30); }
#else
constexpr std::size_t resident_for(std::size_t bytes) { return bytes; }
#endif

class ManyConnectionsTest : public testing::Test {
 protected:
  ManyConnectionsTest() {
    EXPECT_EQ(busy_.exchange(kHealthOfGroup).status, 200);
    at_first_ = resident_bytes(server_.id());
  }

  // Connections that send `bytes` and nothing more, while another is served.
  void open(std::string_view bytes) {
    for (std::size_t i = 0; i < count_; ++i) {
      clients_.push_back(std::make_unique<HttpClient>(server_.port()));
      clients_.back()->try_send(bytes);
      if (i % 50 == 0) expect_service();
    }
    expect_service();
  }
  void expect_service() {
    const HttpReply reply = busy_.exchange(post_request("DescribeLimits", "{}"));
    EXPECT_EQ(reply.status, 200) << reply.body;
  }
  // Everything sent on other connections was read when their thread has answered a later one.
  void expect_growth_below(std::size_t bytes) {
    for (int i = 0; i < 8; ++i) {
      const std::string operation = post_request("DescribeLimits", "{}");
      EXPECT_EQ(HttpClient(server_.port()).exchange(operation).status, 200);
    }
    const std::size_t growth = growth_since(at_first_, server_.id());
    EXPECT_LT(growth, resident_for(bytes)) << "for each connection " << growth / count_;
  }

  const std::size_t count_ = connections_allowed();
  ServerProcess server_{{"--idle-timeout-ms", "3600000", "--request-timeout-ms", "3600000"}};
  HttpClient busy_{server_.port()};
  std::size_t at_first_ = 0;
  std::vector<std::unique_ptr<HttpClient>> clients_;
};

// 5.7 kB for each were measured.
TEST_F(ManyConnectionsTest, IdleOnesTakeFewKilobytesEach) {
  open("");
  for (const std::unique_ptr<HttpClient>& client : clients_) {
    EXPECT_EQ(client->exchange(kHealthOfGroup).status, 200);
  }
  expect_growth_below(count_ * 16'000);
  clients_.clear();
  expect_service();
}

// 11 kB for each were measured, with a part of a small body.
TEST_F(ManyConnectionsTest, SlowOnesTakeLittleMoreThanWhatTheySent) {
  open("POST / HTTP/1.1\r\nContent-Length: 16000000\r\n\r\n" + std::string(1'000, ' '));
  expect_growth_below(count_ * 30'000);
}

TEST(ManySlowBodies, AreBoundedTogetherAndGiveWayToNewOnes) {
  ServerProcess server({"--held-memory-mb", "32", "--request-timeout-ms", "3600000"});
  HttpClient busy(server.port());
  EXPECT_EQ(busy.exchange(kHealthOfGroup).status, 200);
  const std::size_t at_first = resident_bytes(server.id());
  const std::string part =
      "POST / HTTP/1.1\r\nContent-Length: 200000\r\n\r\n" + std::string(100'000, ' ');
  std::vector<std::unique_ptr<HttpClient>> clients;
  const auto open = [&](int count) {
    for (int i = 0; i < count; ++i) {
      clients.push_back(std::make_unique<HttpClient>(server.port()));
      clients.back()->try_send(part);
      EXPECT_EQ(busy.exchange(post_request("DescribeLimits", "{}")).status, 200);
    }
  };
  open(500);
  std::this_thread::sleep_for(std::chrono::milliseconds(3'500));
  clients.erase(clients.begin() + 20, clients.end());
  open(500);
  EXPECT_TRUE(clients.front()->hangs_up_within(std::chrono::seconds(120)));
  // All their bytes together would be 50 MB, and more with their buffers.
  EXPECT_LT(growth_since(at_first, server.id()), resident_for(80U << 20));
}

}  // namespace
}  // namespace magneto::server::http
