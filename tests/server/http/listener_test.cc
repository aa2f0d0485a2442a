#include "server/http/listener.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "tests/support/http_client.h"
#include "tests/support/server_process.h"

namespace magneto::server::http {
namespace {

using std::chrono::milliseconds;
using Time = std::chrono::steady_clock;

constexpr std::string_view kHealth = "GET / HTTP/1.1\r\n\r\n";

// The lowest descriptor that a process does not use.
rlim_t next_descriptor(pid_t process) {
  const std::filesystem::path folder = "/proc/" + std::to_string(process) + "/fd";
  rlim_t next = 0;
  while (
      std::filesystem::is_symlink(std::filesystem::symlink_status(folder / std::to_string(next)))) {
    ++next;
  }
  return next;
}

void limit_descriptors(pid_t process, rlim_t count) {
  rlimit limit{};
  ASSERT_EQ(::prlimit(process, RLIMIT_NOFILE, nullptr, &limit), 0);
  limit.rlim_cur = std::min(count, limit.rlim_max);
  ASSERT_EQ(::prlimit(process, RLIMIT_NOFILE, &limit, nullptr), 0);
}

// The processor time of a process so far, user and system.
milliseconds processor_time(pid_t process) {
  std::ifstream file("/proc/" + std::to_string(process) + "/stat");
  std::string text;
  std::getline(file, text);
  std::istringstream fields(text.substr(text.rfind(')') + 2));
  std::string skipped;
  for (int i = 0; i < 11; ++i) fields >> skipped;
  long user = 0;
  long system = 0;
  fields >> user >> system;
  return milliseconds((user + system) * 1000 / ::sysconf(_SC_CLK_TCK));
}

std::size_t count_lines(std::string_view text) {
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

TEST(Listener, GoesOnWithoutDescriptorsAndAcceptsAgainLater) {
  ServerProcess server;
  HttpClient open(server.port());
  ASSERT_EQ(open.exchange(kHealth).status, 200);
  // They stay open: one that ends would free a descriptor at any later moment.
  std::vector<std::unique_ptr<HttpClient>> later;
  for (int episode = 1; episode <= 2; ++episode) {
    limit_descriptors(server.id(), next_descriptor(server.id()));
    // The kernel completes the connection; the server cannot accept it.
    HttpClient& waiting = *later.emplace_back(std::make_unique<HttpClient>(server.port()));
    waiting.send(kHealth);
    const Time::time_point patience = Time::now() + std::chrono::seconds(120);
    while (count_lines(server.errors()) < static_cast<std::size_t>(episode)) {
      ASSERT_LT(Time::now(), patience);
      std::this_thread::sleep_for(milliseconds(5));
    }
    const milliseconds before = processor_time(server.id());
    for (int i = 0; i < 20; ++i) {
      EXPECT_EQ(open.exchange(kHealth).status, 200);
      std::this_thread::sleep_for(milliseconds(50));
    }
    EXPECT_LT(processor_time(server.id()) - before, milliseconds(300)) << "it spins";
    EXPECT_FALSE(waiting.hangs_up_within(milliseconds(0)));
    limit_descriptors(server.id(), 1'000);
    EXPECT_EQ(waiting.receive().status, 200);
    later.push_back(std::make_unique<HttpClient>(server.port()));
    EXPECT_EQ(later.back()->exchange(kHealth).status, 200);
    // One line for any number of attempts.
    EXPECT_EQ(count_lines(server.errors()), static_cast<std::size_t>(episode)) << server.errors();
    EXPECT_NE(server.errors().find("Too many open files"), std::string::npos) << server.errors();
  }
}

}  // namespace
}  // namespace magneto::server::http
