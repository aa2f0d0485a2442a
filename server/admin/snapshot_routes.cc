#include <array>
#include <string_view>

#include "api/control_error.h"
#include "api/times.h"
#include "server/admin/control_call.h"
#include "server/admin/control_members.h"
#include "server/admin/messages.h"

namespace magneto::server::admin {
namespace {

void write_snapshot(const api::NamedSnapshot& snapshot, api::json::Writer& answer) {
  answer.begin_object();
  answer.text("name", snapshot.name);
  answer.text("namespace", snapshot.of);
  answer.text("created", api::time_text(snapshot.created));
  answer.key("saved");
  answer.boolean(snapshot.is_saved);
  answer.end_object();
}

void list_snapshots(ControlCall& call) {
  call.answer.begin_object();
  call.answer.key("snapshots");
  call.answer.begin_array();
  for (const api::NamedSnapshotPtr& snapshot : call.namespaces.snapshots().list()) {
    write_snapshot(*snapshot, call.answer);
  }
  call.answer.end_array();
  call.answer.end_object();
}

void take_snapshot(ControlCall& call) {
  const auto name = string_member(call.body, "name");
  if (!name) throw api::ControlError(messages::kMissingMember("name"));
  const auto of = string_member(call.body, "namespace").value_or(api::Namespaces::kMainName);
  const auto taken = call.namespaces.take_snapshot(*name, of);
  call.status = 201;
  write_snapshot(*taken, call.answer);
}

void describe_snapshot(ControlCall& call) {
  write_snapshot(*call.namespaces.snapshots().get(call.names.at(0)), call.answer);
}

void delete_snapshot(ControlCall& call) {
  call.namespaces.remove_snapshot(call.names.at(0));
  call.answer.begin_object();
  call.answer.end_object();
}

constexpr std::string_view kSnapshotMembers[] = {"name", "namespace"};
constexpr std::array kSnapshotRoutes = {
    ControlRoute{http::Method::kGet, "snapshots", list_snapshots},
    ControlRoute{http::Method::kPost, "snapshots", take_snapshot, kSnapshotMembers, {}, true},
    ControlRoute{http::Method::kGet, "snapshots/{}", describe_snapshot},
    ControlRoute{http::Method::kDelete, "snapshots/{}", delete_snapshot},
};

}  // namespace

std::span<const ControlRoute> snapshot_routes() { return kSnapshotRoutes; }

}  // namespace magneto::server::admin
