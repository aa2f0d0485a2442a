#include "server/main/store_access.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>

#include "tests/support/engines.h"

namespace magneto::server::main {
namespace {

std::string write_file(const storage::TempDirectory& directory, const std::string& text,
                       std::filesystem::perms mode) {
  std::string path = directory.file("password");
  std::ofstream(path) << text;
  std::filesystem::permissions(path, mode);
  return path;
}

constexpr auto kOwnerOnly = std::filesystem::perms::owner_read;

TEST(StoreAccess, ReadsTheFirstLineOfAPasswordFile) {
  const storage::TempDirectory directory;
  EXPECT_EQ(read_password(""), "");
  EXPECT_EQ(read_password(write_file(directory, "a b\nmore\n", kOwnerOnly)), "a b");
}

TEST(StoreAccess, RefusesPasswordFilesThatAreMissingEmptyOrOpenToOthers) {
  const storage::TempDirectory directory;
  EXPECT_THROW(read_password(directory.file("none")), std::runtime_error);
  EXPECT_THROW(read_password(directory.path()), std::runtime_error);
  EXPECT_THROW(read_password(write_file(directory, "", kOwnerOnly)), std::runtime_error);
  const storage::TempDirectory other;
  EXPECT_THROW(
      read_password(write_file(other, "a", kOwnerOnly | std::filesystem::perms::group_read)),
      std::runtime_error);
}

TEST(StoreAccess, ShowsUrlsWithoutTheirParameters) {
  EXPECT_EQ(without_parameters("postgres://a@h/b?host=/tmp"), "postgres://a@h/b");
  EXPECT_EQ(without_parameters("postgres://a@h/b"), "postgres://a@h/b");
}

TEST(StoreAccessDeathTest, EndsWithAnExitCodeOfItsOwn) {
  EXPECT_EXIT(end_without_store(), testing::ExitedWithCode(kExitStoreLost),
              "has taken over the store");
}

TEST(StoreAccess, AdvertisesAnAddressThatOthersCanReach) {
  Config config;
  config.host = "127.0.0.1";
  const http::ListenSocket socket(config.host, 0);
  const std::string port = ":" + std::to_string(socket.port());
  EXPECT_EQ(advertised_address(config, socket), "127.0.0.1" + port);
  for (const char* const wildcard : {"0.0.0.0", "::"}) {
    config.host = wildcard;
    const std::string address = advertised_address(config, socket);
    EXPECT_TRUE(address.ends_with(port)) << address;
    EXPECT_FALSE(address.starts_with(wildcard)) << address;
  }
  for (const std::string host : {"db-front-1", "10.0.0.1", "[::1]"}) {
    config.advertise_address = host;
    EXPECT_EQ(advertised_address(config, socket), host + port);
    config.advertise_address = host + ":80";  // also the port that a URL would imply
    EXPECT_EQ(advertised_address(config, socket), host + ":80");
  }
}

}  // namespace
}  // namespace magneto::server::main
