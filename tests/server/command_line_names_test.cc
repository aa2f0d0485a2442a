// Names that are misspelt: flags, commands and variables.
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "server/command_line.h"
#include "tests/server/command_line_case.h"

namespace magneto::server {
namespace {

TEST(CommandLineNames, NamesTheNearestFlag) {
  for (const auto& [given, meant] :
       std::vector<std::pair<const char*, const char*>>{{"--prot", "--port"},
                                                        {"--prot=8000", "--port"},
                                                        {"--Port", "--port"},
                                                        {"-port-file", "--port-file"},
                                                        {"--data_dir", "--data-dir"},
                                                        {"--dataDir=x", "--data-dir"},
                                                        {"--memory-limit", "--memory-limit-mb"},
                                                        {"--tls-self-singed", "--tls-self-signed"},
                                                        {"--isolation", "--isolate"}}) {
    const std::string flag = std::string(given).substr(0, std::string(given).find('='));
    expect_refused({given}, "unknown argument " + flag + "; did you mean " + meant + "?");
  }
  // A flag for tests is named to nobody.
  expect_refused({"--held-memory"}, "unknown argument --held-memory");
  expect_refused({"-x"}, "unknown argument -x");
}

// Whatever else is wrong.
TEST(CommandLineNames, RefusesUnknownNamesFirst) {
  const Environment port("MAGNETO_PORT", "abc");
  const Environment unknown("MAGNETO_DATADIR", "/x");
  expect_refused({"--port", "abc", "--fsync", "--bogus"}, "unknown argument --bogus");
  expect_refused({"--threads", "0"},
                 "unknown environment variable MAGNETO_DATADIR; did you mean MAGNETO_DATA_DIR?");
}

TEST(CommandLineNames, RefusesWordsThatAreNoCommand) {
  expect_refused({"imprt", "--table", "x"}, "unknown command imprt; did you mean import?");
  expect_refused({"serve"},
                 "unknown command serve; there are copy, export, healthcheck, help, import, "
                 "replay, version, and without a command magneto serves");
}

TEST(CommandLineNames, RefusesUnknownVariables) {
  {
    const Environment unknown("MAGNETO_DATADIR", "/x");
    const char* const problem =
        "unknown environment variable MAGNETO_DATADIR; did you mean MAGNETO_DATA_DIR?";
    expect_refused({}, problem);
    expect_refused({"-inMemory"}, problem);
  }
  {
    const Environment unknown("MAGNETO_UNHEARD_OF", "");
    expect_refused({}, "unknown environment variable MAGNETO_UNHEARD_OF; unset it");
    for (const char* const flag : {"--help", "-h", "--version", "-v"}) {
      testing::internal::CaptureStdout();
      EXPECT_EQ(std::get<int>(parse({flag})), 0) << flag;
      testing::internal::GetCapturedStdout();
    }
  }
  // A service called magneto, as Kubernetes tells its pods of it.
  const Environment link("MAGNETO_PORT", "tcp://10.0.0.1:9000");
  const Environment host("MAGNETO_SERVICE_HOST", "10.0.0.1");
  EXPECT_EQ(accepted({}).port, 8000);
}

TEST(CommandLineNames, HelpAndVersionWinOverWrongValues) {
  const Environment port("MAGNETO_PORT", "abc");
  testing::internal::CaptureStdout();
  EXPECT_EQ(std::get<int>(parse({"--threads", "0", "--help"})), 0);
  EXPECT_NE(testing::internal::GetCapturedStdout().find("--threads NUMBER"), std::string::npos);
  testing::internal::CaptureStdout();
  EXPECT_EQ(std::get<int>(parse({"-v"})), 0);
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "magneto " MAGNETO_VERSION "\n");
}

TEST(CommandLineNames, HasShortNames) {
  EXPECT_EQ(accepted({"-p", "1234"}).port, 1234);
  // In a command of Java's it is a module path.
  EXPECT_EQ(accepted({"-p", "modules", "-jar", "DynamoDBLocal.jar", "-inMemory"}).port, 8000);
}

}  // namespace
}  // namespace magneto::server
