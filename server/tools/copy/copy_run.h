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

// Copies tables from `source` to `target` and tells of it. One of the statuses above; what went
// wrong is told, and what was done until then. Throws std::runtime_error, a sentence, for a state
// file that cannot be used.
int run_copy(const CopyOptions& options, client::Endpoint& source, client::Endpoint& target,
             const std::atomic<bool>& stop, bulk::ProgressLine& progress);

}  // namespace magneto::server::tools
