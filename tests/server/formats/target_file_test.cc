#include "server/formats/target_file.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>

#include "tests/support/engines.h"

namespace magneto::server::formats {
namespace {

std::string slurp_target(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST(TargetFile, IsWrittenByOneAtATime) {
  const storage::TempDirectory directory;
  const std::string path = directory.file("f");
  std::optional<TargetFile> first(std::in_place, path, false);
  first->append("first");
  EXPECT_THROW(TargetFile(path, true), TransferFileError);
  EXPECT_TRUE(std::filesystem::exists(path + ".part"));
  first->keep();
  EXPECT_EQ(slurp_target(path), "first");
  TargetFile second(path, true);
  first.reset();
  EXPECT_TRUE(std::filesystem::exists(path + ".part"));
  second.append("second");
  second.keep();
  EXPECT_EQ(slurp_target(path), "second");
  EXPECT_FALSE(std::filesystem::exists(path + ".part"));
}

TEST(TargetFile, ReplacesWhatAKilledProcessLeft) {
  const storage::TempDirectory directory;
  const std::string path = directory.file("f");
  std::ofstream(path + ".part") << "a longer rest";
  { const TargetFile unkept(path, false); }
  EXPECT_FALSE(std::filesystem::exists(path + ".part"));
  std::ofstream(path + ".part") << "a longer rest";
  TargetFile file(path, false);
  file.append("x");
  file.keep();
  EXPECT_EQ(slurp_target(path), "x");
}

}  // namespace
}  // namespace magneto::server::formats
