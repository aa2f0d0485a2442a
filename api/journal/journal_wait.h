#pragma once

#include <chrono>
#include <cstdint>
#include <functional>

#include "api/journal/journal.h"

namespace magneto::api {

// Of all journals together.
inline constexpr int kMaxWaitingThreads = 16;

// Returns when there is a record later than `after`, the time is over, or `is_over` says so, which
// is asked several times a second. The calling thread waits: not for I/O threads. False at once
// when too many threads wait already.
bool wait_for_record(Journal& journal, std::uint64_t after, std::chrono::nanoseconds time,
                     const std::function<bool()>& is_over);

}  // namespace magneto::api
