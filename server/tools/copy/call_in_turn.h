#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "server/client/endpoint/endpoint_calls.h"
#include "server/tools/copy/stop_signal.h"

namespace magneto::server::tools {

using TellOfWait = std::function<void(const std::string&)>;

// Calls an operation that an endpoint accepts only at a limited rate or number
// (LimitExceededException), or not while it changes the table (ResourceInUseException, except for
// CreateTable, where it means that the table exists). Repeats the call each second, for an hour at
// most. `tell` receives the endpoint's reason for the wait, once. Returns whether the call
// succeeded. Throws Stopped.
bool call_in_turn(client::EndpointCalls& calls, std::string_view operation, const std::string& body,
                  const StopSignal& stop, const TellOfWait& tell = {});

}  // namespace magneto::server::tools
