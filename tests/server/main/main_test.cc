// The built binary as a whole: its start, its output and its end.
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

namespace magneto::server::main {
namespace {

using std::chrono::milliseconds;
using storage::TempDirectory;

// Checks the output of a start that cannot succeed.
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
  ServerProcess in_memory({"--no-control"});
  const std::string address = "http://localhost:" + std::to_string(in_memory.port());
  in_memory.signal(SIGTERM);
  EXPECT_EQ(in_memory.wait_for_exit(), 0);
  EXPECT_EQ(in_memory.output(),
            "magneto " MAGNETO_VERSION " listening on " + address + ", in memory\n");
  EXPECT_EQ(in_memory.errors(), "");

  const TempDirectory directory;
  ServerProcess durable({"--data-dir", directory.file("data"), "--fsync", "--host", "localhost",
                         "--control-token", "chosen"});
  const std::string port = std::to_string(durable.port());
  durable.signal(SIGINT);
  EXPECT_EQ(durable.wait_for_exit(), 0);
  EXPECT_EQ(durable.output(),
            "magneto " MAGNETO_VERSION " listening on http://localhost:" + port + ", data in " +
                directory.file("data") + ", fsync on every write\n" +
                "control at http://localhost:" + port + "/_/, with the token of --control-token\n");
  EXPECT_EQ(durable.errors(), "");
}

TEST(Main, ReadsTheEnvironment) {
  ServerProcess server({}, {"MAGNETO_AUTH=off"});
  HttpClient client(server.port());
  const HttpReply reply = client.exchange(
      "POST / HTTP/1.1\r\nHost: localhost\r\nX-Amz-Target: DynamoDB_20120810.DescribeLimits\r\n"
      "Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{}");
  EXPECT_EQ(reply.status, 200) << reply.body;
}

TEST(Main, WantsKeysThatItCanRead) {
  const TempDirectory directory;
  std::filesystem::create_directories(directory.path());
  const std::string file = directory.file("keys");
  const std::vector<std::string> arguments = {"--auth", "verify", "--credentials", file};
  expect_failed_start(arguments, "cannot read credentials from " + file,
                      "No such file or directory");
  std::ofstream(file) << "[a]\naws_access_key_id = key\naws_secret";
  expect_failed_start(arguments, file + ":3: ", "neither a [section] nor a property");
  std::ofstream(file) << "[a]\naws_access_key_id = key\naws_secret_access_key = secret\n";
  std::filesystem::permissions(file, std::filesystem::perms(0604));
  ServerProcess server(
      {"--auth", "verify", "--credentials", file, "--host", "0.0.0.0", "--no-metrics"});
  HttpClient client(server.port());
  const HttpReply reply = client.exchange(post_request("ListTables", "{}"));
  EXPECT_EQ(reply.status, 400);
  server.signal(SIGTERM);
  EXPECT_EQ(server.wait_for_exit(), 0);
  const std::string errors = server.errors();
  EXPECT_NE(errors.find("chmod 600 " + file), std::string::npos) << errors;
  EXPECT_EQ(errors.find("does not check credentials"), std::string::npos) << errors;
  EXPECT_EQ(errors.find('\n'), errors.size() - 1) << errors;
}

TEST(Main, WarnsThatOtherMachinesCanConnect) {
  ServerProcess open({"--host", "0.0.0.0"});
  HttpClient client(open.port());
  std::string request = post_request("ListTables", "{}");
  request.replace(request.find("Host: localhost"), 15, "Host: dynamodb");
  EXPECT_EQ(client.exchange(request).status, 200);
  open.signal(SIGTERM);
  EXPECT_EQ(open.wait_for_exit(), 0);
  const std::string errors = open.errors();
  EXPECT_NE(errors.find("other machines can reach 0.0.0.0:" + std::to_string(open.port())),
            std::string::npos)
      << errors;
  EXPECT_EQ(errors.find('\n'), errors.size() - 1) << errors;
  ServerProcess quiet({"--host", "0.0.0.0", "--log-level", "error"});
  EXPECT_GT(quiet.port(), 0);
  quiet.signal(SIGTERM);
  EXPECT_EQ(quiet.wait_for_exit(), 0);
  EXPECT_EQ(quiet.errors(), "");
}

TEST(Main, WarnsThatMetricsNeedNoSignature) {
  const TempDirectory directory;
  std::filesystem::create_directories(directory.path());
  const std::string file = directory.file("keys");
  std::ofstream(file) << "[a]\naws_access_key_id = key\naws_secret_access_key = secret\n";
  std::filesystem::permissions(file, std::filesystem::perms(0600));
  ServerProcess server({"--auth", "verify", "--credentials", file, "--host", "0.0.0.0"});
  HttpClient client(server.port());
  EXPECT_EQ(client.exchange("GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n").status, 200);
  server.signal(SIGTERM);
  EXPECT_EQ(server.wait_for_exit(), 0);
  const std::string errors = server.errors();
  EXPECT_NE(errors.find("--no-metrics removes it"), std::string::npos) << errors;
  EXPECT_EQ(errors.find('\n'), errors.size() - 1) << errors;
  ServerProcess here({"--auth", "verify", "--credentials", file});
  EXPECT_GT(here.port(), 0);
  here.signal(SIGTERM);
  EXPECT_EQ(here.wait_for_exit(), 0);
  EXPECT_EQ(here.errors(), "");
}

TEST(Main, OpensTheDoorAsItIsTold) {
  const std::string foreign_page =
      post_request("ListTables", "{}", "Origin: https://app.example\r\n");
  std::string foreign_name = post_request("ListTables", "{}");
  foreign_name.replace(foreign_name.find("Host: localhost"), 15, "Host: db.example");
  {
    ServerProcess server;
    HttpClient client(server.port());
    EXPECT_EQ(client.exchange(foreign_page).status, 403);
    EXPECT_EQ(client.exchange(foreign_name).status, 403);
    EXPECT_EQ(client.exchange(post_request("ListTables", "{}")).status, 200);
  }
  ServerProcess server({"--cors", "https://app.example"}, {"MAGNETO_ALLOWED_HOSTS=a, db.example"});
  HttpClient client(server.port());
  const HttpReply page = client.exchange(foreign_page);
  EXPECT_EQ(page.status, 200);
  EXPECT_EQ(page.headers.at("access-control-allow-origin"), "https://app.example");
  EXPECT_EQ(page.headers.at("vary"), "Origin");
  EXPECT_EQ(client.exchange(foreign_name).status, 200);
}

TEST(Main, KeepsThePortFileWhileItRuns) {
  ServerProcess server;
  EXPECT_GT(server.port(), 0);
  EXPECT_TRUE(std::filesystem::exists(server.port_file()));
  server.signal(SIGTERM);
  EXPECT_EQ(server.wait_for_exit(), 0);
  EXPECT_FALSE(std::filesystem::exists(server.port_file()));
}

mode_t mode_of(const std::string& path) {
  struct stat status = {};
  EXPECT_EQ(::lstat(path.c_str(), &status), 0) << path;
  return status.st_mode & 07777;
}

// Also in a folder that other users can write to.
TEST(Main, PutsThePortFileInThePlaceOfALink) {
  const TempDirectory directory;
  const std::string target = directory.file("target");
  const std::string link = directory.file("link");
  std::ofstream(target) << "important";
  std::filesystem::create_symlink(target, link);
  ServerProcess server({"--port-file", link});
  while (std::filesystem::is_symlink(link)) ::usleep(1000);
  std::string text;
  std::getline(std::ifstream(link), text);
  EXPECT_GT(std::stoi(text), 0);
  EXPECT_EQ(mode_of(link), 0644U);
  server.signal(SIGTERM);
  EXPECT_EQ(server.wait_for_exit(), 0);
  EXPECT_FALSE(std::filesystem::exists(std::filesystem::symlink_status(link)));
  std::getline(std::ifstream(target), text);
  EXPECT_EQ(text, "important");
  // No other file remains.
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(directory.path()), {}), 1);
}

