#include "server/feeds/event_sources/failure_destination.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>
#include <vector>

#include "tests/support/engines.h"
#include "tests/support/scripted_server.h"

namespace magneto::server::feeds {
namespace {

class FailureDestinationTest : public testing::Test {
 protected:
  FailureDestination to_file(const std::string& name) {
    return {{.file = directory_.file(name), .url = std::nullopt, .url_path = {}}, pool_, [] {
              return false;
            }};
  }
  std::string text(const std::string& name) {
    std::stringstream read;
    read << std::ifstream(directory_.file(name)).rdbuf();
    return read.str();
  }

  ConnectionPool pool_;
  storage::TempDirectory directory_;
};

TEST_F(FailureDestinationTest, AppendsLines) {
  FailureDestination file = to_file("a.jsonl");
  EXPECT_FALSE(file.is_nowhere());
  EXPECT_EQ(file.try_file(), std::nullopt);
  EXPECT_EQ(text("a.jsonl"), "");
  EXPECT_EQ(file.keep("{1}"), std::nullopt);
  std::filesystem::remove(directory_.file("a.jsonl"));  // as log rotation does
  EXPECT_EQ(file.keep("{2}"), std::nullopt);
  EXPECT_EQ(to_file("a.jsonl").keep("{3}"), std::nullopt);
  EXPECT_EQ(text("a.jsonl"), "{2}\n{3}\n");
}

TEST_F(FailureDestinationTest, SaysWhyAFileTakesNothing) {
  EXPECT_NE(to_file("none/a.jsonl").try_file(), std::nullopt);
  std::filesystem::create_directory(directory_.file("folder"));
  EXPECT_NE(to_file("folder").try_file(), std::nullopt);
  FailureDestination full({.file = "/dev/full", .url = std::nullopt, .url_path = {}}, pool_,
                          [] { return false; });
  EXPECT_NE(full.keep("{}"), std::nullopt);  // no regular file
}

// A file may grow up to the limit. Of a line that was written in part, that part is removed.
TEST_F(FailureDestinationTest, TakesBackNoLineOfAnother) {
  constexpr std::size_t kLine = 100;
  constexpr std::size_t kFits = 25;
  FailureDestination destinations[] = {to_file("full.jsonl"), to_file("full.jsonl"),
                                       to_file("./full.jsonl"), to_file("full.jsonl")};
  rlimit limit{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &limit), 0);
  rlimit low = limit;
  low.rlim_cur = kFits * kLine + kLine / 2;
  const auto former = ::signal(SIGXFSZ, SIG_IGN);
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &low), 0);
  std::atomic<std::size_t> taken{0};
  std::vector<std::thread> threads;
  for (FailureDestination& destination : destinations) {
    threads.emplace_back([&] {
      for (int i = 0; i < 50; ++i) {
        if (!destination.keep(std::string(kLine - 1, 'x'))) ++taken;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &limit), 0);
  ::signal(SIGXFSZ, former);
  EXPECT_EQ(taken, kFits);
  std::string wanted;
  for (std::size_t i = 0; i < kFits; ++i) wanted += std::string(kLine - 1, 'x') + "\n";
  EXPECT_EQ(text("full.jsonl"), wanted);
}

TEST_F(FailureDestinationTest, PostsToAUrl) {
  int status = 500;
  ScriptedServer server([&](const std::string&) { return http_answer(status, "to\nld\xFF"); });
  FailureDestination url(
      {.file = {}, .url = client::parse_endpoint_url(server.url()), .url_path = "/a?b=c"}, pool_,
      [] { return false; });
  EXPECT_EQ(url.keep("{1}"), "the endpoint answered 500: to ld\uFFFD");
  status = 202;
  EXPECT_EQ(url.keep("{1}"), std::nullopt);
  EXPECT_TRUE(server.requests().back().starts_with("POST /a?b=c HTTP/1.1\r\n"));
  EXPECT_TRUE(server.requests().back().ends_with("\r\n\r\n{1}"));
}

TEST_F(FailureDestinationTest, NowhereTakesAll) {
  FailureDestination nowhere({}, pool_, [] { return false; });
  EXPECT_TRUE(nowhere.is_nowhere());
  EXPECT_EQ(nowhere.keep("{}"), std::nullopt);
}

}  // namespace
}  // namespace magneto::server::feeds
