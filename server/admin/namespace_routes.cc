#include <array>
#include <chrono>
#include <utility>

#include "api/control_error.h"
#include "server/admin/control_call.h"
#include "server/admin/control_members.h"
#include "server/admin/default_settings.h"
#include "server/admin/messages.h"
#include "server/admin/namespace_json.h"

namespace magneto::server::admin {
namespace {

using api::NamespaceOrigin;
using Names = std::string_view[];

constexpr std::chrono::milliseconds kShortestLife{1};
constexpr std::chrono::hours kLongestLife{365 * 24};

NamespaceOrigin read_origin(api::json::Object body) {
  static constexpr Names kMembers = {"namespace", "snapshot"};
  const auto from = object_member(body, "from");
  if (!from) return {};
  check_members(*from, kMembers);
  const auto space = string_member(*from, "namespace");
  const auto snapshot = string_member(*from, "snapshot");
  if (space.has_value() == snapshot.has_value()) {
    throw api::ControlError(messages::kOneOrigin);
  }
  if (space) return {NamespaceOrigin::Kind::kNamespace, std::string(*space)};
  return {NamespaceOrigin::Kind::kSnapshot, std::string(*snapshot)};
}

// Returns nullopt if the namespace gets no port of its own; 0 for any port.
std::optional<std::uint16_t> read_port(api::json::Object body) {
  const api::json::Value port = body.find("port");
  if (!port) return std::nullopt;
  if (port.type() == api::json::Type::kBoolean) {
    return port.boolean() ? std::optional<std::uint16_t>(0) : std::nullopt;
  }
  if (port.type() != api::json::Type::kNumber) {
    throw api::ControlError(messages::kWrongKind("port", messages::kAPort));
  }
  return static_cast<std::uint16_t>(integer_member(body, "port", 1, 65535).value_or(0));
}

void list_namespaces(ControlCall& call) {
  call.answer.begin_object();
  call.answer.key("namespaces");
  call.answer.begin_array();
  for (const auto& space : call.namespaces.list()) write_namespace(*space, call);
  call.answer.end_array();
  call.answer.end_object();
}

void create_namespace(ControlCall& call) {
  api::NewNamespace wanted;
  if (const auto name = string_member(call.body, "name")) {
    wanted.name = *name;
    // Only a missing name is invented; an empty one is refused.
    if (name->empty()) call.namespaces.get(*name);
  }
  wanted.origin = read_origin(call.body);
  const std::optional<std::uint16_t> port = read_port(call.body);
  if (const auto life = duration_member(call.body, "expires_after", kShortestLife, kLongestLife)) {
    wanted.expires_after = std::chrono::duration_cast<std::chrono::milliseconds>(*life);
  }
  const auto made = call.namespaces.create(wanted);
  try {
    call.defaults.apply(*made);
    if (port) call.server.open_port(made->about(), *port);
  } catch (...) {
    call.namespaces.remove_exactly(made->about());
    throw;
  }
  call.status = 201;
  write_namespace(*made, call);
}

void describe_namespace(ControlCall& call) { write_namespace(*call.space(), call); }

void delete_namespace(ControlCall& call) {
  call.namespaces.remove(call.names.at(0));
  call.answer.begin_object();
  call.answer.end_object();
}

constexpr Names kNewMembers = {"name", "from", "port", "expires_after"};
constexpr std::array kNamespaceRoutes = {
    ControlRoute{http::Method::kGet, "namespaces", list_namespaces},
    ControlRoute{http::Method::kPost, "namespaces", create_namespace, kNewMembers, {}, true},
    ControlRoute{http::Method::kGet, "namespaces/{}", describe_namespace},
    ControlRoute{http::Method::kDelete, "namespaces/{}", delete_namespace},
};

}  // namespace

std::span<const ControlRoute> namespace_routes() { return kNamespaceRoutes; }

}  // namespace magneto::server::admin
