#include "server/event_sources/failure_destination.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "tests/support/engines.h"
#include "tests/support/scripted_server.h"

namespace magneto::server {
namespace {

class FailureDestinationTest : public testing::Test {
 protected:
  FailureDestination to_file(const std::string& name) {
    return {{.file = directory_.file(name), .url = std::nullopt, .url_path = {}},
            [] { return false; }};
  }
  std::string text(const std::string& name) {
    std::stringstream read;
    read << std::ifstream(directory_.file(name)).rdbuf();
    return read.str();
  }

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
  FailureDestination full({.file = "/dev/full", .url = std::nullopt, .url_path = {}},
                          [] { return false; });
  EXPECT_NE(full.keep("{}"), std::nullopt);  // no regular file
}

TEST_F(FailureDestinationTest, PostsToAUrl) {
  int status = 500;
  ScriptedServer server([&](const std::string&) { return http_answer(status, "told"); });
  FailureDestination url(
      {.file = {}, .url = parse_endpoint_url(server.url()), .url_path = "/a?b=c"},
      [] { return false; });
  EXPECT_NE(url.keep("{1}"), std::nullopt);
  status = 202;
  EXPECT_EQ(url.keep("{1}"), std::nullopt);
  EXPECT_TRUE(server.requests().back().starts_with("POST /a?b=c HTTP/1.1\r\n"));
  EXPECT_TRUE(server.requests().back().ends_with("\r\n\r\n{1}"));
}

TEST_F(FailureDestinationTest, NowhereTakesAll) {
  FailureDestination nowhere({}, [] { return false; });
  EXPECT_TRUE(nowhere.is_nowhere());
  EXPECT_EQ(nowhere.keep("{}"), std::nullopt);
}

}  // namespace
}  // namespace magneto::server
