#pragma once

#include <cstddef>
#include <functional>
#include <string>

#include "server/client/endpoint/endpoint.h"

namespace magneto::server::client {

// Calls BatchWriteItem with `body`, {"RequestItems":...}, and again with the unprocessed requests
// until there are none. The pauses grow as in RetryDelays, restart when an answer leaves fewer
// requests, and continue while the endpoint's patience lasts. An answer without UnprocessedItems is
// an error.
//
// `left_over` is called with the number of requests that each answer leaves. `units` is increased
// by the write units of the answers; `body` must then ask for them (kAskForUnits). The function
// changes `body`.
Outcome write_batch(Endpoint& endpoint, std::string& body, double* units = nullptr,
                    const std::function<void(std::size_t)>& left_over = {});

// The member of a request that asks for the sum of its consumed units.
inline constexpr std::string_view kAskForUnits = R"(,"ReturnConsumedCapacity":"TOTAL")";

}  // namespace magneto::server::client
