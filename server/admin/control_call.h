#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "api/json/json_reader.h"
#include "api/json/json_writer.h"
#include "api/namespaces/namespace_state.h"
#include "api/namespaces/namespaces.h"
#include "server/admin/control_options.h"
#include "server/admin/controlled_server.h"
#include "server/http/message/http_request.h"

namespace magneto::server::admin {

class DefaultSettings;

// The data for the handler of a route: one request with a checked sender, body and query. The
// handler writes the answer, one JSON object, or throws api::ControlError or api::NamespaceError;
// then its output is discarded. It runs on a worker that may wait.
struct ControlCall {
  api::Namespaces& namespaces;
  api::NamespaceState& state;
  const ControlOptions& options;
  ControlledServer& server;
  DefaultSettings& defaults;
  std::vector<std::string_view> names;  // of the path, for each {} of the pattern
  api::json::Object body;
  std::string_view uri;
  api::json::Writer& answer;
  int descriptor = -1;  // of the client's connection
  int status = 200;
  std::string text = {};  // the whole answer instead of `answer`, if not empty
  std::string_view text_type = "application/x-ndjson";  // its content type, a constant

  // The namespace that the path names first. Throws NamespaceError.
  std::shared_ptr<api::Namespace> space() const { return namespaces.get(names.at(0)); }
  // Whether the client does not wait for the answer any more.
  bool has_left() const;
  // A parameter of the query, without its percent escapes.
  std::optional<std::string> query(std::string_view name) const;
};

// The handler of one method for the paths of one pattern.
struct ControlRoute {
  http::Method method;
  std::string_view pattern;  // after "/_/"; {} stands for any one part: "namespaces/{}/clock"
  void (*handle)(ControlCall& call);
  std::span<const std::string_view> members = {};  // allowed in the body
  std::span<const std::string_view> queries = {};  // allowed in the query
  bool needs_store_alone = false;                  // refused where several servers share the store
};

// One list for each file of handlers; control_routes.cc joins them.
std::span<const ControlRoute> namespace_routes();
std::span<const ControlRoute> state_routes();
std::span<const ControlRoute> snapshot_routes();
std::span<const ControlRoute> clock_routes();
std::span<const ControlRoute> fault_routes();
std::span<const ControlRoute> journal_routes();
std::span<const ControlRoute> consistency_routes();
std::span<const ControlRoute> default_routes();
std::span<const ControlRoute> insights_routes();
std::span<const ControlRoute> server_routes();
std::span<const ControlRoute> table_routes();

// Finds the route of a path: the part after "/_/" and before the query. Throws ControlError: 404,
// 405.
const ControlRoute& find_control_route(http::Method method, std::string_view path,
                                       std::vector<std::string_view>& names);

// The route with exactly this pattern, which exists.
const ControlRoute& control_route(http::Method method, std::string_view pattern);

}  // namespace magneto::server::admin
