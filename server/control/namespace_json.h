#pragma once

#include "server/control/control_call.h"

namespace magneto::server {

// One namespace, as every answer describes it.
void write_namespace(api::Namespace& space, ControlCall& call);

}  // namespace magneto::server
