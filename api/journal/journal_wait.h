#pragma once

#include <chrono>
#include <cstdint>
#include <functional>

#include "api/journal/journal.h"

namespace magneto::api {

// For all journals together.
inline constexpr int kMaxWaitingThreads = 16;

// Returns when there is a record later than `after`, when `time` has passed, or when `is_over`
// returns true; it is called several times a second. Blocks the calling thread, so do not call this
// on an I/O thread. Returns false at once if too many threads are already waiting.
bool wait_for_record(Journal& journal, std::uint64_t after, std::chrono::nanoseconds time,
                     const std::function<bool()>& is_over);

}  // namespace magneto::api
