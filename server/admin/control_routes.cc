#include <poll.h>

#include <array>
#include <string>

#include "api/control_error.h"
#include "server/admin/control_call.h"
#include "server/admin/messages.h"
#include "server/client/signing/authorization.h"

namespace magneto::server::admin {
namespace {

using Routes = std::span<const ControlRoute> (*)();
// The only list of all routes.
constexpr std::array<Routes, 11> kRoutes = {namespace_routes,   state_routes,   snapshot_routes,
                                            clock_routes,       fault_routes,   journal_routes,
                                            consistency_routes, default_routes, insights_routes,
                                            server_routes,      table_routes};

std::string_view name_of(http::Method method) {
  switch (method) {
    case http::Method::kGet:
      return "GET";
    case http::Method::kPost:
      return "POST";
    case http::Method::kPut:
      return "PUT";
    case http::Method::kDelete:
      return "DELETE";
    default:
      return {};
  }
}

std::string_view take_part(std::string_view& path) {
  const std::string_view part = path.substr(0, path.find('/'));
  path.remove_prefix(std::min(path.size(), part.size() + 1));
  return part;
}

// A path for a person to read: "/_/namespaces/NAME/clock".
std::string path_text(std::string_view pattern) {
  std::string path = "/_";
  while (!pattern.empty()) {
    const std::string_view part = take_part(pattern);
    path.append("/").append(part == "{}" ? "NAME" : part);
  }
  return path;
}

// Returns each path once, in the order of the routes.
std::string known_paths() {
  std::vector<std::string> paths;
  for (const Routes routes : kRoutes) {
    for (const ControlRoute& route : routes()) {
      std::string path = path_text(route.pattern);
      if (std::ranges::find(paths, path) == paths.end()) paths.push_back(std::move(path));
    }
  }
  std::string names;
  for (const std::string& path : paths) names.append(names.empty() ? "" : ", ").append(path);
  return names;
}

bool matches(std::string_view pattern, std::string_view path,
             std::vector<std::string_view>& names) {
  names.clear();
  if (path.ends_with('/')) return false;
  while (!pattern.empty() && !path.empty()) {
    const std::string_view wanted = take_part(pattern);
    const std::string_view part = take_part(path);
    if (wanted != "{}" && wanted != part) return false;
    if (wanted == "{}") names.push_back(part);
  }
  return pattern.empty() && path.empty();
}

}  // namespace

const ControlRoute& find_control_route(http::Method method, std::string_view path,
                                       std::vector<std::string_view>& names) {
  // HEAD is answered like GET, without the body.
  if (method == http::Method::kHead) method = http::Method::kGet;
  std::string methods;
  for (const Routes routes : kRoutes) {
    for (const ControlRoute& route : routes()) {
      if (!matches(route.pattern, path, names)) continue;
      if (route.method == method) return route;
      methods.append(methods.empty() ? "" : ", ").append(name_of(route.method));
    }
  }
  if (methods.empty()) throw api::ControlError(messages::kNoSuchPath(known_paths()), 404);
  throw api::ControlError(messages::kNotThisMethod(methods), 405);
}

const ControlRoute& control_route(http::Method method, std::string_view pattern) {
  for (const Routes routes : kRoutes) {
    for (const ControlRoute& route : routes()) {
      if (route.method == method && route.pattern == pattern) return route;
    }
  }
  throw api::ControlError(messages::kNoSuchPath(known_paths()), 404);
}

bool ControlCall::has_left() const {
  pollfd connection{descriptor, POLLRDHUP, 0};
  return descriptor >= 0 && ::poll(&connection, 1, 0) > 0;
}

std::optional<std::string> ControlCall::query(std::string_view name) const {
  const auto found = client::find_query_parameter(uri, name);
  return found ? std::optional(client::unescape(*found)) : std::nullopt;
}

}  // namespace magneto::server::admin
