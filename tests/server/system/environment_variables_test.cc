#include "server/system/environment_variables.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace magneto::server::system {
namespace {

std::string problem_with(std::vector<const char*> entries) {
  entries.push_back(nullptr);
  const std::vector<std::string> known = {"MAGNETO_PORT", "MAGNETO_DATA_DIR", "MAGNETO_FSYNC"};
  return unknown_variable_problem(entries.data(), known);
}

TEST(EnvironmentVariables, AreCalledAfterFlags) {
  EXPECT_EQ(variable_of("--data-dir"), "MAGNETO_DATA_DIR");
  EXPECT_EQ(variable_of("--port"), "MAGNETO_PORT");
}

TEST(EnvironmentVariables, OfFlagsAndOfOthersAreTaken) {
  EXPECT_EQ(problem_with({}), "");
  EXPECT_EQ(
      problem_with({"MAGNETO_PORT=1", "MAGNETO_FSYNC=", "HOME=/root", "magneto_port=2",
                    "MAGNETOX=3", "MAGNETO_ENDPOINT=http://localhost:8000", "MAGNETO_VERSION=1.0"}),
      "");
}

TEST(EnvironmentVariables, UnknownOnesAreNamedWithTheNearest) {
  EXPECT_EQ(problem_with({"MAGNETO_PORT=1", "MAGNETO_DATADIR=/x"}),
            "unknown environment variable MAGNETO_DATADIR; did you mean MAGNETO_DATA_DIR?");
  EXPECT_EQ(problem_with({"MAGNETO_SYNC=true"}),
            "unknown environment variable MAGNETO_SYNC; did you mean MAGNETO_FSYNC?");
  // The alphabetically first one, in any order.
  EXPECT_EQ(problem_with({"MAGNETO_ZEBRA", "MAGNETO_QUAGGA=1"}),
            "unknown environment variable MAGNETO_QUAGGA; unset it");
  EXPECT_EQ(problem_with({"MAGNETO_=1"}), "unknown environment variable MAGNETO_; unset it");
}

// Kubernetes, "Service", environment variables; Docker, "Legacy container links".
TEST(EnvironmentVariables, OfServicesAreTaken) {
  EXPECT_EQ(
      problem_with({"MAGNETO_SERVICE_HOST=10.0.0.1", "MAGNETO_SERVICE_PORT=8000",
                    "MAGNETO_SERVICE_PORT_HTTP=8000", "MAGNETO_PORT=tcp://10.0.0.1:8000",
                    "MAGNETO_PORT_8000_TCP=tcp://10.0.0.1:8000", "MAGNETO_PORT_8000_TCP_PROTO=tcp",
                    "MAGNETO_PORT_8000_TCP_PORT=8000", "MAGNETO_PORT_8000_TCP_ADDR=10.0.0.1",
                    "MAGNETO_PORT_53_UDP_ADDR=10.0.0.1", "MAGNETO_DB_SERVICE_HOST=10.0.0.1",
                    "MAGNETO_DB_PORT=tcp://10.0.0.1:8000", "MAGNETO_DB_PORT_8000_TCP_ADDR=10.0.0.1",
                    "MAGNETO_NAME=/web/magneto", "MAGNETO_ENV_PATH=/bin"}),
      "");
  EXPECT_NE(problem_with({"MAGNETO_DB_PORT=8000"}), "");
  EXPECT_NE(problem_with({"MAGNETO_PORT_FILES=x"}), "");
  EXPECT_NE(problem_with({"MAGNETO_PORT_8000_TCPX=x"}), "");
  EXPECT_NE(problem_with({"MAGNETO_PORT__TCP=x"}), "");
  EXPECT_NE(problem_with({"MAGNETO_NAME=mine"}), "");
  EXPECT_TRUE(is_service_link("tcp://10.0.0.1:8000"));
  EXPECT_FALSE(is_service_link("8000"));
}

}  // namespace
}  // namespace magneto::server::system
