#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>

#include "server/client/endpoint/endpoint.h"
#include "server/tools/copy/copy_options.h"
#include "server/tools/copy/state_keeper.h"
#include "server/tools/copy/stop_signal.h"
#include "server/tools/copy/unit_limit.h"

namespace magneto::server::tools {

// What all parts of a copy use.
struct CopyContext {
  const CopyOptions& options;
  client::Endpoint& source;
  client::Endpoint& target;
  StateKeeper& states;
  UnitLimit& read_limit;  // of the source
  UnitLimit& target_read_limit;
  UnitLimit& write_limit;
  StopSignal stop;
};

// Copies the items of a table from where its state says, each segment in a thread of its own, with
// a page of it in memory. A page is done when the target has acknowledged all of its items; only
// then the state moves on. `copied` counts items; `meanwhile` is called in this thread every now and
// then. Throws std::runtime_error, a sentence, and Stopped.
void copy_items(const CopyContext& context, const std::string& table,
                std::atomic<std::uint64_t>& copied, const std::function<void()>& meanwhile);

}  // namespace magneto::server::tools
