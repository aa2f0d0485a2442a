#include <array>

#include "server/admin/control_call.h"
#include "server/admin/default_settings.h"

namespace magneto::server::admin {
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
    ControlRoute{http::Method::kGet, "defaults", tell_defaults},
    ControlRoute{http::Method::kPut, "defaults", set_defaults, kDefaultMembers, {}, true},
    ControlRoute{http::Method::kDelete, "defaults", clear_defaults},
};

}  // namespace

std::span<const ControlRoute> default_routes() { return kDefaultRoutes; }

}  // namespace magneto::server::admin
