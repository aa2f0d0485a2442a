#include <array>

#include "api/faults/fault_rule_json.h"
#include "server/admin/control_call.h"

namespace magneto::server::admin {
namespace {

void write_rules(const api::Faults& faults, ControlCall& call) {
  call.answer.begin_object();
  call.answer.key("rules");
  api::write_fault_rules(faults, call.answer);
  call.answer.end_object();
}

void list_rules(ControlCall& call) { write_rules(call.space()->settings()->faults, call); }

void add_rule(ControlCall& call) {
  const auto space = call.space();
  const std::string id = space->settings()->faults.add(api::read_fault_rule(call.body));
  call.status = 201;
  call.answer.begin_object();
  call.answer.text("id", id);
  call.answer.end_object();
}

void remove_rule(ControlCall& call) {
  const auto space = call.space();
  space->settings()->faults.remove(call.names.at(1));
  write_rules(space->settings()->faults, call);
}

void clear_rules(ControlCall& call) {
  const auto space = call.space();
  space->settings()->faults.clear();
  write_rules(space->settings()->faults, call);
}

const std::array kFaultRoutes = {
    ControlRoute{http::Method::kGet, "namespaces/{}/faults", list_rules},
    ControlRoute{http::Method::kPost, "namespaces/{}/faults", add_rule, api::fault_rule_members()},
    ControlRoute{http::Method::kDelete, "namespaces/{}/faults", clear_rules},
    ControlRoute{http::Method::kDelete, "namespaces/{}/faults/{}", remove_rule},
};

}  // namespace

std::span<const ControlRoute> fault_routes() { return kFaultRoutes; }

}  // namespace magneto::server::admin
