#pragma once

#include <string>

#include "server/transfer/copy/stop_signal.h"
#include "server/transfer/copy/table_description.h"
#include "server/transfer/endpoint/endpoint_calls.h"

namespace magneto::server {

// Changes of tables, each of which waits until it is done and the table and its indexes are ACTIVE.
// They throw std::runtime_error, a sentence, and Stopped.

// Makes a table. One that is there by then is taken for the answer of an attempt that got lost.
void create_table(EndpointCalls& calls, const std::string& name, const std::string& request,
                  const StopSignal& stop);

void wait_until_active(EndpointCalls& calls, const std::string& name, const StopSignal& stop);

void enable_stream(EndpointCalls& calls, const std::string& name, const std::string& view,
                   const StopSignal& stop);

// What follows the items: time to live, a stream of `stream_view` unless that is empty, deletion
// protection last. What the target has already is left.
void finish_table(EndpointCalls& target, const TableDescription& source,
                  const std::string& stream_view, const StopSignal& stop);

}  // namespace magneto::server
