#include "server/http/access_log.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>
#include <string>
#include <thread>

#include "server/http/listen_socket.h"
#include "server/system/descriptor.h"
#include "server/system/start_error.h"
#include "tests/support/engines.h"
#include "tests/support/http_client.h"
#include "tests/support/server_process.h"

namespace magneto::server::http {
namespace {

using std::chrono::milliseconds;

std::string read_file(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

std::size_t count_of(std::string_view text, char sought) {
  return static_cast<std::size_t>(std::ranges::count(text, sought));
}

// Waits until the file has that many lines, or for long enough.
std::string wait_for_lines(const std::string& path, std::size_t lines) {
  for (int i = 0; i < 12'000 && count_of(read_file(path), '\n') < lines; ++i) {
    std::this_thread::sleep_for(milliseconds(10));
  }
  return read_file(path);
}

class AccessLogTest : public testing::Test {
 protected:
  AccessLogTest() {
    std::signal(SIGPIPE, SIG_IGN);
    route_.kind = Route::Kind::kOperation;
    route_.operation = api::find_operation("PutItem");
  }

  FinishedRequest finished() {
    return {.route = route_,
            .request = request_,
            .response = response_,
            .id = "ID",
            .bytes_in = 12,
            .bytes_out = 345,
            .duration = std::chrono::microseconds(67),
            .descriptor = -1};
  }

  storage::TempDirectory directory_;
  const std::string path_ = directory_.path() + "/access.log";
  Route route_;
  HttpRequest request_;
  HttpResponse response_;
};

TEST_F(AccessLogTest, ALineHasWhatIsKnown) {
  request_.set(Field::kAuthorization,
               "AWS4-HMAC-SHA256 Credential=AKID/20260101/us-east-1/dynamodb/aws4_request, "
               "SignedHeaders=host, Signature=secret");
  response_.report.add_written("Roles", 1);
  response_.report.add_read("Films", 0.5);
  const std::string line = access_log_line(finished());
  EXPECT_NE(line.find(R"("request_id":"ID","remote":"","access_key":"AKID","operation":"PutItem",)"
                      R"("status":200,"tables":["Roles","Films"],"read_units":0.5,"write_units":1,)"
                      R"("bytes_in":12,"bytes_out":345,"duration_us":67})"),
            std::string::npos)
      << line;
  EXPECT_EQ(line.find("secret"), std::string::npos);
  EXPECT_EQ(line.substr(0, 10), R"({"time":"2)");
  response_.clear();
  response_.status = 400;
  response_.report.set_error(api::ErrorType::kResourceNotFound);
  EXPECT_NE(
      access_log_line(finished()).find(R"("status":400,"error":"ResourceNotFoundException",)"),
      std::string::npos);
}

TEST_F(AccessLogTest, WhatClientsMakeUpStaysInItsPlace) {
  route_.kind = Route::Kind::kNotFound;
  request_.method = Method::kGet;
  request_.set(Field::kUri, "/a\"b\\c\x01\x7f\xff?secret=1");
  request_.set(Field::kAuthorization, "Credential=" + std::string(5'000, '"'));
  const std::string line = access_log_line(finished());
  EXPECT_NE(line.find(R"("method":"GET","path":"/a\"b\\c\u0001\u007f\ufffd","status")"),
            std::string::npos)
      << line;
  EXPECT_EQ(count_of(line, '\n'), 1U);
  EXPECT_LT(line.size(), 2'000U);
  EXPECT_EQ(line.find("secret"), std::string::npos);
}

TEST_F(AccessLogTest, TheFileIsForItsUserAloneAndIsOpenedAnew) {
  {
    AccessLog log(path_);
    log.note(finished());
    EXPECT_EQ(count_of(wait_for_lines(path_, 1), '\n'), 1U);
    struct stat status {};
    ASSERT_EQ(::stat(path_.c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 0777, 0600U);
    std::filesystem::rename(path_, path_ + ".1");
    log.note(finished());
    EXPECT_EQ(count_of(wait_for_lines(path_ + ".1", 2), '\n'), 2U);
    log.reopen();
    for (int i = 0; i < 12'000 && !std::filesystem::exists(path_); ++i) {
      std::this_thread::sleep_for(milliseconds(10));
    }
    log.note(finished());
  }
  EXPECT_EQ(count_of(read_file(path_), '\n'), 1U);
  EXPECT_EQ(count_of(read_file(path_ + ".1"), '\n'), 2U);
  AccessLog again(path_);
  again.note(finished());
  EXPECT_EQ(count_of(wait_for_lines(path_, 2), '\n'), 2U);
}

TEST_F(AccessLogTest, SaysWhyItCannotBeOpened) {
  EXPECT_THROW(AccessLog(directory_.path() + "/none/access.log"), system::StartError);
  EXPECT_THROW(AccessLog(directory_.path()), system::StartError);
}

TEST_F(AccessLogTest, APipeThatNobodyReadsLosesLinesAndHoldsNobodyUp) {
  ASSERT_EQ(::mkfifo(path_.c_str(), 0600), 0);
  const system::Descriptor reader(::open(path_.c_str(), O_RDONLY | O_NONBLOCK));
  ASSERT_GE(reader.get(), 0);
  constexpr std::uint64_t kLines = 60'000;
  const auto begun = std::chrono::steady_clock::now();
  AccessLog::Counts counts;
  {
    AccessLog log(path_);
    for (std::uint64_t i = 0; i < kLines; ++i) log.note(finished());
    counts = log.counts();
  }
  // A log that waits for the pipe never ends.
  EXPECT_LT(std::chrono::steady_clock::now() - begun, std::chrono::minutes(2));
  EXPECT_GT(counts.lost, 0U);
  EXPECT_LT(counts.written + counts.lost, kLines + 1);
}

TEST_F(AccessLogTest, AReaderThatIsSlowIsNotWaitedForAtTheEnd) {
  ASSERT_EQ(::mkfifo(path_.c_str(), 0600), 0);
  const system::Descriptor reader(::open(path_.c_str(), O_RDONLY | O_NONBLOCK));
  ASSERT_GE(reader.get(), 0);
  auto log = std::make_unique<AccessLog>(path_);
  for (int i = 0; i < 10'000; ++i) log->note(finished());
  // The pipe is full, so that each chunk waits for the reader.
  std::this_thread::sleep_for(milliseconds(300));
  std::atomic<bool> has_ended{false};
  std::thread slow([&] {
    std::array<char, 4096> chunk;
    while (!has_ended) {
      std::this_thread::sleep_for(milliseconds(200));
      if (::read(reader.get(), chunk.data(), chunk.size()) == 0) return;
    }
  });
  testing::internal::CaptureStderr();
  const auto begun = std::chrono::steady_clock::now();
  log.reset();
  const auto taken = std::chrono::steady_clock::now() - begun;
  has_ended = true;
  slow.join();
  // Lines that were lost are a line of the log.
  EXPECT_NE(testing::internal::GetCapturedStderr().find(
                "some lines of the access log could not be written"),
            std::string::npos);
  // The reader would need more than two minutes for all lines.
  EXPECT_LT(taken, std::chrono::seconds(60));
  EXPECT_GT(taken, milliseconds(900));
}

TEST_F(AccessLogTest, AFullDiskLosesLinesAndCountsThem) {
  AccessLog log("/dev/full");
  for (int i = 0; i < 12'000 && log.counts().lost < 2; ++i) {
    log.note(finished());
    std::this_thread::sleep_for(milliseconds(1));
  }
  EXPECT_GE(log.counts().lost, 2U);
  EXPECT_EQ(log.counts().written, 0U);
}

TEST_F(AccessLogTest, TheServerWritesALineForEachRequestAndFollowsARenamedFile) {
  ServerProcess server({"--access-log", path_});
  HttpClient client(server.port());
  EXPECT_EQ(client.exchange(post_request("DescribeLimits", "{}")).status, 200);
  EXPECT_EQ(client.exchange("GET /_/health HTTP/1.1\r\nHost: localhost\r\n\r\n").status, 200);
  EXPECT_EQ(client.exchange(post_request("PutItem", "{")).status, 400);
  const std::string text = wait_for_lines(path_, 3);
  EXPECT_EQ(count_of(text, '\n'), 3U) << text;
  EXPECT_NE(text.find(R"("remote":"127.0.0.1:)"), std::string::npos) << text;
  EXPECT_NE(text.find(R"("access_key":"test","operation":"DescribeLimits","status":200)"),
            std::string::npos);
  EXPECT_NE(text.find(R"("path":"/_/health","status":200)"), std::string::npos);
  EXPECT_NE(text.find(R"("status":400,"error":"SerializationException")"), std::string::npos);
  std::filesystem::rename(path_, path_ + ".1");
  server.signal(SIGHUP);
  for (int i = 0; i < 12'000 && !std::filesystem::exists(path_); ++i) {
    std::this_thread::sleep_for(milliseconds(10));
  }
  EXPECT_EQ(client.exchange(post_request("DescribeLimits", "{}")).status, 200);
  // In memory the process ends without cleaning up; the log is written before.
  server.signal(SIGTERM);
  EXPECT_EQ(server.wait_for_exit(), 0);
  EXPECT_EQ(count_of(read_file(path_), '\n'), 1U);
  EXPECT_EQ(count_of(read_file(path_ + ".1"), '\n'), 3U);
}

}  // namespace
}  // namespace magneto::server::http
