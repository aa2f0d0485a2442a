// The built binary as a whole: how it starts, what it says and how it ends.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "tests/support/engines.h"
#include "tests/support/http_client.h"
#include "tests/support/server_process.h"

namespace magneto::server {
namespace {

using std::chrono::milliseconds;
using storage::TempDirectory;

// What a start that cannot succeed says.
void expect_failed_start(const std::vector<std::string>& arguments, std::string_view beginning,
                         std::string_view part) {
  const Finished finished = run_server(arguments);
  EXPECT_EQ(finished.status, 1) << part;
  EXPECT_EQ(finished.output, "") << part;
  EXPECT_TRUE(finished.errors.starts_with("magneto: " + std::string(beginning))) << finished.errors;
  EXPECT_NE(finished.errors.find(part), std::string::npos) << finished.errors;
  EXPECT_EQ(finished.errors.find('\n'), finished.errors.size() - 1) << finished.errors;
}

TEST(Main, SaysWhereItListensAndWhatItKeeps) {
  ServerProcess in_memory;
  const std::string address = "http://127.0.0.1:" + std::to_string(in_memory.port());
  in_memory.signal(SIGTERM);
  EXPECT_EQ(in_memory.wait_for_exit(), 0);
  EXPECT_EQ(in_memory.output(),
            "magneto " MAGNETO_VERSION " listening on " + address + ", in memory\n");
  EXPECT_EQ(in_memory.errors(), "");

  const TempDirectory directory;
  ServerProcess durable({"--data-dir", directory.file("data"), "--fsync", "--host", "localhost"});
  const std::string port = std::to_string(durable.port());
  durable.signal(SIGINT);
  EXPECT_EQ(durable.wait_for_exit(), 0);
  EXPECT_EQ(durable.output(), "magneto " MAGNETO_VERSION " listening on http://localhost:" + port +
                                  ", data in " + directory.file("data") +
                                  ", fsync on every write\n");
  EXPECT_EQ(durable.errors(), "");
}

TEST(Main, ReadsTheEnvironment) {
  ServerProcess server({}, {"MAGNETO_AUTH=off"});
  HttpClient client(server.port());
  const HttpReply reply = client.exchange(
      "POST / HTTP/1.1\r\nX-Amz-Target: DynamoDB_20120810.DescribeLimits\r\n"
      "Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{}");
  EXPECT_EQ(reply.status, 200) << reply.body;
}

TEST(Main, KeepsThePortFileWhileItRuns) {
  ServerProcess server;
  EXPECT_GT(server.port(), 0);
  EXPECT_TRUE(std::filesystem::exists(server.port_file()));
  server.signal(SIGTERM);
  EXPECT_EQ(server.wait_for_exit(), 0);
  EXPECT_FALSE(std::filesystem::exists(server.port_file()));
}

TEST(Main, RefusesAPortFileItCannotWrite) {
  expect_failed_start({"--port", "0", "--port-file", "/nonexistent/port"},
                      "cannot write the port file /nonexistent/port", "--port-file");
}

TEST(Main, RefusesABusyPort) {
  ServerProcess first;
  const std::string port = std::to_string(first.port());
  expect_failed_start({"--port", port}, "port " + port + " on 127.0.0.1 is already in use",
                      "choose another port with --port");
}

TEST(Main, RefusesAHostThatIsNotItsOwn) {
  expect_failed_start({"--port", "0", "--host", "192.0.2.1"},
                      "192.0.2.1 is not an address of this machine", "--host");
  expect_failed_start({"--port", "0", "--host", "no host"}, "cannot find the address of host",
                      "--host");
}

TEST(Main, LetsOneServerUseADataDirectory) {
  const TempDirectory directory;
  ServerProcess first({"--data-dir", directory.path()});
  EXPECT_GT(first.port(), 0);
  expect_failed_start({"--port", "0", "--data-dir", directory.path()},
                      "data directory " + directory.path() + " is in use", "--data-dir");
}

TEST(Main, RefusesADataDirectoryWithForeignFiles) {
  const TempDirectory directory;
  std::ofstream(directory.file("thesis.txt")) << "important";
  expect_failed_start({"--port", "0", "--data-dir", directory.path()},
                      "data directory " + directory.path(), "thesis.txt");
  expect_failed_start({"--port", "0", "--data-dir", directory.file("thesis.txt")},
                      "data directory " + directory.file("thesis.txt") + " is not a directory",
                      "--data-dir");
}

TEST(Main, RefusesADataDirectoryItCannotCreate) {
  expect_failed_start({"--port", "0", "--data-dir", "/proc/magneto"},
                      "cannot create data directory /proc/magneto", "--data-dir");
}

TEST(Main, EndsWithStatusTwoAfterAUsageError) {
  const Finished finished = run_server({"--bogus"});
  EXPECT_EQ(finished.status, 2);
  EXPECT_EQ(finished.output, "");
  EXPECT_EQ(finished.errors,
            "magneto: unknown argument --bogus (magneto --help lists the flags)\n");
  EXPECT_EQ(run_server({"--help"}).status, 0);
  EXPECT_EQ(run_server({"--version"}).output, "magneto " MAGNETO_VERSION "\n");
}

}  // namespace
}  // namespace magneto::server
