#pragma once

#include <string>

#include "server/client/endpoint/endpoint_calls.h"
#include "server/tools/copy/call_in_turn.h"
#include "server/tools/copy/stop_signal.h"
#include "server/tools/copy/table_description.h"

namespace magneto::server::tools {

// Changes of tables, each of which waits until it is done and the table and its indexes are ACTIVE.
// They throw std::runtime_error, a sentence, and Stopped.

// Makes a table. False: there is one by then, of an attempt whose answer got lost or of somebody
// else. `tell` gets what the endpoint says when it takes no more tables for the moment.
bool create_table(client::EndpointCalls& calls, const std::string& name, const std::string& request,
                  const StopSignal& stop, const TellOfWait& tell);

void wait_until_active(client::EndpointCalls& calls, const std::string& name,
                       const StopSignal& stop);

void enable_stream(client::EndpointCalls& calls, const std::string& name, const std::string& view,
                   const StopSignal& stop);

// What follows the items: time to live, a stream of `stream_view` unless that is empty, deletion
// protection last. What the target has already is left.
void finish_table(client::EndpointCalls& target, const TableDescription& source,
                  const std::string& stream_view, const StopSignal& stop);

}  // namespace magneto::server::tools
