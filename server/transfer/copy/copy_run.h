#pragma once

#include <atomic>

#include "server/transfer/copy/copy_options.h"
#include "server/transfer/endpoint/endpoint.h"
#include "server/transfer/progress_line.h"

namespace magneto::server {

inline constexpr int kCopyDone = 0;
inline constexpr int kCopyFailed = 1;
inline constexpr int kCopyDiffers = 3;
inline constexpr int kCopyStopped = 130;

// Copies tables from `source` to `target` and tells of it. One of the statuses above; what went
// wrong is told, and what was done until then. Throws std::runtime_error, a sentence, for a state
// file that cannot be used.
int run_copy(const CopyOptions& options, Endpoint& source, Endpoint& target,
             const std::atomic<bool>& stop, ProgressLine& progress);

}  // namespace magneto::server
