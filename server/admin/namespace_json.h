#pragma once

#include "server/admin/control_call.h"

namespace magneto::server::admin {

// Writes one namespace as in every answer.
void write_namespace(api::Namespace& space, ControlCall& call);

}  // namespace magneto::server::admin