TEST(Main, KeepsDataFromOtherUsers) {
  const TempDirectory directory;
  const std::string data = directory.file("parent/data/");
  ServerProcess server({"--data-dir", data});
  EXPECT_GT(server.port(), 0);
  EXPECT_EQ(mode_of(data), 0700U);
  std::size_t files = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(data)) {
    EXPECT_EQ(mode_of(entry.path()) & 077U, 0U) << entry.path();
    ++files;
  }
  EXPECT_GT(files, 5U);
  server.signal(SIGTERM);
  EXPECT_EQ(server.wait_for_exit(), 0);
  EXPECT_EQ(server.errors(), "");
}

TEST(Main, WarnsThatADataDirectoryIsOpenToOthers) {
  const TempDirectory directory;
  const std::string data = directory.file("data");
  std::filesystem::create_directory(data);
  ASSERT_EQ(::chmod(data.c_str(), 0755), 0);
  {
    // There is nothing to read in it yet.
    ServerProcess first({"--data-dir", data});
    EXPECT_GT(first.port(), 0);
    first.signal(SIGTERM);
    EXPECT_EQ(first.wait_for_exit(), 0);
    EXPECT_EQ(first.errors(), "");
  }
  for (const mode_t mode : {0705U, 0701U}) {
    ASSERT_EQ(::chmod(data.c_str(), mode), 0);
    ServerProcess server({"--data-dir", data});
    EXPECT_GT(server.port(), 0);
    server.signal(SIGTERM);
    EXPECT_EQ(server.wait_for_exit(), 0);
    EXPECT_NE(server.errors().find("other users can enter data directory " + data),
              std::string::npos)
        << server.errors();
    // The user decides about the mode of an existing folder.
    EXPECT_EQ(mode_of(data), mode);
  }
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

// A hang-up that comes with the end does not keep the server.
TEST(Main, EndsWhenBothSignalsComeAtOnce) {
  const TempDirectory directory;
  std::filesystem::create_directories(directory.path());
  for (int i = 0; i < 20; ++i) {
    ServerProcess server({"--access-log", directory.file("access.log")});
    EXPECT_GT(server.port(), 0);
    // The server is stopped meanwhile, so that it gets both signals in one batch.
    server.signal(SIGSTOP);
    server.signal(i % 2 == 0 ? SIGTERM : SIGHUP);
    server.signal(i % 2 == 0 ? SIGHUP : SIGTERM);
    server.signal(SIGCONT);
    ASSERT_EQ(server.wait_for_exit(), 0) << i;
  }
}

// There is no file to open again.
TEST(Main, IgnoresHangUpsWithoutAnAccessLogInAFile) {
  for (const std::vector<std::string>& arguments :
       {std::vector<std::string>{}, std::vector<std::string>{"--access-log", "-"}}) {
    ServerProcess server(arguments);
    HttpClient client(server.port());
    for (int i = 0; i < 3; ++i) {
      server.signal(SIGHUP);
      EXPECT_EQ(client.exchange(post_request("ListTables", "{}")).status, 200);
    }
    server.signal(SIGTERM);
    EXPECT_EQ(server.wait_for_exit(), 0);
  }
}

TEST(Main, WarnsOfRequestsThatLackWhatMakesThemACall) {
  ServerProcess server;
  HttpClient client(server.port());
  // curl -d '{}'
  EXPECT_EQ(client
                .exchange("POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: "
                          "application/x-www-form-urlencoded\r\nContent-Length: 2\r\n\r\n{}")
                .status,
            404);
  server.signal(SIGTERM);
  EXPECT_EQ(server.wait_for_exit(), 0);
  const std::string errors = server.errors();
  EXPECT_NE(errors.find("warning a POST is not a DynamoDB request"), std::string::npos) << errors;
  EXPECT_NE(errors.find("X-Amz-Target"), std::string::npos) << errors;
  EXPECT_EQ(errors.find('\n'), errors.size() - 1) << errors;
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

TEST(Main, RefusesAnUnknownVariable) {
  const Finished finished = run_server({"--port", "0"}, {"MAGNETO_DATADIR=/nonexistent"});
  EXPECT_EQ(finished.status, 2);
  EXPECT_EQ(finished.output, "");
  EXPECT_EQ(finished.errors,
            "magneto: unknown environment variable MAGNETO_DATADIR; did you mean MAGNETO_DATA_DIR? "
            "(magneto --help lists the flags)\n");
}

TEST(Main, HelpAndVersionAreCommandsToo) {
  EXPECT_EQ(run_server({"version"}).output, "magneto " MAGNETO_VERSION "\n");
  const Finished help = run_server({"help"});
  EXPECT_EQ(help.status, 0);
  EXPECT_EQ(help.output, run_server({"--help"}).output);
  const Finished help_of_copy = run_server({"help", "copy"});
  EXPECT_EQ(help_of_copy.status, 0);
  EXPECT_EQ(help_of_copy.output, run_server({"copy", "--help"}).output);
  const Finished unknown = run_server({"help", "cpoy"});
  EXPECT_EQ(unknown.status, 2);
  EXPECT_EQ(unknown.errors,
            "magneto: unknown command cpoy; did you mean copy? (magneto --help lists the flags)\n");
}

}  // namespace
}  // namespace magneto::server::main
