#include "server/main/dynamodb_local_defaults.h"

#include <chrono>
#include <string>
#include <string_view>

namespace magneto::server::main {
namespace {

// A folder inside that of DynamoDB Local's files, so that the user can go back to DynamoDB Local.
constexpr std::string_view kOwnFolder = "magneto";
constexpr std::chrono::milliseconds kTransientStatuses{1000};

}  // namespace

void apply_local_defaults(const IsGiven& is_given, Config& config) {
  if (!is_given("--isolate")) config.isolation = api::Isolation::kCredentials;
  if (!is_given("--host")) config.host = "::";
  if (!is_given("--partitions")) config.partitions = 1;
}

void apply_local_arguments(const DynamoDbLocalArguments& arguments, const IsGiven& is_given,
                           Config& config) {
  if (arguments.shared && !is_given("--isolate")) config.isolation = api::Isolation::kNone;
  if (!arguments.in_memory && !is_given("--data-dir")) {
    config.dynamodb_local_folder = arguments.folder;
    config.data_directory = arguments.folder + "/" + std::string(kOwnFolder);
  }
  if (arguments.delays_transient_statuses && !is_given("--control-plane-delay-ms")) {
    config.control_plane_delay = kTransientStatuses;
    config.delays_whole_tables = false;
  }
}

}  // namespace magneto::server::main
