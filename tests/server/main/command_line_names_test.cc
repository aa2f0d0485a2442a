// Names that are misspelt: flags, commands and variables.
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "server/main/command_line.h"
#include "tests/server/main/command_line_case.h"

namespace magneto::server::main {
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
    expect_usage_error({given}, "unknown argument " + flag + "; did you mean " + meant + "?");
  }
  // No message suggests a flag for tests.
  expect_usage_error({"--held-memory"}, "unknown argument --held-memory");
  expect_usage_error({"-x"}, "unknown argument -x");
  expect_usage_error({"-V"}, "unknown argument -V; did you mean -v?");
  expect_usage_error({"-P", "1"}, "unknown argument -P; did you mean -p?");
  expect_usage_error({"-inMemry"}, "unknown argument -inMemry; did you mean -inMemory?");
  expect_usage_error({"-inMemory", "-shareDb"},
                     "DynamoDB Local has no option -shareDb; did you mean -sharedDb?");
}

// Even if there are other faults.
TEST(CommandLineNames, RefusesUnknownNamesFirst) {
  const EnvironmentVariable port("MAGNETO_PORT", "abc");
  const EnvironmentVariable unknown("MAGNETO_DATADIR", "/x");
  expect_usage_error({"--port", "abc", "--fsync", "--bogus"}, "unknown argument --bogus");
  expect_usage_error(
      {"--threads", "0"},
      "unknown environment variable MAGNETO_DATADIR; did you mean MAGNETO_DATA_DIR?");
}

TEST(CommandLineNames, RefusesWordsThatAreNoCommand) {
  expect_usage_error({"imprt", "--table", "x"}, "unknown command imprt; did you mean import?");
  expect_usage_error({"serve"},
                     "unknown command serve; the commands are copy, export, healthcheck, help, "
                     "import, mcp, replay, version, and without a command magneto starts a server");
  expect_usage_error({"--fsync", "import"},
                     "import is a command, and must come first: magneto import");
  expect_usage_error({"--help", "copy"}, "copy is a command, and must come first: magneto copy");
  expect_usage_error({"--fsync", "stray"}, "unknown argument stray");
}

TEST(CommandLineNames, RefusesUnknownVariables) {
  {
    const EnvironmentVariable unknown("MAGNETO_DATADIR", "/x");
    const char* const problem =
        "unknown environment variable MAGNETO_DATADIR; did you mean MAGNETO_DATA_DIR?";
    expect_usage_error({}, problem);
    expect_usage_error({"-inMemory"}, problem);
  }
  {
    const EnvironmentVariable unknown("MAGNETO_UNHEARD_OF", "");
    expect_usage_error({}, "unknown environment variable MAGNETO_UNHEARD_OF; unset it");
    for (const char* const flag : {"--help", "-h", "--version", "-v"}) {
      testing::internal::CaptureStdout();
      EXPECT_EQ(std::get<int>(parse_words({flag})), 0) << flag;
      testing::internal::GetCapturedStdout();
    }
  }
  // A service called magneto, in the variables that Kubernetes sets in pods.
  const EnvironmentVariable link("MAGNETO_PORT", "tcp://10.0.0.1:9000");
  const EnvironmentVariable host("MAGNETO_SERVICE_HOST", "10.0.0.1");
  EXPECT_EQ(accepted_config({}).port, 8000);
}

TEST(CommandLineNames, HelpAndVersionWinOverWrongValues) {
  const EnvironmentVariable port("MAGNETO_PORT", "abc");
  testing::internal::CaptureStdout();
  EXPECT_EQ(std::get<int>(parse_words({"--threads", "0", "--help"})), 0);
  EXPECT_NE(testing::internal::GetCapturedStdout().find("--threads NUMBER"), std::string::npos);
  testing::internal::CaptureStdout();
  EXPECT_EQ(std::get<int>(parse_words({"-v"})), 0);
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "magneto " MAGNETO_VERSION "\n");
}

TEST(CommandLineNames, HasShortNames) {
  EXPECT_EQ(accepted_config({"-p", "1234"}).port, 1234);
  // In a command of Java's it is a module path.
  EXPECT_EQ(accepted_config({"-p", "modules", "-jar", "DynamoDBLocal.jar", "-inMemory"}).port,
            8000);
}

}  // namespace
}  // namespace magneto::server::main
