#include "server/main/given_flags.h"

#include <gtest/gtest.h>

#include <array>

namespace magneto::server::main {
namespace {

constexpr std::array<const char*, 1> kNoVariables = {nullptr};

TEST(GivenFlagsTest, HasFlagsOfTheCommandLine) {
  const GivenFlags given({"--fsync", "--host=::", "--data-dir", "./data"}, kNoVariables.data());
  EXPECT_TRUE(given.has("--fsync"));
  EXPECT_TRUE(given.has("--host"));
  EXPECT_TRUE(given.has("--data-dir"));
  EXPECT_FALSE(given.has("--data"));
  EXPECT_FALSE(given.has("-p,--port"));
}

TEST(GivenFlagsTest, KnowsBothFormsOfAFlag) {
  EXPECT_TRUE(GivenFlags({"-p", "1"}, kNoVariables.data()).has("-p,--port"));
  EXPECT_TRUE(GivenFlags({"--port", "1"}, kNoVariables.data()).has("-p,--port"));
}

TEST(GivenFlagsTest, HasFlagsOfVariablesEvenOfEmptyOnes) {
  constexpr std::array<const char*, 4> kVariables = {"MAGNETO_DATA_DIR=", "MAGNETO_PORT=1",
                                                     "FSYNC=true", nullptr};
  const GivenFlags given({}, kVariables.data());
  EXPECT_TRUE(given.has("--data-dir"));
  EXPECT_TRUE(given.has("-p,--port"));
  EXPECT_FALSE(given.has("--fsync"));
}

}  // namespace
}  // namespace magneto::server::main
