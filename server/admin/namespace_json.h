#pragma once

#include "server/admin/control_call.h"

namespace magneto::server::admin {

// One namespace, as every answer describes it.
void write_namespace(api::Namespace& space, ControlCall& call);

}  // namespace magneto::server::admin
