#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "server/client/endpoint/endpoint_calls.h"
#include "server/tools/copy/stop_signal.h"

namespace magneto::server::tools {

using TellOfWait = std::function<void(const std::string&)>;

// A call of an operation of which an endpoint takes only so many at a time or a second
// (LimitExceededException), or none while it changes the table (ResourceInUseException, but not of
// CreateTable, where it says that there is one). Made again each second, for an hour at most.
// `tell` gets what the endpoint says of that, once. Whether it succeeded. Throws Stopped.
bool call_in_turn(client::EndpointCalls& calls, std::string_view operation, const std::string& body,
                  const StopSignal& stop, const TellOfWait& tell = {});

}  // namespace magneto::server::tools
