#pragma once

#include <cstddef>
#include <functional>
#include <string>

#include "server/client/endpoint/endpoint.h"

namespace magneto::server::client {

// Calls BatchWriteItem with `body`, {"RequestItems":...}, and again with what was left unprocessed,
// until nothing is. The pauses grow as RetryDelays says, begin anew whenever a part was taken, and
// go on for as long as the endpoint's patience lasts. `left_over`, where it is given, gets how many
// requests each answer left. `units` gets the write units added that the endpoint told; `body` must
// ask for them (kAskForUnits). `body` is another one afterwards. An answer that does not say what
// was left is no success.
Outcome write_batch(Endpoint& endpoint, std::string& body, double* units = nullptr,
                    const std::function<void(std::size_t)>& left_over = {});

// The member of a request that asks for the units it took, in sum.
inline constexpr std::string_view kAskForUnits = R"(,"ReturnConsumedCapacity":"TOTAL")";

}  // namespace magneto::server::client
