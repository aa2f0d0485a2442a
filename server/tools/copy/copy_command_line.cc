#include "server/tools/copy/copy_command_line.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>

#include "api/json/json_reader.h"
#include "server/system/command_line_checks.h"
#include "server/system/command_line_reading.h"
#include "server/tools/copy/messages.h"

namespace magneto::server::tools {
namespace {

constexpr std::uint64_t kMaxSegments = 256;
constexpr double kMaxUnits = 1e9;

constexpr const char* kCopyExamples =
    "Examples:\n"
    "  magneto copy --from http://localhost:8000 --to-data-dir ./data\n"
    "  magneto copy --from aws:eu-west-1 --from-profile prod --to http://localhost:8000 --only 'shop-*' --verify\n"
    "  magneto copy --from http://old:8000 --to http://new:8000 --follow --until-caught-up --state copy.state";

// `side`: "from" or "to".
void declare_place(CLI::App& app, client::EndpointLocation& place, const std::string& side) {
  auto* const address = app.add_option("--" + side, place.options.address,
                                       "http://HOST:PORT, https://HOST, aws or aws:REGION")
                            ->type_name("URL");
  app.add_option("--" + side + "-data-dir", place.data_directory,
                 "Magneto's data directory, while no server has it open")
      ->excludes(address)
      ->type_name("DIR");
  app.add_option("--" + side + "-profile", place.options.profile,
                 "Profile of ~/.aws/credentials and ~/.aws/config")
      ->type_name("NAME");
  app.add_option("--" + side + "-region", place.options.region, "Region to sign for")
      ->type_name("NAME");
  app.add_option("--" + side + "-ca", place.options.ca_file,
                 "PEM file of certificates to trust besides the system's")
      ->type_name("FILE");
}

void declare_tables(CLI::App& app, CopyOptions& options) {
  app.add_option("--only", options.only,
                 "Tables whose names match this pattern, such as 'shop-*'; may be repeated")
      ->type_name("PATTERN")
      ->take_all();
  app.add_option("--filter", options.filter.expression,
                 "Copy only the items that match this FilterExpression")
      ->type_name("EXPRESSION");
  app.add_option("--filter-names", options.filter.names,
                 "Its ExpressionAttributeNames, such as {\"#y\":\"year\"}")
      ->type_name("JSON");
  app.add_option("--filter-values", options.filter.values,
                 "Its ExpressionAttributeValues, such as {\":y\":{\"N\":\"2000\"}}")
      ->type_name("JSON");
}

void declare_work(CLI::App& app, CopyCommandLine& command) {
  CopyOptions& options = command.options;
  app.add_option("--segments", options.segments, "Parts of a table to copy at the same time")
      ->check(system::whole_number(1, kMaxSegments))
      ->capture_default_str()
      ->type_name("NUMBER");
  app.add_option(
         "--read-limit", command.read_limit,
         "Read units per second to use at most, at each endpoint (default: no limit; 1000 for AWS)")
      ->check(system::quantity(0, kMaxUnits))
      ->type_name("UNITS");
  app.add_option("--write-limit", command.write_limit,
                 "Write units per second to use at most (default: no limit; 1000 for AWS)")
      ->check(system::quantity(0, kMaxUnits))
      ->type_name("UNITS");
  app.add_option("--state", options.state_file,
                 "File for the progress of the copy; the same command continues from it")
      ->type_name("FILE");
  app.add_flag("--dry-run", options.dry_run, "Print what would be done, and change nothing");
  app.add_flag("--verify", options.verify,
               "Read the target again at the end and compare; the exit status is 3 if it differs");
}

void declare_following(CLI::App& app, CopyOptions& options) {
  app.add_flag("--follow", options.follow,
               "Apply changes at the source during the copy and afterwards, until interrupted");
  app.add_flag("--until-caught-up", options.until_caught_up,
               "With --follow: end once all changes are applied");
  app.add_flag("--enable-stream", options.enable_stream,
               "With --follow: enable a stream for tables of the source that have none");
}

bool is_object_or_empty(std::string json) {
  api::json::Document document;
  return json.empty() || document.parse(json).value_or(api::json::Value()).is_object();
}

bool is_missing(const client::EndpointLocation& place) {
  return place.options.address.empty() && place.data_directory.empty();
}

std::string check_following(const CopyCommandLine& command) {
  const CopyOptions& options = command.options;
  if (!options.follow) {
    if (options.until_caught_up) return messages::kUntilWithoutFollow;
    if (options.enable_stream) return messages::kEnableWithoutFollow;
    return {};
  }
  if (!options.filter.expression.empty()) return messages::kFilterWithFollow;
  if (!command.from.data_directory.empty()) return messages::kFollowDirectory;
  if (options.verify && !options.until_caught_up) return messages::kVerifyEndless;
  return {};
}

// The error about flags that exclude or lack each other; empty if there is none.
std::string check(const CopyCommandLine& command) {
  const CopyOptions& options = command.options;
  if (is_missing(command.from)) return messages::kNoCopyEndpoint("--from");
  if (is_missing(command.to)) return messages::kNoCopyEndpoint("--to");
  if (!is_object_or_empty(options.filter.names)) {
    return messages::kNoJsonObject("--filter-names");
  }
  if (!is_object_or_empty(options.filter.values)) {
    return messages::kNoJsonObject("--filter-values");
  }
  const bool has_inputs = !options.filter.names.empty() || !options.filter.values.empty();
  if (options.filter.expression.empty() && has_inputs) return messages::kValuesWithoutFilter;
  return check_following(command);
}

}  // namespace

std::variant<CopyCommandLine, int> parse_copy_command_line(int argc, const char* const* argv) {
  CLI::App app("Copies tables with their items from one endpoint to another", "magneto copy");
  CopyCommandLine command;
  declare_place(app, command.from, "from");
  declare_place(app, command.to, "to");
  declare_tables(app, command.options);
  declare_work(app, command);
  declare_following(app, command.options);
  app.footer(kCopyExamples);
  if (const auto status = system::read_arguments(app, {argv + std::min(argc, 2), argv + argc})) {
    return *status;
  }
  const std::string problem = check(command);
  if (!problem.empty()) return system::report_usage(app, problem);
  return command;
}

}  // namespace magneto::server::tools
