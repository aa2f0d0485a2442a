#include <array>

#include "server/control/control_call.h"
#include "server/control/default_dials.h"

namespace magneto::server {
namespace {

void tell_defaults(ControlCall& call) { call.defaults.write(call.answer); }

void set_defaults(ControlCall& call) {
  call.defaults.set(call.body);
  call.defaults.write(call.answer);
}

void clear_defaults(ControlCall& call) {
  call.defaults.clear();
  call.defaults.write(call.answer);
}

constexpr std::string_view kDefaultMembers[] = {"clock", "consistency", "faults", "journal"};
constexpr std::array kDefaultRoutes = {
    ControlRoute{Method::kGet, "defaults", tell_defaults},
    ControlRoute{Method::kPut, "defaults", set_defaults, kDefaultMembers},
    ControlRoute{Method::kDelete, "defaults", clear_defaults},
};

}  // namespace

std::span<const ControlRoute> default_routes() { return kDefaultRoutes; }

}  // namespace magneto::server
