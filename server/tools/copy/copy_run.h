#pragma once

#include <atomic>

#include "server/bulk/progress_line.h"
#include "server/client/endpoint/endpoint.h"
#include "server/tools/copy/copy_options.h"

namespace magneto::server::tools {

inline constexpr int kCopyDone = 0;
inline constexpr int kCopyFailed = 1;
inline constexpr int kCopyDiffers = 3;
inline constexpr int kCopyStopped = 130;

// Copies tables from `source` to `target` and reports the progress. Returns one of the statuses
// above; on a failure, prints the reason and the work done so far. Throws std::runtime_error with a
// sentence if the state file cannot be used.
int run_copy(const CopyOptions& options, client::Endpoint& source, client::Endpoint& target,
             const std::atomic<bool>& stop, bulk::ProgressLine& progress);

}  // namespace magneto::server::tools
