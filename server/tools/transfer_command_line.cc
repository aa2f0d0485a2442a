#include "server/tools/transfer_command_line.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>

#include "server/client/endpoint/endpoint_url.h"
#include "server/system/command_line_checks.h"
#include "server/system/command_line_messages.h"
#include "server/system/command_line_reading.h"
#include "server/tools/messages.h"
#include "storage/engine/processors.h"

namespace magneto::server::tools {
namespace {

// For an endpoint on another machine, since workers wait for its answers.
constexpr std::size_t kRemoteWorkers = 8;
// For a server on this machine. One worker would leave the server idle while it makes a request.
constexpr std::size_t kFewestBesideServer = 2;
constexpr std::uint64_t kMaxWorkers = 256;
constexpr std::uint64_t kMostErrors = std::numeric_limits<std::uint64_t>::max();

constexpr const char* kImportExamples =
    "Examples:\n"
    "  magneto import --to http://localhost:8000 --table Orders orders.json\n"
    "  magneto import --to http://localhost:8000 --table Orders --format csv --types pk:S,n:N orders.csv.gz\n"
    "  aws dynamodb scan --table-name Orders | magneto import --to http://localhost:8000 --table Orders -\n"
    "  magneto import --data-dir ./data --table Orders --create-from table.json --format aws ./export";
constexpr const char* kExportExamples =
    "Examples:\n"
    "  magneto export --from http://localhost:8000 --table Orders --out orders.json.gz\n"
    "  magneto export --from aws:eu-west-1 --profile prod --table Orders --format csv --out orders.csv\n"
    "  magneto export --data-dir ./data --table Orders --format json-plain --out -";

using Formats = std::map<std::string, formats::Format>;
const Formats& formats() {
  static const Formats names = {{"json-typed", formats::Format::kTypedJson},
                                {"json-plain", formats::Format::kPlainJson},
                                {"csv", formats::Format::kCsv},
                                {"aws", formats::Format::kAws}};
  return names;
}

std::string format_names() {
  std::string names;
  for (const auto& [name, format] : formats()) names += (names.empty() ? "" : ", ") + name;
  return names;
}

// The arguments of both commands.
struct Arguments {
  std::string table;
  std::string format = "json-typed";
  client::EndpointLocation place;
  std::size_t workers = 0;  // 0: the default for the kind of endpoint
  ImportOptions imported;
  ExportOptions exported;
};

CLI::Validator one_of_formats() {
  const auto check = [](const std::string& text) {
    if (formats().count(text) > 0) return std::string();
    if (text == "json") return messages::kWhichJson(format_names());
    return system::messages::kNotOneOf(format_names(), text);
  };
  return {check, {}};
}

void declare_shared(CLI::App& app, Arguments& arguments, const std::string& address_flag) {
  app.add_option("--table", arguments.table, "Name of the table")->required()->type_name("NAME");
  app.add_option(
         "--format", arguments.format,
         "json-typed: DynamoDB's JSON, {\"a\":{\"S\":\"x\"}} for each item; json-plain: {\"a\":\"x\"}; csv: columns with types; aws: a folder in the layout of an export to S3")
      ->check(one_of_formats())
      ->capture_default_str()
      ->type_name("FORMAT");
  auto* const address = app.add_option(address_flag, arguments.place.options.address,
                                       "http://HOST:PORT, https://HOST, aws or aws:REGION")
                            ->type_name("URL");
  app.add_option("--data-dir", arguments.place.data_directory,
                 "Magneto's data directory, while no server has it open")
      ->excludes(address)
      ->type_name("DIR");
  app.add_option("--profile", arguments.place.options.profile,
                 "Profile of ~/.aws/credentials and ~/.aws/config")
      ->type_name("NAME");
  app.add_option("--region", arguments.place.options.region, "Region to sign for")
      ->type_name("NAME");
  app.add_option("--ca", arguments.place.options.ca_file,
                 "PEM file of certificates to trust besides the system's")
      ->type_name("FILE");
  app.add_option("--workers", arguments.workers,
                 "Requests at the same time (default: 8; on this machine one for each processor)")
      ->check(system::whole_number(1, kMaxWorkers))
      ->type_name("NUMBER");
}

void declare_import(CLI::App& app, Arguments& arguments) {
  declare_shared(app, arguments, "--to");
  ImportOptions& options = arguments.imported;
  app.add_option("--types", options.types,
                 "With csv: types of columns whose names have none, such as pk:S,n:N")
      ->type_name("LIST");
  app.add_option("--create-from", options.create_from,
                 "If there is no such table, create it from this answer of DescribeTable")
      ->type_name("FILE");
  app.add_option("--max-errors", options.max_errors,
                 "Bad records to skip; one more ends the import")
      ->check(system::whole_number(0, kMostErrors))
      ->capture_default_str()
      ->type_name("NUMBER");
  app.add_option("--errors", options.errors_file,
                 "File for the skipped records, each with its position")
      ->type_name("FILE");
  app.add_option(
         "files", options.files,
         "Files, also compressed with gzip or zstd, or folders with aws; - is standard input. JSON can be one item a line, an array, {\"Items\": [...]} as aws dynamodb scan prints it, or pretty-printed")
      ->required()
      ->type_name("FILE");
}

void declare_export(CLI::App& app, Arguments& arguments) {
  declare_shared(app, arguments, "--from");
  ExportOptions& options = arguments.exported;
  app.add_option(
         "--out", options.out,
         "File to write, compressed when it ends in .gz, or with aws a folder; - is standard output")
      ->required()
      ->type_name("FILE");
  app.add_flag("--force", options.force, "Replace the file if there is one");
  app.add_flag("--consistent-read", options.consistent, "Read with ConsistentRead");
}

bool names_a_stream(const Arguments& arguments) {
  const std::vector<std::string>& files = arguments.imported.files;
  return arguments.exported.out == "-" || std::ranges::find(files, "-") != files.end();
}

// A server on this machine shares its processors with the workers. More workers than processors
// only make each request wait longer, those of other clients too.
std::size_t default_workers(const client::EndpointLocation& place) {
  const std::size_t processors = storage::processor_count();
  if (!place.data_directory.empty()) return processors;
  const auto url = client::parse_endpoint_url(place.options.address);
  if (!url || !url->is_loopback()) return kRemoteWorkers;
  return std::clamp(processors, kFewestBesideServer, kRemoteWorkers);
}

}  // namespace

std::variant<TransferOptions, int> parse_transfer_command_line(int argc, const char* const* argv) {
  const std::string name = argc > 1 ? argv[1] : "";
  const bool imports = name == "import";
  CLI::App app(
      imports ? "Puts the items of files into a table" : "Writes the items of a table into a file",
      "magneto " + name);
  Arguments arguments;
  imports ? declare_import(app, arguments) : declare_export(app, arguments);
  app.footer(imports ? kImportExamples : kExportExamples);
  if (const auto status = system::read_arguments(app, {argv + std::min(argc, 2), argv + argc})) {
    return *status;
  }
  const bool local = !arguments.place.data_directory.empty();
  if (!local && arguments.place.options.address.empty()) {
    return system::report_usage(app, messages::kNoEndpoint(imports ? "--to" : "--from"));
  }
  if (arguments.format == "aws" && names_a_stream(arguments)) {
    return system::report_usage(app, messages::kFolderNeeded);
  }
  if (arguments.format == "aws" && arguments.exported.force) {
    return system::report_usage(app, messages::kNoFolderReplaced);
  }
  if (arguments.workers == 0) arguments.workers = default_workers(arguments.place);
  TransferOptions options{.command{}, .place = std::move(arguments.place)};
  const auto complete = [&](auto command) {
    command.table = arguments.table;
    command.format = formats().at(arguments.format);
    command.workers = arguments.workers;
    options.command = std::move(command);
  };
  imports ? complete(arguments.imported) : complete(arguments.exported);
  return options;
}

}  // namespace magneto::server::tools
