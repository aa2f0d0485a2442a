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

// The objects that all parts of a copy share.
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

// Copies the items of a table from the position in its state. Each segment has its own thread, with
// one page in memory. The state advances only when the target has acknowledged all items of a page.
// `copied` counts items; `meanwhile` is called regularly on this thread. Throws Stopped, and
// std::runtime_error with a sentence.
void copy_items(const CopyContext& context, const std::string& table,
                std::atomic<std::uint64_t>& copied, const std::function<void()>& meanwhile);

}  // namespace magneto::server::tools
