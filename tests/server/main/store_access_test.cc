#include "server/main/store_access.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <stdexcept>

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

}  // namespace
}  // namespace magneto::server::main
