#include <absl/cleanup/cleanup.h>

#include <array>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "api/control_error.h"
#include "server/admin/control_call.h"
#include "server/admin/control_members.h"
#include "server/admin/messages.h"
#include "server/bulk/operations.h"
#include "server/bulk/progress_line.h"
#include "server/client/endpoint/local_endpoint.h"
#include "server/client/signing/authorization.h"
#include "server/tools/copy/copy_run.h"
#include "server/tools/schema/node.h"
#include "server/tools/schema/schema_start.h"

namespace magneto::server::admin {
namespace {

namespace schema = tools::schema;
using Lines = std::vector<std::string>;

constexpr std::size_t kMostPatterns = 1'000;  // of tables to copy
constexpr std::string_view kUsualFile = "schema";

// The owner of the tables. Its views live as long as the request.
api::Caller read_owner(const ControlCall& call) {
  api::Caller caller;
  caller.profile = call.options.profile;
  caller.region = string_member(call.body, "region").value_or(caller.region);
  if (!client::is_region(caller.region)) throw api::ControlError(messages::kWrongRegion);
  caller.access_key = string_member(call.body, "access_key").value_or("");
  return caller;
}

std::map<std::string, std::string> read_parameters(const ControlCall& call) {
  std::map<std::string, std::string> parameters;
  const auto given = object_member(call.body, "parameters");
  if (!given) return parameters;
  for (const api::json::Member parameter : *given) {
    if (!parameter.value.is_string()) {
      throw api::ControlError(messages::kWrongKind("parameters", messages::kParameterTexts));
    }
    parameters[std::string(parameter.name)] = parameter.value.string();
  }
  return parameters;
}

void write_lines(std::string_view name, const Lines& lines, api::json::Writer& answer) {
  answer.key(name);
  answer.begin_array();
  for (const std::string& line : lines) answer.string(line);
  answer.end_array();
}

// The rehearsal has a namespace of its own, which nobody else sees for long.
void import_schema(ControlCall& call) {
  const auto space = call.space();
  const auto text = string_member(call.body, "text");
  if (!text) throw api::ControlError(messages::kMissingMember("text"));
  Lines warnings;
  const api::Caller caller = read_owner(call);
  schema::SchemaOptions options;
  options.parameters = read_parameters(call);
  options.by_region = call.options.isolation == api::Isolation::kRegion;
  options.text = {std::string(string_member(call.body, "file").value_or(kUsualFile)),
                  std::string(*text)};
  options.dry_run = boolean_member(call.body, "dry_run").value_or(false);
  const auto rehearsal = call.namespaces.create({});
  const absl::Cleanup remove = [&] { call.namespaces.remove_exactly(rehearsal->about()); };
  schema::SchemaTables tables;
  try {
    tables = schema::create_schema_tables(
        options, caller, rehearsal->service(), space->service(),
        {.warning = [&](std::string_view what) { warnings.emplace_back(what); },
         .progress = [](std::string_view) {}});
  } catch (const schema::SchemaError& error) {
    throw api::ControlError(error.what());
  } catch (const bulk::OperationFault& error) {
    throw api::ControlError(error.what(), 409);
  }
  call.answer.begin_object();
  write_lines("tables", tables.names, call.answer);
  call.answer.integer("made", static_cast<std::int64_t>(tables.made));
  call.answer.key("dry_run");
  call.answer.boolean(options.dry_run);
  write_lines("warnings", warnings, call.answer);
  call.answer.end_object();
}

std::unique_ptr<client::Endpoint> endpoint_of(const std::shared_ptr<api::Namespace>& space,
                                              const api::Caller& caller) {
  return std::make_unique<client::LocalEndpoint>(
      std::shared_ptr<api::Service>(space, &space->service()), space->name(),
      std::make_shared<client::KeptCaller>(caller));
}

void copy_tables(ControlCall& call) {
  const auto target = call.space();
  const auto from = string_member(call.body, "from");
  if (!from) throw api::ControlError(messages::kMissingMember("from"));
  const api::Caller caller = read_owner(call);
  const auto source = call.namespaces.get(*from);
  if (source->name() == target->name()) throw api::ControlError(messages::kCopyOfItself);
  tools::CopyOptions options;
  if (const auto tables = strings_member(call.body, "tables", kMostPatterns)) {
    if (tables->empty()) throw api::ControlError(messages::kNoTables);
    options.only.assign(tables->begin(), tables->end());
  }
  options.segments = 1;
  Lines lines;
  bulk::ProgressLine progress([&](std::string_view line) { lines.emplace_back(line); });
  const auto from_endpoint = endpoint_of(source, caller);
  const auto to_endpoint = endpoint_of(target, caller);
  const int status = tools::run_copy(options, *from_endpoint, *to_endpoint,
                                     target->service().stopping(), progress);
  if (status != tools::kCopyDone) {
    std::string sentence;
    for (const std::string& line : lines) sentence.append(sentence.empty() ? "" : " ").append(line);
    throw api::ControlError(sentence, 409);
  }
  call.answer.begin_object();
  write_lines("lines", lines, call.answer);
  call.answer.end_object();
}

constexpr std::string_view kSchemaMembers[] = {"text",    "file",   "parameters",
                                               "dry_run", "region", "access_key"};
constexpr std::string_view kCopyMembers[] = {"from", "tables", "region", "access_key"};
constexpr std::array kTableRoutes = {
    ControlRoute{
        http::Method::kPost, "namespaces/{}/schema", import_schema, kSchemaMembers, {}, true},
    ControlRoute{http::Method::kPost, "namespaces/{}/copy", copy_tables, kCopyMembers, {}, true},
};

}  // namespace

std::span<const ControlRoute> table_routes() { return kTableRoutes; }

}  // namespace magneto::server::admin
