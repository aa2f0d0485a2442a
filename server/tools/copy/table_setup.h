#pragma once

#include <string>

#include "server/client/endpoint/endpoint_calls.h"
#include "server/tools/copy/call_in_turn.h"
#include "server/tools/copy/stop_signal.h"
#include "server/tools/copy/table_description.h"

namespace magneto::server::tools {

// Functions that change tables. Each waits until the change is done and the table and its indexes
// are ACTIVE. They throw Stopped, and std::runtime_error with a sentence.

// Creates a table. False if it exists already, from an attempt whose answer was lost or from
// another client. `tell` receives the endpoint's reason if it accepts no more tables at the moment.
bool create_table(client::EndpointCalls& calls, const std::string& name, const std::string& request,
                  const StopSignal& stop, const TellOfWait& tell);

void wait_until_active(client::EndpointCalls& calls, const std::string& name,
                       const StopSignal& stop);

void enable_stream(client::EndpointCalls& calls, const std::string& name, const std::string& view,
                   const StopSignal& stop);

// Makes the settings that follow the items: time to live, a stream with `stream_view` unless that
// is empty, and last deletion protection. Keeps settings that the target already has.
void finish_table(client::EndpointCalls& target, const TableDescription& source,
                  const std::string& stream_view, const StopSignal& stop);

}  // namespace magneto::server::tools
